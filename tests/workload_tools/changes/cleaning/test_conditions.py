import operator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.suites import each_case
from tests.workload_tools.jobs import JOBS, job
from workload_tools.changes.cleaning.condition import RecipeError, job_test, parse
from workload_tools.job import Job
from workload_tools.log import Machine

NOWHERE = Machine()
PARIS = Machine(start_time=1296571124.0, time_zone="Europe/Paris")
DAY = 86400.0


def holds(text: str, one: Job, machine: Machine = NOWHERE) -> bool:
    return job_test(parse(text), machine, one)(one)


@each_case(
    ("text", "expected"),
    [
        ("user=2", True),
        ("user==2 and queue=long", True),
        ("user!=2", False),
        ("user=2 and (job>=17 and job<=20)", True),
        ("job<=16", False),
        ("queue=short or processors>=8", True),
        ("queue=short or processors>8", False),
        ("user=3 or user=2 and run>1h", True),
        ("(user=3 or user=2) and run>3h", False),
        ("run>1.5h and run<=2h and run=7200 and run<1d and run<1w", True),
        ('name="a long name"', True),
        ("walltime=none and status=1", True),
        ("walltime!=none", False),
        ("walltime>0", False),
        ("walltime!=5", False),
        ("USER=2", True),
    ],
)
def test_a_condition_holds_for_a_job_or_not(text: str, *, expected: bool) -> None:
    one = job("17_3", user="2", queue="long", processors=8, run_time=7200.0)
    assert holds(text, replace(one, name="a long name", status=1)) is expected


@each_case(
    ("text", "expected"),
    [
        # 1 March 2012, 0:00 in Paris, is 33,985,276 s after the log's second 0
        ("submit<2012-03-01", False),
        ("submit<=2012-03-01 00:00:00", True),
        ("submit>=2012-03-01T00:00+01:00 and user=2", True),
        ("submit<2012-03-01T00:00Z", True),
        ("submit<=33985276 and submit>393d", True),
    ],
)
def test_dates_are_in_the_logs_time_zone(text: str, *, expected: bool) -> None:
    assert holds(text, job("1", submit_time=33985276.0, user="2"), PARIS) is expected


def test_a_log_of_unix_dates_needs_no_header() -> None:
    assert holds("submit<2012-03-01", job("1", submit_time=1330559999.0))
    assert not holds("submit<2012-03-01", job("1", submit_time=1330560000.0))


@each_case(
    ("text", "message"),
    [
        ("usr=2", "unknown field 'usr': did you mean 'user'"),
        ("run>7x", "'7x' is not a duration"),
        ("processors>many", "'many' is not a number"),
        ("user>2", "'user' is a name: compare it with = or !="),
        ("walltime<none", "'none' is not a number"),
        ("submit<2012-02-30", "'2012-02-30' is not a date"),
        ("(user=2", "a parenthesis is not closed"),
        ("user=2)", r"has '\)' after its end"),
        ("user=2 and", "ends where a field is expected"),
        ("user", "ends where an operator such as = or < after 'user' is expected"),
        ("user=", "ends where a value is expected"),
        ("user=2 user=3", "has 'user' after its end"),
        ('name="never closed', "is invalid from"),
        ("(" * 60 + "user=2" + ")" * 60, "more than 50 nested parentheses"),
        ("", "ends where a field is expected"),
    ],
)
def test_an_invalid_condition_gives_an_error_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parse(text)


COMPARE = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
FIELDS = {"processors": "processors", "run": "run_time", "walltime": "walltime", "nodes": "nodes"}


@settings(max_examples=30)
@given(
    JOBS,
    st.lists(
        st.tuples(
            st.sampled_from(sorted(FIELDS)), st.sampled_from(sorted(COMPARE)), st.integers(0, 600),
            st.sampled_from(["and", "or"]),
        ),
        min_size=1,
        max_size=5,
    ),
)  # fmt: skip
def test_a_condition_agrees_with_python(one: Job, parts: list[tuple[str, str, int, str]]) -> None:
    text, expression = "", ""
    for field, symbol, value, joint in parts:
        has = getattr(one, FIELDS[field])
        truth = has is not None and COMPARE[symbol](has, value)
        text += f"{field}{symbol}{value} {joint} "
        expression += f"{truth} {joint} "
    text, expression = (words.rsplit(" ", 2)[0] for words in (text, expression))
    assert holds(text, one) is eval(expression)  # noqa: S307 - of True, False, and, or
