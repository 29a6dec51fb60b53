"""The names and kinds of a job's fields in a workload."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from procset import ProcSet

from tests.suites import each_case
from workload_tools.batsim.fields import BATSIM_NAMES, COUNTS, JOB_NAMES, NUMBERS, TEXTS, known
from workload_tools.batsim.intervals import count, format_intervals, parse_intervals, to_procset
from workload_tools.job import Job


def test_every_optional_field_of_a_job_is_a_text_a_count_or_a_number() -> None:
    given = {"id", "processors", "exclusive", "warm_up", "inferred"}
    assert {*TEXTS, *COUNTS, *NUMBERS, *given} == set(Job.__struct_fields__)
    assert len(TEXTS) + len(COUNTS) + len(NUMBERS) + len(given) == len(Job.__struct_fields__)


def test_only_fields_of_a_job_have_other_names_in_batsim() -> None:
    assert set(BATSIM_NAMES) < set(Job.__struct_fields__)
    assert {JOB_NAMES[theirs]: theirs for theirs in JOB_NAMES} == BATSIM_NAMES


@each_case("key", ["user", "user_id"])
@each_case(("value", "text"), [("ann", "ann"), (7, "7"), (7.0, "7"), (7.5, "7.5")])
def test_a_name_is_the_same_text_as_number_or_string(key: str, value: object, text: str) -> None:
    assert known({key: value}, TEXTS) == {"user": text}


def test_missing_unrequested_and_invalid_values_are_left_out() -> None:
    fields = {"gpu": "many", "mem": [1], "node": None, "user_id": "ann", "unheard": 1}
    assert known(fields, frozenset({"gpus", "memory", "nodes"})) == {}


@each_case(
    "text", ["", " ", "a", "1-", "-1", "1--2", "3-1", "1 1", "0-4 4-5", "1,2", "1  2", "1.0", "²"]
)
def test_an_invalid_set_of_processors_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="processor"):
        parse_intervals(text)


@given(st.sets(st.integers(0, 300), min_size=1))
def test_written_intervals_can_be_read_again_and_counted(numbers: set[int]) -> None:
    written = str(ProcSet(*numbers))
    intervals = parse_intervals(written)
    assert format_intervals(intervals) == written
    assert count(intervals) == len(numbers)
    assert set(to_procset(intervals)) == numbers


def test_intervals_are_sorted() -> None:
    assert parse_intervals("9 3-4 0") == ((0, 0), (3, 4), (9, 9))
