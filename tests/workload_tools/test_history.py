from importlib.metadata import entry_points
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from predictors.submission import Submission
from workload_tools.batsim.writer import write_workload
from workload_tools.history import from_batsim, from_swf, past_jobs
from workload_tools.job import Job, Workload


def job(number: int, **known: Any) -> Job:  # noqa: ANN401 - fields of a job
    values = {"submit_time": float(number), "processors": 1, "run_time": 100.0}
    return Job(id=str(number), **values | known)


def test_jobs_come_in_the_order_of_their_ends() -> None:
    jobs = [job(1, wait_time=500.0), job(2, wait_time=0.0), job(3, wait_time=1.0)]
    past = list(past_jobs(jobs))
    assert [record["fields"]["id"] for record in past] == ["2", "3", "1"]
    assert [record["end_time"] for record in past] == [102.0, 104.0, 601.0]


def test_jobs_without_ends_come_by_submission() -> None:
    past = list(past_jobs([job(1), job(2), job(3)]))
    assert [record["fields"]["id"] for record in past] == ["1", "2", "3"]
    assert {record["end_time"] for record in past} == {None}


def test_run_time_is_at_most_the_walltime() -> None:
    (record,) = past_jobs([job(1, walltime=60.0)])
    assert record["run_time"] == 60.0


def test_fields_are_those_of_a_submission_and_hide_the_run_time() -> None:
    (record,) = past_jobs([job(1, user="ann", memory=2.0)])
    submission = Submission(**record["fields"])
    assert set(record["fields"]) == set(Submission.__slots__)
    assert (submission.user, submission.memory) == ("ann", 2.0)


def test_readers_are_found_by_the_suffix_of_the_file() -> None:
    points = {point.name: point for point in entry_points(group="pred_aware.history")}
    assert points["swf"].load() is from_swf
    assert points["json"].load() is from_batsim


def test_a_workload_tells_the_same_history_as_its_log(shared: Path, tmp_path: Path) -> None:
    log = shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz"
    from_log = list(from_swf(log))
    jobs = [Job(run_time=r["run_time"], **r["fields"]) for r in from_log]
    write_workload(Workload(jobs=jobs), tmp_path / "w.json")
    from_workload = list(from_batsim(tmp_path / "w.json"))
    assert len(from_log) == 28467
    assert all(a["end_time"] <= b["end_time"] for a, b in pairwise(from_log))
    by_id = {record["fields"]["id"]: record for record in from_workload}
    assert all(by_id[r["fields"]["id"]]["fields"] == r["fields"] for r in from_log)


def test_a_log_that_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="can't be read"):
        list(from_swf(tmp_path / "nowhere.swf"))
