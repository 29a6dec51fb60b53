"""A measure of a run's jobs by week."""

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
    """A measure by week of submission, without the first and the last two weeks."""

    values: tuple[float | None, ...]
    """If the measure is a mean, the sum over the week's jobs, because the sums of all weeks give
    the mean of all jobs. For other measures, the value of the week's jobs; ``None`` without jobs.
    """
    jobs: tuple[int, ...]
    """Number of jobs in each week that have the quantity."""
    summed: bool
    """True if `values` are sums."""


def has_weeks(measure: str) -> bool:
    """Return True if a measure is computed from the jobs of one run, so that weeks have values."""
    definition = MEASURES[measure]
    return (
        definition.quantity is not None
        and definition.statistic is not None
        and not definition.needs_baseline
    )


def weekly(run: "JobResults", measure: str, *, tau: float = TAU) -> WeeklyMeasure:
    """Measure the jobs of each week.

    Weeks begin with the first submission. The first week is left out because the machine fills up.
    The last two weeks are left out because the machine drains: the last complete week ends less
    than a week before the last submission.

    Parameters
    ----------
    run
        The run to measure.
    measure
        A name in `pred_aware.metrics.MEASURES` for which `has_weeks` is true.
    tau
        In bounded slowdowns, shorter run times count as this time in seconds.
    """
    definition = MEASURES[measure]
    assert definition.quantity is not None
    assert definition.statistic is not None
    summed = definition.statistic == MEAN
    whole, jobs = run.column("submission_time", whole=True), OfJobs(run, tau=tau)
    if not len(whole):
        return WeeklyMeasure((), (), summed)
    first, last = float(whole.min()), float(whole.max())
    week = np.floor((jobs.column("submission_time") - first) / WEEK).astype(np.int64)
    known = jobs.values(definition.quantity)
    values: list[float | None] = []
    counts: list[int] = []
    for number in range(1, int((last - first) // WEEK) - 1):
        mine = np.flatnonzero(week == number)
        count = int(np.count_nonzero(~np.isnan(known[mine])))
        if summed:
            values.append(float(np.nansum(known[mine])))
        else:
            values.append(jobs.sample(definition.quantity, mine).statistic(definition.statistic))
        counts.append(count)
    return WeeklyMeasure(tuple(values), tuple(counts), summed)
