"""Means of measures over perturbed copies, and paired differences, with t intervals."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


Values = Sequence[float | None]
"""A measure in each perturbed copy; ``None`` if a run has no value."""

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over perturbed copies, with its confidence interval."""

    value: float | None
    """The mean; ``None`` if it is unknown."""
    low: float | None
    """The lower end. With fewer than two perturbed copies, `low` and `high` are ``None``."""
    high: float | None
    level: float
    """Confidence level: the share of experiments in which the interval contains the true mean."""
    shakes: int

    @classmethod
    def alone(cls, value: float | None) -> "Interval":
        """Return a value without an interval."""
        return cls(value, None, None, LEVEL, 1)

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width; ``None`` without an interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0

    @property
    def significant(self) -> bool | None:
        """True if the interval excludes 0, for a difference; ``None`` without an interval."""
        if self.low is None or self.high is None:
            return None
        return self.low > 0.0 or self.high < 0.0


@dataclass(frozen=True, slots=True)
class Difference(Interval):
    """The change under a policy, as a fraction of the baseline's mean (-0.25: a quarter less)."""

    p_value: float | None = None
    """Probability of a difference at least this large if the policies were equal; ``None`` with
    fewer than two perturbed copies.
    """
    absolute: float | None = None
    """Mean of the differences, in the measure's unit."""

    def known_to(self, precision: float) -> bool:
        """Return True if half of the interval's width is at most `precision`, a fraction."""
        return self.half_width is not None and self.half_width <= precision


def mean_interval(values: Values, *, level: float = LEVEL, overlap: float = 0.0) -> Interval:
    """Return the mean of a measure over perturbed copies, with its t interval.

    If any value is `None`, there is no mean.

    Parameters
    ----------
    values
        The measure in each perturbed copy, or each random split.
    level
        Confidence level.
    overlap
        For random splits of the same jobs: the tested share divided by the learned share (0.25 if a
        fifth is tested). It widens the interval, because such splits are not independent.

    Notes
    -----
    The corrected resampled t interval: C. Nadeau and Y. Bengio, "Inference for the Generalization
    Error", Machine Learning 52 (2003), with a variance factor of 1 / n + overlap instead of 1 / n.

    Examples
    --------
    >>> round(mean_interval([9.0, 10.0, 11.0]).low, 4)
    7.5159
    >>> mean_interval([9.0])
    Interval(value=9.0, low=None, high=None, level=0.95, shakes=1)
    """
    known = _known(values)
    if known is None:
        return Interval(None, None, None, level, len(values))
    mean = float(known.mean())
    if known.size == 1:
        return Interval(mean, None, None, level, 1)
    spread = float(known.std(ddof=1))
    half = _t(level, known.size) * spread / math.sqrt(_independent(known.size, overlap))
    return Interval(mean, mean - half, mean + half, level, known.size)


def paired_difference(
    baseline: Values, other: Values, *, level: float = LEVEL, overlap: float = 0.0
) -> Difference:
    """Return the relative difference of a measure from the baseline's mean, over paired copies.

    The value is the mean of the paired differences divided by the baseline's mean. It equals the
    ratio of the two means minus 1. Both means are uncertain, so the interval is the interval of a
    ratio of means: from the t distribution, with the standard error of the residuals of the pairs
    after scaling by the ratio.

    Parameters
    ----------
    baseline, other
        The measure under baseline and policy in each perturbed copy, shape (shakes,), in the same
        order. If a value is missing, or the baseline's mean is 0, the difference has no value.
    level, overlap
        As in `mean_interval`.

    Raises
    ------
    ValueError
        The numbers of values differ.

    Notes
    -----
    W. G. Cochran, "Sampling Techniques" (1977), section 6.4: the standard error of a ratio.

    Examples
    --------
    >>> found = paired_difference([100.0, 110.0, 90.0], [80.0, 90.0, 71.0])
    >>> round(found.value, 4), round(found.low, 3), round(found.high, 3), found.significant
    (-0.1967, -0.234, -0.16, True)
    """
    if len(baseline) != len(other):
        raise ValueError(f"{len(baseline)} copies of the baseline but {len(other)} of the policy")
    nothing = Difference(None, None, None, level, len(baseline))
    old, new = _known(baseline), _known(other)
    if old is None or new is None:
        return nothing
    absolute = float((new - old).mean())
    mean = float(old.mean())
    if mean == 0.0:
        return Difference(None, None, None, level, old.size, absolute=absolute)
    value = absolute / mean
    if old.size == 1:
        return Difference(value, None, None, level, 1, absolute=absolute)
    rest = new - (1.0 + value) * old
    # rounding errors of equal values are not random differences
    rest[np.abs(rest) <= _ROUNDING * np.abs(new)] = 0.0
    spread = math.sqrt(float((rest**2).sum()) / (old.size - 1))
    error = spread / math.sqrt(_independent(old.size, overlap)) / abs(mean)
    half = _t(level, old.size) * error
    return Difference(
        value,
        value - half,
        value + half,
        level,
        old.size,
        _p_value(value, error, old.size),
        absolute,
    )


_ROUNDING = 1e-12


def _known(values: Values) -> "NDArray[np.float64] | None":
    if not values or any(value is None for value in values):
        return None
    found = np.asarray(values, float)
    return found if np.isfinite(found).all() else None


def _independent(splits: int, overlap: float) -> float:
    """Return the number of independent samples equivalent to these overlapping splits."""
    return splits / (1.0 + splits * overlap)


def _t(level: float, shakes: int) -> float:
    """Return the half-width of a two-sided t interval, in standard errors."""
    # scipy.stats calls the same function, but importing it takes a second
    from scipy.special import stdtrit

    return float(stdtrit(shakes - 1, (1.0 + level) / 2.0))


def _p_value(value: float, error: float, shakes: int) -> float:
    from scipy.special import stdtr

    if value == 0.0:
        return 1.0
    if error == 0.0:
        return 0.0
    return float(2.0 * stdtr(shakes - 1, -abs(value) / error))


LEAST = 10
"""Minimum number of perturbed copies; fewer copies do not show the variation well enough."""

ROUND = 5
"""Number of copies that are added before the next check."""


def shakes_wanted(
    differences: Iterable[Difference], *, precision: float, most: int, least: int = LEAST
) -> int:
    """Return the number of perturbed copies to make before the next check of the differences.

    The current number is sufficient if it is `most`, or if each difference is known to the
    precision or has no value. More copies cannot give a missing value.

    Parameters
    ----------
    differences
        The differences, over the same perturbed copies; empty before the first simulation.
    precision
        Largest half-width of each interval: 0.01 is 1 % of the baseline's mean.
    most, least
        Largest and smallest number of perturbed copies.

    Examples
    --------
    >>> from pred_aware.statistics import paired_difference
    >>> shakes_wanted([], precision=0.01, most=40)
    10
    >>> found = paired_difference([100.0, 104.0] * 5, [90.0, 97.0] * 5)
    >>> shakes_wanted([found], precision=0.01, most=40)
    15
    >>> shakes_wanted([found], precision=0.02, most=40)
    10
    """
    known = [*differences]
    there = max((one.shakes for one in known), default=0)
    if there < least:
        return min(least, most)
    if there >= most or all(one.value is None or one.known_to(precision) for one in known):
        return there
    return min(there + ROUND, most)
