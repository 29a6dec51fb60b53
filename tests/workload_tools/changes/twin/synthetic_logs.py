"""Logs made for the tests of twins."""

from collections.abc import Sequence

from tests.workload_tools.jobs import SyntheticLog
from workload_tools.changes.twin import TwinLog, TwinOptions
from workload_tools.job import Job

HOUR = 3600.0


def listed(jobs: Sequence[Job]) -> SyntheticLog:
    """Make a log of jobs at hand, on 64 processors in Stockholm, from a Monday in 1996 at 12:00."""
    machine = {"processors": 64, "nodes": 8, "start_time": 843472800.0}
    where = {"time_zone": "Europe/Stockholm", "origin": ["Installation: KTH"]}
    return SyntheticLog(jobs, **machine, **where)


def job(user: str | None, submit_time: float, **fields: object) -> Job:
    """Make a job of one processor, a minute of an hour, by default."""
    values = {"processors": 1, "run_time": 60.0, "walltime": HOUR, **fields}
    name = f"{user}@{submit_time}"
    return Job(id=name, user=user, submit_time=submit_time, **values)  # type: ignore[arg-type] # known above


def twin_of(jobs: list[Job], **options: object) -> TwinLog:
    """Make a twin and read it to its end; nothing is blurred, replaced or exchanged by default."""
    given = {"noise": 0.0, "jitter": 0.0, "few": 1, "alike": 1, **options}
    twin = TwinLog(listed(jobs), options=TwinOptions(**given))  # type: ignore[arg-type] # known above
    assert [pair.twin for pair in twin.pairs] == []
    assert list(twin.jobs()) == [pair.twin for pair in twin.pairs]
    return twin
