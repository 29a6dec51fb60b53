"""A change over the weeks of one pair of runs, by a studentised circular block bootstrap."""

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
"""Fewer weeks tell too little of how much they differ."""

DRAWS = 4000
_SEED = 1
_ROUNDING = 1e-12
"""What is left of equal shares."""


@dataclass(frozen=True, slots=True)
class ByWeeks(Interval):
    """By what share of the base's sum a figure differs over the weeks of one pair of runs.

    Parameters
    ----------
    value
        -0.25 is a quarter less.
    low, high
        The ends; ``None`` with fewer than 8 weeks.
    level
        What the interval is to cover; with few weeks it covers less.
    shakes
        How many weeks there are.
    block
        How many weeks that follow each other are drawn together.
    """

    block: int = 1


def by_weeks(
    base: Sequence[float], other: Sequence[float], *, level: float = LEVEL, draws: int = DRAWS
) -> ByWeeks:
    r"""Return by what share of the base's sum a figure differs over weeks, with its interval.

    Parameters
    ----------
    base, other
        The figure under both in each week, in their order: such as the sum of all waits of the jobs
        of that week. Shape (weeks,).
    level
        Of the interval.
    draws
        How many times weeks are drawn.

    Returns
    -------
    ByWeeks
        Without any value where the base's sum is 0. The same arguments give the same.

    Raises
    ------
    ValueError
        There are not as many of both.

    Notes
    -----
    The change is a ratio of sums less 1, :math:`\hat\theta = \sum b_w / \sum a_w - 1`. Weeks are
    drawn in blocks of :math:`n^{1/3}` that follow each other, the last one by the first (circular
    block bootstrap: D. N. Politis and J. P. Romano, "A circular block-resampling procedure for
    stationary data", 1992), so that a crowded month stays one. Each draw
    gives a :math:`t^* = (\theta^* - \hat\theta) / s^*` with a standard error of its own, from its
    blocks, and their percentiles take the place of Student's (F. Götze and H. R. Künsch,
    "Second-order correctness of the blockwise bootstrap for stationary observations", Annals of
    Statistics 24, 1996). ``benchmarks/coverage_by_weeks.py`` measures how often the interval holds
    what it should.

    Examples
    --------
    >>> base = [100.0, 140.0, 90.0, 200.0, 120.0, 110.0, 95.0, 130.0, 170.0, 105.0]
    >>> found = by_weeks(base, [80.0, 128.0, 70.0, 130.0, 90.0, 95.0, 70.0, 125.0, 140.0, 82.0])
    >>> round(found.value, 3), round(found.low, 2), round(found.high, 2), found.shakes, found.block
    (-0.198, -0.36, -0.12, 10, 2)
    """
    if len(base) != len(other):
        raise ValueError(f"{len(base)} weeks of the base and {len(other)} of the other")
    old, new = np.asarray(base, float), np.asarray(other, float)
    weeks = len(old)
    block = block_of(weeks)
    total = float(old.sum())
    if total <= 0.0 or not (np.isfinite(old).all() and np.isfinite(new).all()):
        return ByWeeks(None, None, None, level, weeks, block)
    value = float(new.sum()) / total - 1.0
    if weeks < FEWEST:
        return ByWeeks(value, None, None, level, weeks, block)
    error = _error(_sums(new - (1.0 + value) * old, block), weeks / block) / total
    drawn = np.random.Generator(np.random.PCG64(_SEED)).integers(
        weeks, size=(draws, -(-weeks // block))
    )
    scale = _student(_sums(old, block)[drawn], _sums(new, block)[drawn], value)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(scale, [tail, 1.0 - tail]).tolist()
    return ByWeeks(value, value - high * error, value - low * error, level, weeks, block)


def block_of(weeks: int) -> int:
    """Return how many weeks that follow each other are drawn together.

    Examples
    --------
    >>> [block_of(weeks) for weeks in (8, 26, 52, 180)]
    [2, 3, 4, 6]
    """
    return max(1, round(math.cbrt(weeks)))


def _sums(values: "Floats", block: int) -> "Floats":
    """Return the sum of each block of weeks, round the ring; shape (weeks,)."""
    round_the_ring = np.concatenate([values, values[: block - 1]])
    return np.convolve(round_the_ring, np.ones(block), mode="valid")


def _error(rests: "Floats", blocks: float) -> float:
    """Return the standard error of the sum of all weeks, from all blocks on the ring."""
    return float(np.sqrt(blocks * (rests**2).mean() * blocks / (blocks - 1.0)))


def _student(old: "Floats", new: "Floats", value: float) -> "Floats":
    """Return how many standard errors of its own each draw is off; both are (draws, blocks)."""
    kept = old.sum(axis=1) > 0.0
    old, new = old[kept], new[kept]
    total, blocks = old.sum(axis=1), old.shape[1]
    found = new.sum(axis=1) / total - 1.0
    rests = new - (1.0 + found)[:, None] * old
    errors = np.sqrt((rests**2).sum(axis=1) * blocks / (blocks - 1.0)) / total
    # draws of one and the same block have no error of their own, and say nothing
    some = errors > _ROUNDING
    return np.asarray((found - value)[some] / errors[some]) if some.any() else np.zeros(1)
