"""Shares and means of a log's jobs with the interval that its weeks give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEWEST = 8
"""Below so many weeks with jobs no interval is given."""
_BLOCK = 2
_DRAWS = 2000
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Weekly:
    """Sums by week of submission.

    Parameters
    ----------
    sums, counts
        Of each week with jobs, in order: what is added up, and over how many jobs.
    """

    sums: tuple[float, ...]
    counts: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over all jobs."""
        return sum(self.sums) / sum(self.counts)


def interval(one: Weekly, other: Weekly | None = None) -> tuple[float | None, float | None]:
    """Return the 95 % interval of a mean, or of the relative difference of two, over weeks.

    Weeks are drawn anew as blocks of two that follow each other, the last one being followed by the
    first (circular block bootstrap; D. N. Politis and J. P. Romano, 1992), and the percentiles of
    what comes out are the ends. With few weeks it covers less than it says.

    Parameters
    ----------
    one
        The mean, or the base of the difference.
    other
        What is compared with it, of the same weeks.

    Returns
    -------
    tuple
        Both ends; ``None`` where there are fewer than `FEWEST` weeks, or the base is 0.

    Examples
    --------
    >>> steady = Weekly((5.0,) * 10, (10.0,) * 10)
    >>> interval(steady)
    (0.5, 0.5)
    >>> interval(steady, Weekly((4.0,) * 10, (10.0,) * 10))
    (-0.19999999999999996, -0.19999999999999996)
    """
    weeks = len(one.sums)
    if weeks < FEWEST:
        return None, None
    starts = np.random.default_rng(0).integers(weeks, size=(_DRAWS, -(-weeks // _BLOCK)))
    places = (starts[:, :, None] + np.arange(_BLOCK)).reshape(_DRAWS, -1)[:, :weeks] % weeks
    drawn = _means(one, places)
    if other is not None:
        if not drawn.all():
            return None, None
        drawn = _means(other, places) / drawn - 1.0
    low, high = np.quantile(drawn, [(1.0 - _LEVEL) / 2.0, (1.0 + _LEVEL) / 2.0])
    return float(low), float(high)


def _means(weekly: Weekly, places: NDArray[np.intp]) -> NDArray[np.float64]:
    sums, counts = np.asarray(weekly.sums), np.asarray(weekly.counts)
    means: NDArray[np.float64] = sums[places].sum(axis=1) / counts[places].sum(axis=1)
    return means
