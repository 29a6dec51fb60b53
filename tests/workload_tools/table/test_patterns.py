"""Regular expressions of a map."""

import pytest

from tests.suites import each_case
from workload_tools.table.language.quantities import PatternError, pattern_of


@each_case(
    "text",
    ["^([0-9]+)_", "(?:^|,)1=([0-9]+)", r"\[([0-9]+)\]$", "([+*]+)", "(?i)(gb)", "(?P<n>[0-9]{4})"],
)
def test_patterns_with_linear_time_are_accepted(text: str) -> None:
    assert pattern_of(text).pattern == text


@each_case(
    ("text", "message"),
    [
        ("(a+)+b", "repeats a group that contains a repetition"),
        ("(?:a|aa)*(b)", "repeats a group that contains a repetition"),
        ("(?:(?:a?)){30}(b)", "repeats a group that contains a repetition"),
        (r"(a)\1", r"has '\1', with which a pattern may run too long"),
        ("(?=x)(a)", r"has '\(\?=', with which"),
        ("b", "has 0 groups in parentheses; it must have one"),
        ("((", "is not a pattern: missing"),
    ],
)
def test_patterns_with_exponential_time_are_refused(text: str, message: str) -> None:
    with pytest.raises(PatternError, match=message.replace("\\1", "\\\\1")):
        pattern_of(text)
