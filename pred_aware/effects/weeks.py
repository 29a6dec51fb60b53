"""Effects over the weeks of one run each: changes with intervals, without another simulation."""

from collections.abc import Sequence
from typing import Unpack

from pred_aware.effects.effect import WEEKS, Effect, Of
from pred_aware.metrics.weekly import WeeklyMeasure
from pred_aware.statistics import Interval, by_weeks


def over_weeks(baseline: WeeklyMeasure, other: WeeklyMeasure, **of: Unpack[Of]) -> Effect:
    """Return what changes over the weeks in which two runs of the same jobs have a measure.

    Parameters
    ----------
    baseline, other
        The weeks of the baseline and of the policy.
    of
        What it is an effect of.
    """
    old, new, jobs = [], [], 0
    for before, after, count in zip(baseline.values, other.values, baseline.jobs, strict=False):
        if before is not None and after is not None:
            old.append(before)
            new.append(after)
            jobs += count
    means = _mean(old, baseline, jobs), _mean(new, other, jobs)
    return Effect(kind=WEEKS, baseline=means[0], value=means[1], change=by_weeks(old, new), **of)


def _mean(values: Sequence[float], of: WeeklyMeasure, jobs: int) -> Interval:
    number = jobs if of.summed else len(values)
    return Interval.alone(sum(values) / number if number else None)
