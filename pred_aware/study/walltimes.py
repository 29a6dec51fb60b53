"""The treatment of jobs without a walltime where no option says it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pred_aware.report.durations import DAY
from workload_tools.job import Job
from workload_tools.missing_walltime import MOST


@dataclass(frozen=True, slots=True)
class Walltimes:
    """How many jobs had none, and what they got."""

    jobs: int
    """Of the log, with a walltime or without."""
    missing: int
    """How many of them had none."""
    given: float | None
    """What these got, in seconds; ``None`` where they are left out."""

    @property
    def most_missing(self) -> bool:
        """Whether so many had none that EASY's plan is not what users asked for."""
        return self.missing > MOST * self.jobs


def decided(jobs: Sequence[Job], missing_walltime: str | float | None) -> Walltimes:
    """Say what becomes of the jobs without a walltime.

    Where they are few they are left out. Where they are most of the log, all of them get the same:
    the longest that anybody ran or asked for, in whole days. A scheduler learns nothing of any job
    from that, and no job is killed by it.

    Parameters
    ----------
    jobs
        All of the log's.
    missing_walltime
        ``drop`` or seconds, where somebody has decided.
    """
    missing = sum(job.walltime is None for job in jobs)
    if isinstance(missing_walltime, int | float):
        given: float | None = float(missing_walltime)
    elif missing_walltime == "drop" or missing <= MOST * len(jobs):
        given = None
    else:
        longest = max(max(job.run_time, job.walltime or 0.0) for job in jobs)
        given = DAY * max(1, math.ceil(longest / DAY))
    return Walltimes(len(jobs), missing, given)
