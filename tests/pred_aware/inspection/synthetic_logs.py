"""Logs made for the tests of inspections."""

from pathlib import Path

from pred_aware.inspection import Inspection, inspect_log
from pred_aware.inspection.columns import Columns, read_columns
from tests.workload_tools.jobs import SyntheticLog
from workload_tools.job import Job

MONDAY = 1704067200.0
"""1 January 2024, 0:00 UTC."""


def job(submit_time: float, **fields: object) -> Job:
    """Make a job; by default it has one processor, does not wait, and runs for a minute."""
    values = {"processors": 1, "run_time": 60.0, "user": "ann", "wait_time": 0.0, **fields}
    return Job(id="1", submit_time=submit_time, **values)  # type: ignore[arg-type] # known above


def columns_of(*jobs: Job, processors: int | None = 4) -> Columns:
    return read_columns(SyntheticLog(jobs, processors=processors), path=Path("made"))


def inspected(*jobs: Job, processors: int | None = 4, zone: str | None = "UTC") -> Inspection:
    """Inspect jobs of a machine whose second 0 is a Monday's midnight."""
    log = SyntheticLog(jobs, processors=processors, start_time=MONDAY, time_zone=zone)
    return inspect_log(log, Path("made.swf"))
