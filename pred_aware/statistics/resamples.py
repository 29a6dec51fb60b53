"""Percentiles of a change over resamples of a log. Each resample represents another year."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pred_aware.statistics.intervals import LEVEL, Interval, Values, mean_interval

FEWEST = 2


@dataclass(frozen=True, slots=True)
class OtherYears(Interval):
    """The median of the changes over `shakes` resamples of a log, as a fraction of the baseline.

    The change in another resample is between `low` and `high` with probability `level`. This is the
    requested probability, or (n - 1) / (n + 1) if n resamples do not allow more.
    """

    less: int = 0
    """Number of resamples in which the measure is smaller than under the baseline."""
    more: int = 0


def other_years(baseline: Values, other: Values, *, level: float = LEVEL) -> OtherYears:
    """Return the percentiles over resamples of a measure's relative difference from the baseline.

    The ends are a prediction interval for another resample. Unlike a t interval of the mean, this
    interval does not shrink with the number of resamples, because a future year is a single year,
    not a mean of many years.

    Parameters
    ----------
    baseline, other
        The measure under baseline and policy in each resample, shape (resamples,), in the same
        order. If a value is missing, or a baseline's value is 0, the result has no value.
    level
        Share of resamples that should be between the ends.

    Raises
    ------
    ValueError
        The numbers of values differ.

    Notes
    -----
    The percentile p is at position p (n + 1) of the n sorted values, or at the outermost value.
    For any distribution, another draw from it is below the k-th value with
    probability k / (n + 1). 30 resamples allow 93.5 %, 39 allow 95 %.

    Examples
    --------
    >>> found = other_years([100.0] * 30, [70.0 + n for n in range(30)])
    >>> round(found.value, 3), round(found.low, 2), round(found.high, 2), round(found.level, 3)
    (-0.155, -0.3, -0.01, 0.935)
    """
    if len(baseline) != len(other):
        raise ValueError(
            f"{len(baseline)} resamples of the baseline, but {len(other)} of the policy"
        )
    changes = [
        new / old - 1.0
        for old, new in zip(baseline, other, strict=True)
        if old is not None and new is not None and old != 0.0
    ]
    count = len(baseline)
    if len(changes) < count or count < FEWEST or not np.isfinite(changes).all():
        return OtherYears(None, None, None, level, count)
    tail = (1.0 - level) / 2.0
    low, value, high = np.quantile(changes, [tail, 0.5, 1.0 - tail], method="weibull").tolist()
    return OtherYears(
        value,
        low,
        high,
        min(level, (count - 1) / (count + 1)),
        count,
        sum(change < 0.0 for change in changes),
        sum(change > 0.0 for change in changes),
    )


@dataclass(frozen=True, slots=True)
class OverLogs:
    """A geometric mean of ratios over logs, with two intervals for different questions."""

    mean: Interval
    """The mean, with the confidence interval of the geometric mean over all such logs."""
    one_more: Interval
    """The mean, with the prediction interval for the ratio on one more such log."""


def over_logs(ratios: Sequence[float], *, level: float = LEVEL) -> OverLogs:
    """Return the geometric mean of ratios over logs, with its interval and that of a new log.

    The two intervals are Student's t intervals of the logarithms of the ratios, as if the logs were
    a random sample of all such logs. They ignore the uncertainty of the ratio on each log.

    Parameters
    ----------
    ratios
        For each log, a policy's measure divided by the baseline's, all above 0; shape (logs,).
    level
        Level of the two intervals.

    Raises
    ------
    ValueError
        A ratio is 0 or less, so there is no geometric mean.

    Notes
    -----
    With the mean m and the standard deviation s of n logarithms, the ends are m -+ t s sqrt(1 / n),
    and for one more log m -+ t s sqrt(1 + 1 / n), with Student's t of n - 1 degrees of freedom (G.
    J. Hahn, W. Q. Meeker, "Statistical Intervals" (1991), sections 4.2 and 4.7).

    Examples
    --------
    >>> found = over_logs([0.4, 0.5, 0.8])
    >>> [round(end, 2) for end in (found.mean.value, found.mean.low, found.mean.high)]
    [0.54, 0.23, 1.31]
    >>> round(found.one_more.low, 2), round(found.one_more.high, 2)
    (0.09, 3.15)
    """
    if any(ratio <= 0.0 for ratio in ratios):
        raise ValueError(f"ratios have no geometric mean, because one is {min(ratios)}")
    of_logarithms = mean_interval([math.log(ratio) for ratio in ratios], level=level)
    half = of_logarithms.half_width
    further = None if half is None else half * math.sqrt(len(ratios) + 1.0)
    return OverLogs(_ratio(of_logarithms, half), _ratio(of_logarithms, further))


def _ratio(of_logarithms: Interval, half: float | None) -> Interval:
    """Convert a mean of logarithms and the ends of its interval (mean ± `half`) to ratios."""
    middle = of_logarithms.value
    if middle is None:
        return of_logarithms
    if half is None:
        return replace(of_logarithms, value=math.exp(middle))
    low, high = math.exp(middle - half), math.exp(middle + half)
    return replace(of_logarithms, value=math.exp(middle), low=low, high=high)
