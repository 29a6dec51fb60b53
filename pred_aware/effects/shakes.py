"""Effects over shakes: means, and changes with the interval that more shakes would close."""

import math
from typing import Unpack

from pred_aware.effects.effect import AGAINST, Effect, Of
from pred_aware.statistics import Interval, mean_interval, paired_difference
from pred_aware.statistics.intervals import Values


def over_shakes(baseline: Values, other: Values, **of: Unpack[Of]) -> Effect:
    """Return what changes over shakes.

    Parameters
    ----------
    baseline, other
        The measure under the baseline and the policy in the same shakes, in their order.
    of
        What it is an effect of.
    """
    old, new = _known(baseline), _known(other)
    return Effect(
        baseline=mean_interval(old),
        value=mean_interval(new),
        change=paired_difference(old, new),
        **of,
    )


def shares_over_shakes(baseline: Values, other: Values, **of: Unpack[Of]) -> Effect:
    """Return what changes over shakes in shares of the jobs: in points of them, each alone."""
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


def against_another(values: Values, **of: Unpack[Of]) -> Effect:
    """Return the mean over shakes of what is measured of a run against another one."""
    mean = mean_interval(values)
    return Effect(kind=AGAINST, baseline=Interval.alone(None), value=mean, change=mean, **of)


def _known(values: Values) -> list[float | None]:
    return [None if value is None or math.isnan(value) else value for value in values]
