from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.suites import each_case
from tests.workload_tools.jobs import JOB_LISTS, SyntheticLog, job
from workload_tools.changes.anonymised import NAMES, Anonymised, BadKeyError, Key
from workload_tools.job import Job
from workload_tools.log import gather


def test_names_and_ids_become_numbers_and_other_fields_stay() -> None:
    one = job("1.pbs", user="ann", name="secret", queue="long", memory=2.0, state="TIMEOUT")
    two = job("2.pbs", user="bob", preceding_job="1.pbs", array="1")
    found = list(Anonymised(SyntheticLog([one, two]), Key()).jobs())
    assert [(one.id, one.user, one.name) for one in found] == [("1", "1", "1"), ("2", "2", None)]
    assert (found[1].preceding_job, found[0].queue, found[1].array) == ("1", "1", "1")
    assert (found[0].memory, found[0].state) == (2.0, "TIMEOUT")


def test_each_feature_and_licence_becomes_a_number() -> None:
    asked = job("1", features="fast&big|fast", licences="matlab:2,r-3:1", reservation="week 7")
    (found,) = Anonymised(SyntheticLog([asked]), Key()).jobs()
    assert (found.features, found.licences, found.reservation) == ("1&2|1", "1:2,2:1", "1")


@given(JOB_LISTS)
@settings(max_examples=50)
def test_no_name_is_left_and_equal_names_get_equal_numbers(jobs: list[Job]) -> None:
    key = Key()
    found = list(Anonymised(SyntheticLog(jobs), key).jobs())
    for field in (*NAMES, "id"):
        pairs = {
            (getattr(before, field), getattr(after, field))
            for before, after in zip(jobs, found, strict=True)
        } - {(None, None)}
        assert len(pairs) == len({name for name, _ in pairs}) == len({n for _, n in pairs})
        table = key.names.get(field, {})
        assert all(table[name] == int(number) for name, number in pairs)


def test_the_same_key_gives_the_same_numbers_and_adds_new_ones(tmp_path: Path) -> None:
    first, path = Key(), tmp_path / "key.json"
    list(Anonymised(SyntheticLog([job("7", user="ann"), job("8", user="bob")]), first).jobs())
    with path.open("wb") as file:
        first.write_to(file)
    again = Anonymised(SyntheticLog([job("9", user="eve"), job("8", user="bob")]), Key.read(path))
    assert [(one.id, one.user) for one in again.jobs()] == [("3", "3"), ("2", "2")]


def test_dates_are_shifted_as_in_the_key_and_the_origin_is_removed() -> None:
    log = SyntheticLog(
        [job("1", submit_time=5.0)], start_time=1e9, processors=8, origin=["Computer: x"]
    )
    hidden = Anonymised(log, Key(date_shift=-604800.0))
    workload = gather(hidden)
    assert (workload.start_time, workload.processors) == (1e9 + 5 - 604800, 8)
    assert hidden.machine.origin == []


def test_a_missing_key_is_empty(tmp_path: Path) -> None:
    assert Key.read(tmp_path / "none.json").names == {}


@each_case(
    ("content", "message"),
    [
        ("{", "is not a key that this program wrote"),
        ('{"jobs": []}', "is not a key"),
        ('{"names": {"user": {"ann": "1"}}}', "is not a key"),
        ('{"names": {"user": {"ann": 1, "bob": 1}}}', "'user' has the same number for two names"),
        ('{"names": {"user": {"ann": 0}}}', "or a number below 1"),
    ],
)
def test_a_bad_key_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "key.json"
    path.write_text(content)
    with pytest.raises(BadKeyError, match=message):
        Key.read(path)
