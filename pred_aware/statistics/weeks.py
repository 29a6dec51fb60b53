"""The change between two runs over their weeks, with a studentised circular block bootstrap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST = 8
"""Minimum number of weeks for an interval; fewer weeks do not show the variation well enough."""

_FARTHEST = math.log(1000.0)
"""If an end of the interval is farther from the ratio than this factor, there is no interval."""

DRAWS = 4000
_SEED = 1
_ROUNDING = 1e-12
"""Standard errors below this value are rounding errors."""


@dataclass(frozen=True, slots=True)
class ByWeeks(Interval):
    """The change of a sum over the weeks of two runs, as a fraction of the baseline's sum.

    `shakes` is the number of weeks. There is no interval with fewer than 8 weeks, or if the weeks
    determine the ratio only to a factor above 1000. With few weeks, the coverage is below `level`.
    """

    block: int = 1
    """Number of successive weeks that are drawn together."""


def by_weeks(
    baseline: Sequence[float], other: Sequence[float], *, level: float = LEVEL, draws: int = DRAWS
) -> ByWeeks:
    r"""Return the relative difference of a measure's sum over weeks, with its interval.

    The result is deterministic. If the baseline's sum is 0, there is no value.

    Parameters
    ----------
    baseline, other
        The measure under baseline and policy in each week, such as the sum of the waits of the
        week's jobs; in the order of weeks, none below 0; shape (weeks,).
    level
        Level of the interval.
    draws
        Number of bootstrap samples.

    Raises
    ------
    ValueError
        The numbers of weeks differ.

    Notes
    -----
    The change is a ratio of sums minus 1. Its interval is computed from the ratio's logarithm,
    :math:`\hat\theta = \log(\sum b_w / \sum a_w)`, where :math:`a_w` and :math:`b_w` are the
    sums of week w under baseline and policy. So no end is below -100 %, and exchanging the two
    runs only changes the sign (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap",
    1993, section 12.6, recommend for the bootstrap-t a scale on which the error depends little on
    the value). Samples consist of blocks of :math:`n^{1/3}` successive weeks, in a circle (circular
    block bootstrap: D. N. Politis and J. P. Romano, "A circular block-resampling procedure for
    stationary data", 1992), so that busy months stay together. Each sample gives a
    :math:`t^* = (\theta^* - \hat\theta) / s^*`, where :math:`s^*` is the standard error of the
    logarithm from the sample's blocks, by the delta method. The percentiles of :math:`t^*` replace
    Student's t (F. Götze and H. R. Künsch, "Second-order correctness of the blockwise bootstrap for
    stationary observations", Annals of Statistics 24, 1996).

    Examples
    --------
    >>> baseline = [100.0, 140.0, 90.0, 200.0, 120.0, 110.0, 95.0, 130.0, 170.0, 105.0]
    >>> found = by_weeks(baseline, [80.0, 128.0, 70.0, 130.0, 90.0, 95.0, 70.0, 125.0, 140.0, 82.0])
    >>> round(found.value, 3), round(found.low, 2), round(found.high, 2), found.shakes, found.block
    (-0.198, -0.35, -0.12, 10, 2)
    """
    if len(baseline) != len(other):
        raise ValueError(f"{len(baseline)} weeks of the baseline but {len(other)} of the policy")
    old, new = np.asarray(baseline, float), np.asarray(other, float)
    weeks = len(old)
    block = block_of(weeks)
    total = float(old.sum())
    if total <= 0.0 or not (np.isfinite(old).all() and np.isfinite(new).all()):
        return ByWeeks(None, None, None, level, weeks, block)
    ratio = float(new.sum()) / total
    if weeks < FEWEST:
        return ByWeeks(ratio - 1.0, None, None, level, weeks, block)
    if ratio <= 0.0:
        # the measure is 0 in all weeks, so it is 0 in all samples
        return ByWeeks(-1.0, -1.0, -1.0, level, weeks, block)
    rests = _sums(new / (ratio * total) - old / total, block)
    error = _error(rests, weeks / block)
    drawn = np.random.Generator(np.random.PCG64(_SEED)).integers(
        weeks, size=(draws, -(-weeks // block))
    )
    scale = _student(_sums(old, block)[drawn], _sums(new, block)[drawn], math.log(ratio))
    tail = (1.0 - level) / 2.0
    below, above = (-error * np.quantile(scale, [1.0 - tail, tail])).tolist()
    if max(-below, above) > _FARTHEST:
        return ByWeeks(ratio - 1.0, None, None, level, weeks, block)
    ends = ratio * math.exp(below) - 1.0, ratio * math.exp(above) - 1.0
    return ByWeeks(ratio - 1.0, *ends, level, weeks, block)


def block_of(weeks: int) -> int:
    """Return the number of successive weeks that are drawn together.

    Examples
    --------
    >>> [block_of(weeks) for weeks in (8, 26, 52, 180)]
    [2, 3, 4, 6]
    """
    return max(1, round(math.cbrt(weeks)))


def _sums(values: "Floats", block: int) -> "Floats":
    """Return the sum of each block of weeks, in a circle; shape (weeks,)."""
    round_the_ring = np.concatenate([values, values[: block - 1]])
    return np.convolve(round_the_ring, np.ones(block), mode="valid")


def _error(rests: "Floats", blocks: float) -> float:
    """Return the standard error of the sum over all weeks, from all blocks in the circle."""
    return float(np.sqrt(blocks * (rests**2).mean() * blocks / (blocks - 1.0)))


def _student(old: "Floats", new: "Floats", value: float) -> "Floats":
    """Return each sample's deviation in standard errors; `old` and `new` are (draws, blocks)."""
    # a sample whose weeks have no waits has no ratio
    kept = (old.sum(axis=1) > 0.0) & (new.sum(axis=1) > 0.0)
    old, new = old[kept], new[kept]
    totals, blocks = (old.sum(axis=1), new.sum(axis=1)), old.shape[1]
    rests = new / totals[1][:, None] - old / totals[0][:, None]
    errors = np.sqrt((rests**2).sum(axis=1) * blocks / (blocks - 1.0))
    # samples of a single repeated block have no standard error
    some = errors > _ROUNDING
    off = np.log(totals[1] / totals[0]) - value
    return np.asarray(off[some] / errors[some]) if some.any() else np.zeros(1)
