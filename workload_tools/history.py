"""The past jobs of a log or a workload, for predictors to learn from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workload_tools.batsim.writer import read_workload
from workload_tools.job import Job
from workload_tools.swf.log import read_swf

# What is known of a job when it is submitted; all that a predictor may see before it ends.
_SUBMISSION_FIELDS = (
    "id",
    "submit_time",
    "processors",
    "walltime",
    "user",
    "group",
    "project",
    "queue",
    "partition",
    "executable",
    "name",
    "nodes",
    "gpus",
    "memory",
    "qos",
)


def from_swf(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the jobs of a log in the Standard Workload Format in the order in which they ended.

    Parameters
    ----------
    path
        The log, plain or gzip.

    Yields
    ------
    dict
        `fields`, what was known at submission under the names of a predictor's submission;
        `run_time`, in seconds, at most the walltime; `end_time`, in seconds since the first
        submission, or None if the log has no waiting times.

    Raises
    ------
    LogError
        The log can't be read.
    """
    return past_jobs(read_swf(path)[0].jobs)


def from_batsim(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the jobs of a Batsim workload in the order in which they ended; see :func:`from_swf`.

    A workload that another tool made has no waiting times: its jobs come by submission.

    Raises
    ------
    WorkloadError
        The workload can't be read.
    """
    return past_jobs(read_workload(path).jobs)


def past_jobs(jobs: list[Job]) -> Iterator[dict[str, Any]]:
    """Yield jobs as :func:`from_swf` does.

    Examples
    --------
    >>> first = Job(id="1", submit_time=0.0, processors=4, run_time=90.0, walltime=60.0, user="ann")
    >>> record = next(past_jobs([first]))
    >>> record["fields"]["user"], record["run_time"], record["end_time"]
    ('ann', 60.0, None)
    """
    # A job of which the end is not known stands where it was submitted.
    dated = [(job.submit_time if (end := _end_time(job)) is None else end, job) for job in jobs]
    dated.sort(key=lambda date_and_job: date_and_job[0])
    for _, job in dated:
        yield {
            "fields": {name: getattr(job, name) for name in _SUBMISSION_FIELDS},
            "run_time": job.run_time if job.walltime is None else min(job.run_time, job.walltime),
            "end_time": _end_time(job),
        }


def _end_time(job: Job) -> float | None:
    return None if job.wait_time is None else job.submit_time + job.wait_time + job.run_time
