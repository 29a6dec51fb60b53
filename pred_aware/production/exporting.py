"""A store as a file that `predict` and `--history` read, and logs that come into a store."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from msgspec import structs

from pred_aware.production.errors import JobStoreError
from pred_aware.production.opening import new_store
from pred_aware.production.schema import why_not
from pred_aware.production.store import JobDatabase
from workload_tools.batsim.writer import write_workload
from workload_tools.job import Job, Workload, later
from workload_tools.job_names import JobNames
from workload_tools.log import Log, gather

JOBS_AT_ONCE = 1000
"""How many jobs are added in one transaction."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of the jobs of a log."""

    new: int
    known: int
    """How many were added, and how many were there already."""
    refused: Counter[str]
    """How many can't be kept, by reason."""


def add_log(name: str, log: Log, path: Path) -> Added:
    """Add the jobs of a log to a store; one that does not exist is made, with all of them or not.

    Parameters
    ----------
    name
        The store's.
    log
        Whose dates must be known.
    path
        Of the log, for messages.

    Raises
    ------
    StoreError
        The log does not tell when its first job was submitted; as of `JobDatabase.add`.
    LogError
        The log can't be read.
    """
    workload = gather(log)
    start = workload.start_time
    if start is None:
        raise JobStoreError(
            f"{path}: does not tell on which date it begins, so its jobs can't be told from others"
        )
    with new_store(name) as filled, JobDatabase(filled) as store:
        return _added(store, _dated(workload.jobs, start))


def _added(store: JobDatabase, dated: Iterable[Job]) -> Added:
    new = known = 0
    refused: Counter[str] = Counter()
    jobs = iter(dated)
    while some := list(islice(jobs, JOBS_AT_ONCE)):
        fit = []
        for job in some:
            reason = why_not(job)
            if reason is None:
                fit.append(job)
            else:
                refused[reason] += 1
        added = len(store.add(fit))
        new, known = new + added, known + len(fit) - added
    return Added(new, known, refused)


def _dated(jobs: Iterable[Job], start: float) -> Iterable[Job]:
    return (later(job, start) for job in jobs)


def export(store: JobDatabase, path: Path) -> int:
    """Write a store's jobs as a Batsim workload; return how many.

    Dates are moved so that the first submission is 0. An id that was used twice gets a suffix. Jobs
    that ran for 0 s, which no simulation takes, are left out.

    Raises
    ------
    StoreError
        The store has no job.
    WorkloadError
        The file can't be written.
    """
    jobs = sorted(
        (job for job in store.jobs() if job.run_time > 0.0 and job.processors > 0),
        key=lambda job: job.submit_time,
    )
    if not jobs:
        raise JobStoreError(f"{store.place}: has no job to write")
    start = jobs[0].submit_time
    names = JobNames()
    named = [structs.replace(later(job, -start), id=names.other(job.id)) for job in jobs]
    write_workload(Workload(jobs=named, start_time=start, guessed=True), path)
    return len(named)
