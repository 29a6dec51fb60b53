"""Export of a store to a file for `predict` and `--history`, and import of logs into a store."""

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
"""Number of jobs added in one transaction."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding a log's jobs to a store."""

    new: int
    known: int
    """Number of added jobs, and number of jobs that the store already had."""
    refused: Counter[str]
    """Number of jobs that cannot be stored, by reason."""


def add_log(name: str, log: Log, path: Path) -> Added:
    """Add the jobs of a log to a store. A missing store is created with all jobs or not at all.

    Parameters
    ----------
    name
        Name of the store.
    log
        A log with known dates.
    path
        Path of the log, for messages.

    Raises
    ------
    JobStoreError
        The log has no date of its first submission, or `JobDatabase.add` fails.
    LogError
        The log cannot be read.
    """
    workload = gather(log)
    start = workload.start_time
    if start is None:
        raise JobStoreError(f"{path}: has no date of its start, so its jobs cannot be identified")
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
    """Write a store's jobs as a Batsim workload; return their number.

    Dates are shifted so that the first submission is at 0. A repeated id gets a suffix. Jobs that
    ran for 0 s are left out, because simulations do not accept them.

    Raises
    ------
    JobStoreError
        The store has no jobs.
    WorkloadError
        The file cannot be written.
    """
    jobs = sorted(
        (job for job in store.jobs() if job.run_time > 0.0 and job.processors > 0),
        key=lambda job: job.submit_time,
    )
    if not jobs:
        raise JobStoreError(f"{store.place}: has no jobs to write")
    start = jobs[0].submit_time
    names = JobNames()
    named = [structs.replace(later(job, -start), id=names.other(job.id)) for job in jobs]
    write_workload(Workload(jobs=named, start_time=start, guessed=True), path)
    return len(named)
