"""The jobs of a log as a replay needs them: what was known of each, and when it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from predictors import Submission
from workload_tools.job import Job

SUBMISSION, START, END = range(3)
"""What happens to a job."""


@dataclass(frozen=True, slots=True)
class PastJobs:
    """Jobs that ran, by submission; the lists have an entry for each job.

    Parameters
    ----------
    submissions
        What was known when a job was submitted.
    start_times, end_times
        Dates in seconds since the first submission.
    run_times
        In seconds, as the log has them, also beyond the walltime.
    counted
        Whether the job counts in measures: one that is there only to fill the machine does not.
    without_wait
        How many jobs the log tells no wait of; they count as started when they were submitted.
    """

    submissions: list[Submission]
    start_times: list[float]
    end_times: list[float]
    run_times: list[float]
    counted: list[bool]
    without_wait: int = 0

    def __len__(self) -> int:
        """How many jobs there are."""
        return len(self.submissions)

    def events(self, *, starts: bool) -> list[tuple[int, int]]:
        """Return what happens, in order, as pairs of what it is and the job's place.

        The ends of a second come before its submissions, these before its starts; ends by start
        and then by submission. Only a job that ran for 0 s ends after it has started, at that date.

        Parameters
        ----------
        starts
            Whether starts are wanted.

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
        # (what, its dates, its turn among what has the same date, whom it then is ordered by)
        parts = [
            (END, np.array(self.end_times, float), np.where(lasted > 0.0, 0, 3), started),
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


def past_jobs(jobs: Sequence[Job]) -> PastJobs:
    """Make what a replay needs of a workload's jobs, which come by submission.

    A job ends at its submission + max(0, wait) + run time, whatever its status.
    """
    starts = [job.submit_time + max(0.0, job.wait_time or 0.0) for job in jobs]
    return PastJobs(
        submissions=[msgspec.convert(job, Submission, from_attributes=True) for job in jobs],
        start_times=starts,
        end_times=[start + job.run_time for start, job in zip(starts, jobs, strict=True)],
        run_times=[job.run_time for job in jobs],
        counted=[not job.warm_up for job in jobs],
        without_wait=sum(job.wait_time is None for job in jobs),
    )
