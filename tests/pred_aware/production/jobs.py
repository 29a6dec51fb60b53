"""Jobs for the tests of the store and of the service."""

from typing import Any

import msgspec

from workload_tools.job import Job


def ended(identifier: str, submit_time: float = 100.0, **more: Any) -> Job:  # noqa: ANN401 - any field
    fields: dict[str, Any] = {
        "processors": 4, "run_time": 60.0, "walltime": 600.0, "user": "ann", "wait_time": 5.0,
    }  # fmt: skip
    return Job(id=identifier, submit_time=submit_time, **(fields | more))


def told_ended(*jobs: Job) -> dict[str, Any]:
    """Return the request by which the service learns of ended jobs."""
    return {"ask": "ended", "jobs": msgspec.to_builtins(list(jobs))}
