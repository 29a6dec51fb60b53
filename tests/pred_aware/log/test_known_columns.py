"""Columns hold what the fields of each job by itself would tell a predictor."""

from typing import Any

import pytest

from pred_aware.log.known_columns import known_columns
from pred_aware.log.workload import Workload, known_columns_of
from predictors import Submission
from schedulers.core.job import Job, submission_of

_FIELDS: list[dict[str, Any]] = [
    {"user_id": 7, "mem": 2.5, "node": 1, "queue": "long"},
    {"user_id": "ann", "mem": 3, "node": 1.0, "gpu": True, "queue": None},
    {"user_id": 7.0, "mem": "much", "gpu": 2, "qos": 4, "queue": ""},
    {"user_id": True, "mem": 2**60, "node": [1], "project": "p", "cpu": 4},
    {"mem": -1, "group": 1, "executable": {"a": 1}},
    {},
]


def _workload(fields: list[dict[str, Any]]) -> Workload:
    jobs = [
        {"id": number, "subtime": 10 * number, "res": 1, "walltime": 60, "profile": "D", **more}
        for number, more in enumerate(fields)
    ]
    profiles = {"D": {"type": "delay", "delay": 30}}
    return Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})


def _by_job(workload: Workload) -> list[Submission]:
    return [
        submission_of(
            Job(
                f"w0!{job.id}",
                job.subtime,
                job.res,
                job.walltime,
                workload.raw.details.job_fields(n),
            )
        )
        for n, job in enumerate(workload.raw.jobs)
    ]


def _by_columns(workload: Workload) -> list[Submission]:
    columns = known_columns_of(workload)
    assert columns is not None
    return [
        Submission(
            id=f"w0!{job.id}", submit_time=job.subtime, processors=job.res, walltime=job.walltime,
            **{name: column[place] for name, column in columns.items()},
        )
        for place, job in enumerate(workload.raw.jobs)
    ]  # fmt: skip


def test_odd_values_stay_as_in_the_fields() -> None:
    workload = _workload(_FIELDS)
    assert _by_columns(workload) == _by_job(workload)


def test_a_copy_with_other_dates_has_its_jobs_in_their_order() -> None:
    shaken = _workload(_FIELDS[:3] * 5).shaken(1)
    assert _by_columns(shaken) == _by_job(shaken)


@pytest.mark.parametrize("fields", [{"user": "ann", "user_id": 7}, {"mem": 1, "memory": 2}])
def test_two_fields_for_one_column_are_read_job_by_job(fields: dict[str, Any]) -> None:
    assert known_columns(_workload([fields]).raw) is None
