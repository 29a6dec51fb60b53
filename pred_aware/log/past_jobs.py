"""The jobs of a log with their submissions, starts and ends, for a replay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from predictors import Submission
from predictors.submission import PastJob
from workload_tools.job import Job

SUBMISSION, START, END = range(3)
"""Kinds of events of a job."""


@dataclass(frozen=True, slots=True)
class PastJobs:
    """Jobs that ran, in order of submission; the lists have an entry for each job."""

    submissions: list[Submission]
    """What is known of each job at its submission."""
    start_times: list[float]
    end_times: list[float]
    """Starts and ends, in seconds since the first submission."""
    run_times: list[float]
    """Run times in the log, in seconds; they may exceed the walltimes."""
    counted: list[bool]
    """False for warm-up jobs, which measures leave out."""
    soft_walltimes: list[float | None]
    """The soft walltimes that the batch system used for planning, in seconds; None if the log has
    none.
    """
    without_wait: int = 0
    """Number of jobs without a wait in the log; they count as started at submission."""

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.submissions)

    def events(self, *, starts: bool, lag: float = 0.0) -> list[tuple[int, int]]:
        """Return the events in order, as pairs of the kind and the job's index.

        At equal dates, ends come before submissions, and submissions before starts. Ends at equal
        dates are ordered by start and then by submission. The end of a job that ran for 0 s comes
        after its start.

        Parameters
        ----------
        starts
            True to include starts.
        lag
            Seconds from a job's end until the predictors learn the job.

        Examples
        --------
        >>> jobs = past_jobs(
        ...     [
        ...         Job(id="1", submit_time=0.0, wait_time=0.0, run_time=60.0, processors=1),
        ...         Job(id="2", submit_time=60.0, wait_time=-1.0, run_time=5.0, processors=1),
        ...     ]
        ... )
        >>> jobs.events(starts=False) == [(SUBMISSION, 0), (END, 0), (SUBMISSION, 1), (END, 1)]
        True
        """
        import numpy as np

        number = len(self)
        places = np.arange(number)
        submitted = np.array([job.submit_time for job in self.submissions], float)
        started = np.array(self.start_times, float)
        lasted = np.array(self.run_times, float)
        # (kind, dates, rank among events of the same date, second sort key for equal ranks)
        parts = [
            (END, np.array(self.end_times, float) + lag, np.where(lasted > 0.0, 0, 3), started),
            (SUBMISSION, submitted, np.full(number, 1), submitted),
        ]
        if starts:
            parts.append((START, started, np.full(number, 2), started))
        kinds = np.concatenate([np.full(number, kind) for kind, *_ in parts])
        dates, turns, earlier = (
            np.concatenate([part[column] for part in parts]) for column in (1, 2, 3)
        )
        jobs = np.tile(places, len(parts))
        order = np.lexsort((jobs, earlier, turns, dates))
        return list(zip(kinds[order].tolist(), jobs[order].tolist(), strict=True))


def past_job(job: Job) -> PastJob:
    """Convert a log's job to a past job, and compute the job's end.

    The end is submission + wait + run time, for any status, even if the run time exceeds the
    walltime. A job with an unknown or negative wait counts as started at its submission. Its
    computed end may then be too early.

    Examples
    --------
    >>> job = Job(id="1", submit_time=5.0, wait_time=20.0, run_time=60.0, processors=1, user="ann")
    >>> past_job(job).submission.user, past_job(job).end
    ('ann', 85.0)
    """
    submission = msgspec.convert(job, Submission, from_attributes=True)
    return PastJob(submission, job.run_time, _end_time(job))


def past_jobs(jobs: Sequence[Job]) -> PastJobs:
    """Convert jobs that are sorted by submission for a replay; see `past_job`."""
    return PastJobs(
        submissions=[past_job(job).submission for job in jobs],
        start_times=[_start_time(job) for job in jobs],
        end_times=[_end_time(job) for job in jobs],
        run_times=[job.run_time for job in jobs],
        counted=[not job.warm_up for job in jobs],
        soft_walltimes=[job.soft_walltime for job in jobs],
        without_wait=sum(job.wait_time is None for job in jobs),
    )


def _start_time(job: Job) -> float:
    return job.submit_time + max(0.0, job.wait_time or 0.0)


def _end_time(job: Job) -> float:
    return _start_time(job) + job.run_time


class LogHistory:
    """Reads the past jobs of a log for `predictors.history.load_history`."""

    def recognises(self, path: Path, *, format: str | None) -> bool:  # noqa: A002 - the usual name
        """Return True if `format` is a log's format, or, if not given, the file is such a log.

        Raises
        ------
        LogError
            The file cannot be read.
        """
        from workload_tools.formats import formats, recognised

        return bool(recognised(path)) if format is None else format in formats()

    def past_jobs(
        self,
        path: Path,
        *,
        format: str | None,  # noqa: A002 - the usual name
        options: Mapping[str, Any],
    ) -> list[PastJob]:
        """Return the log's jobs by submission, including jobs without a walltime.

        Raises
        ------
        InputError
            The log cannot be read or matches several formats, or its format has no such option.
        """
        from workload_tools.formats import open_log
        from workload_tools.log import gather

        log = open_log(path, format=format, options=options)
        return [past_job(job) for job in gather(log).jobs]
