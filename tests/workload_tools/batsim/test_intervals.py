"""Sets of processors, as they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from procset import ProcSet

from tests.suites import each_case
from workload_tools.batsim.intervals import count, format_intervals, parse_intervals, to_procset


@each_case(
    "text", ["", " ", "a", "1-", "-1", "1--2", "3-1", "1 1", "0-4 4-5", "1,2", "1  2", "1.0", "²"]
)
def test_what_is_not_a_set_of_processors_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="processor"):
        parse_intervals(text)


@given(st.sets(st.integers(0, 300), min_size=1))
def test_what_is_written_is_read_again_and_counted(numbers: set[int]) -> None:
    written = str(ProcSet(*numbers))
    intervals = parse_intervals(written)
    assert format_intervals(intervals) == written
    assert count(intervals) == len(numbers)
    assert set(to_procset(intervals)) == numbers


def test_intervals_are_sorted() -> None:
    assert parse_intervals("9 3-4 0") == ((0, 0), (3, 4), (9, 9))
