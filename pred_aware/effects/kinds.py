"""Compute effects: over perturbed copies, resamples and weeks, and against another run."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Unpack

from pred_aware.effects.effect import AGAINST, RESAMPLES, WEEKS, Effect, EffectLabels
from pred_aware.metrics.table import MEASURES
from pred_aware.metrics.weekly import WeeklyMeasure
from pred_aware.statistics import (
    LEAST,
    Interval,
    by_weeks,
    mean_interval,
    other_years,
    paired_difference,
)
from pred_aware.statistics.intervals import Values


def over_resamples(baseline: Values, other: Values, **of: Unpack[EffectLabels]) -> Effect:
    """Return the effect over resamples.

    Parameters
    ----------
    baseline, other
        The measure under baseline and policy in the same resamples, in order.
    of
        Log, policy and measure of the effect.
    """
    change = other_years(baseline, other)
    return Effect(
        kind=RESAMPLES, baseline=_median(baseline), value=_median(other), change=change, **of
    )


def _median(values: Values) -> Interval:
    known = [value for value in values if value is not None]
    middle = median(known) if known and len(known) == len(values) else None
    return Interval.alone(middle)


def over_weeks(baseline: WeeklyMeasure, other: WeeklyMeasure, **of: Unpack[EffectLabels]) -> Effect:
    """Return the effect over the weeks in which two runs of the same jobs have a value.

    Parameters
    ----------
    baseline, other
        The measure by week, under baseline and policy.
    of
        Log, policy and measure of the effect.
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


def over_shakes(baseline: Values, other: Values, **of: Unpack[EffectLabels]) -> Effect:
    """Return the effect over perturbed copies. A maximum over few copies gets no interval.

    Parameters
    ----------
    baseline, other
        The measure under baseline and policy in the same perturbed copies, in order.
    of
        Log, policy and measure of the effect.
    """
    old, new = _known(baseline), _known(other)
    means, change = (mean_interval(old), mean_interval(new)), paired_difference(old, new)
    if too_few_shakes(of.get("measure", ""), len(old)):
        means = replace(means[0], low=None, high=None), replace(means[1], low=None, high=None)
        change = replace(change, low=None, high=None, p_value=None)
    return Effect(baseline=means[0], value=means[1], change=change, **of)


def too_few_shakes(measure: str, shakes: int) -> bool:
    """Return True if the interval of a measure over so few copies would have too low a coverage.

    This is true for the maximum of a run, which depends on one job: over 3 to 5 copies, the
    interval's coverage is 45 to 97 % instead of 95 %. For a mean the coverage is 93 to 96 %
    (docs/explanation/intervals.md).

    Examples
    --------
    >>> too_few_shakes("max_waiting_time", 5), too_few_shakes("mean_waiting_time", 5)
    (True, False)
    """
    known = MEASURES.get(measure)
    return known is not None and known.statistic == "max" and shakes < LEAST


def shares_over_shakes(baseline: Values, other: Values, **of: Unpack[EffectLabels]) -> Effect:
    """Return the effect on a share of jobs over perturbed copies, in percentage points."""
    points = [
        None if old is None or new is None else new - old
        for old, new in zip(baseline, other, strict=True)
    ]
    return Effect(
        baseline=mean_interval(baseline),
        value=mean_interval(other),
        change=mean_interval(points),
        **of,
    )


def against_another(values: Values, **of: Unpack[EffectLabels]) -> Effect:
    """Return the mean over perturbed copies of a measure that compares two runs."""
    mean = mean_interval(values)
    return Effect(kind=AGAINST, baseline=Interval.alone(None), value=mean, change=mean, **of)


def _known(values: Values) -> list[float | None]:
    return [None if value is None or math.isnan(value) else value for value in values]
