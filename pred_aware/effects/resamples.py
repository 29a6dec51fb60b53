"""Effects over resamples: whether another year would agree."""

from statistics import median
from typing import Unpack

from pred_aware.effects.effect import RESAMPLES, Effect, Of
from pred_aware.statistics import Interval, other_years
from pred_aware.statistics.intervals import Values


def over_resamples(baseline: Values, other: Values, **of: Unpack[Of]) -> Effect:
    """Return what changes in resamples.

    Parameters
    ----------
    baseline, other
        The measure under the baseline and the policy in the same resamples, in their order.
    of
        What it is an effect of.
    """
    change = other_years(baseline, other)
    return Effect(
        kind=RESAMPLES, baseline=_median(baseline), value=_median(other), change=change, **of
    )


def _median(values: Values) -> Interval:
    known = [value for value in values if value is not None]
    middle = median(known) if known and len(known) == len(values) else None
    return Interval.alone(middle)
