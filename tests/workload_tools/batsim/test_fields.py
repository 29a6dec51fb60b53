"""The names and kinds of a job's fields in a workload."""

from tests.suites import each_case
from workload_tools.batsim.fields import BATSIM_NAMES, COUNTS, JOB_NAMES, NUMBERS, TEXTS, known
from workload_tools.job import Job


def test_every_field_that_a_job_may_lack_is_a_text_a_count_or_a_number() -> None:
    given = {"id", "processors", "exclusive", "warm_up", "inferred"}
    assert {*TEXTS, *COUNTS, *NUMBERS, *given} == set(Job.__struct_fields__)
    assert len(TEXTS) + len(COUNTS) + len(NUMBERS) + len(given) == len(Job.__struct_fields__)


def test_only_fields_of_a_job_are_called_otherwise() -> None:
    assert set(BATSIM_NAMES) < set(Job.__struct_fields__)
    assert {JOB_NAMES[theirs]: theirs for theirs in JOB_NAMES} == BATSIM_NAMES


@each_case("key", ["user", "user_id"])
@each_case(("value", "text"), [("ann", "ann"), (7, "7"), (7.0, "7"), (7.5, "7.5")])
def test_a_name_is_the_same_text_however_it_is_written(key: str, value: object, text: str) -> None:
    assert known({key: value}, TEXTS) == {"user": text}


def test_what_is_missing_not_asked_for_or_no_number_is_left_out() -> None:
    fields = {"gpu": "many", "mem": [1], "node": None, "user_id": "ann", "unheard": 1}
    assert known(fields, frozenset({"gpus", "memory", "nodes"})) == {}
