"""Geometric means of ratios over logs, and intervals for one more log."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pred_aware.statistics.intervals import LEVEL, Interval, mean_interval


@dataclass(frozen=True, slots=True)
class OverLogs:
    """A geometric mean of ratios over logs, with two intervals for different questions."""

    mean: Interval
    """With the confidence interval of the geometric mean over all such logs."""
    one_more: Interval
    """With the prediction interval for the ratio on one more such log."""


def over_logs(ratios: Sequence[float], *, level: float = LEVEL) -> OverLogs:
    """Return the geometric mean of ratios over logs, with its interval and that for a new log.

    Both are Student's t intervals of the logarithms of the ratios, as if the logs were a random
    sample of all such logs. They do not include the uncertainty of the ratio on each log.

    Parameters
    ----------
    ratios
        A policy's figure divided by the baseline's, one for each log, all above 0; shape (logs,).
    level
        Level of both intervals.

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
    """Return a mean of logarithms and the ends at this half-width as ratios."""
    middle = of_logarithms.value
    if middle is None:
        return of_logarithms
    if half is None:
        return replace(of_logarithms, value=math.exp(middle))
    low, high = math.exp(middle - half), math.exp(middle + half)
    return replace(of_logarithms, value=math.exp(middle), low=low, high=high)
