"""A measure of the jobs of each week of a run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.figures import TAU
from pred_aware.metrics.of_jobs import OfJobs
from pred_aware.metrics.table import MEASURES

if TYPE_CHECKING:
    from pred_aware.metrics.job_results import JobResults

WEEK = 7 * 86400.0
MEAN = "mean"


@dataclass(frozen=True, slots=True)
class WeeklyMeasure:
    """A measure by weeks of submission, without the first and the last two."""

    values: tuple[float | None, ...]
    """Of a mean the sum over the week's jobs, so that all weeks together have the mean of all of
    their jobs; of other measures that of the week's jobs alone, ``None`` where there are none."""
    jobs: tuple[int, ...]
    """How many jobs of each week have it."""
    summed: bool
    """Whether the values are sums."""


def has_weeks(measure: str) -> bool:
    """Say whether a measure is made of one run's jobs, so that each week has it."""
    told = MEASURES[measure]
    return told.quantity is not None and told.statistic is not None and not told.needs_baseline


def weekly(run: "JobResults", measure: str, *, tau: float = TAU) -> WeeklyMeasure:
    """Measure the jobs of each week.

    Weeks are counted from the first submission. Left out are the first, the one that the log ends
    in, and the one before it, which always ends less than a week before the last submission: then
    the machine fills, and drains.

    Parameters
    ----------
    run
        The run.
    measure
        Of `pred_aware.metrics.MEASURES`, one of which `has_weeks` is true.
    tau
        Run times below this many seconds count as this in bounded slowdowns.
    """
    told = MEASURES[measure]
    assert told.quantity is not None
    assert told.statistic is not None
    summed = told.statistic == MEAN
    whole, jobs = run.column("submission_time", whole=True), OfJobs(run, tau=tau)
    if not len(whole):
        return WeeklyMeasure((), (), summed)
    first, last = float(whole.min()), float(whole.max())
    week = np.floor((jobs.column("submission_time") - first) / WEEK).astype(np.int64)
    known = jobs.values(told.quantity)
    values: list[float | None] = []
    counts: list[int] = []
    for number in range(1, int((last - first) // WEEK) - 1):
        mine = np.flatnonzero(week == number)
        count = int(np.count_nonzero(~np.isnan(known[mine])))
        if summed:
            values.append(float(np.nansum(known[mine])))
        else:
            values.append(jobs.sample(told.quantity, mine).statistic(told.statistic))
        counts.append(count)
    return WeeklyMeasure(tuple(values), tuple(counts), summed)
