"""Compare recorded waits with simulated waits of the same jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUANTILES = {"10 %": 0.1, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "90 %": 0.9, "99 %": 0.99}
CURVE = tuple(float(share) for share in np.linspace(0.0, 1.0, 401))
"""The shares of jobs at which `Waits.curve` has a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Mean, maximum and quantiles of waits, in seconds."""

    jobs: int
    """Number of jobs."""
    mean: float
    longest: float
    quantiles: dict[str, float]
    """Quantiles of the waits, by the names in `QUANTILES`."""
    curve: tuple[float, ...]
    """For each share in `CURVE`, the wait that this share of jobs does not exceed."""


def waits_of(wait_time: "NDArray[np.float64]") -> Waits:
    """Return mean, maximum and quantiles of waits.

    Parameters
    ----------
    wait_time
        Waits in seconds, shape (jobs,), of at least one job.
    """
    shares = [*QUANTILES.values(), *CURVE]
    found = np.quantile(wait_time, shares, method="inverted_cdf").astype(float).tolist()
    return Waits(
        jobs=len(wait_time),
        mean=float(wait_time.mean()),
        longest=float(wait_time.max()),
        quantiles=dict(zip(QUANTILES, found, strict=False)),
        curve=tuple(found[len(QUANTILES) :]),
    )


EARLY = 0.01
"""`submitted_early` marks jobs only if their share of all waiting exceeds this value."""


def submitted_early(
    submit_time: "NDArray[np.float64]", wait_time: "NDArray[np.float64]"
) -> tuple["NDArray[np.bool_]", float]:
    """Find the jobs that were submitted before the first recorded start.

    These jobs waited for jobs that the log does not contain.

    Parameters
    ----------
    submit_time, wait_time
        Seconds, shape (jobs,); unknown waits are NaN.

    Returns
    -------
    A mask of these jobs, shape (jobs,), and their share of all waiting. If the share is at most
    `EARLY`, the mask is False for all jobs.

    Examples
    --------
    >>> submitted_early(np.array([0.0, 50.0, 60.0]), np.array([60.0, 0.0, 20.0]))
    (array([ True, False, False]), 0.75)
    """
    known = np.isfinite(wait_time)
    first = (submit_time + wait_time)[known].min(initial=np.inf)
    early: NDArray[np.bool_] = known & (submit_time < first)
    waited = float(wait_time[known].sum())
    share = float(wait_time[early].sum()) / waited if waited else 0.0
    return (early if share > EARLY else np.zeros_like(early)), share


def rank_correlation(first: "NDArray[np.float64]", second: "NDArray[np.float64]") -> float | None:
    """Return Spearman's rank correlation; ``None`` if all values of one array are equal.

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([1.0, 20.0, 10.0]))
    0.5
    """
    ranks = [_ranks(values) for values in (first, second)]
    spread = [float(each.std()) for each in ranks]
    if not all(spread):
        return None
    both = ((ranks[0] - ranks[0].mean()) * (ranks[1] - ranks[1].mean())).mean()
    return round(float(both) / (spread[0] * spread[1]), 12)


def _ranks(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the rank of each value; equal values get the mean of their ranks."""
    _, whose, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[whose]
    return ranks


def distance(first: "NDArray[np.float64]", second: "NDArray[np.float64]") -> float:
    """Return Kolmogorov's distance, the largest difference of the cumulative distributions.

    Examples
    --------
    >>> distance(np.array([0.0, 0.0, 5.0, 9.0]), np.array([0.0, 4.0, 6.0, 8.0]))
    0.25
    """
    points = np.union1d(first, second)
    shares = [
        np.searchsorted(np.sort(values), points, side="right") / len(values)
        for values in (first, second)
    ]
    return float(np.abs(shares[0] - shares[1]).max())


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """How similar the simulated and the recorded waits of the same jobs are."""

    jobs: int
    recorded: float
    """Mean of the recorded waits, in seconds."""
    ratio: float | None
    """Mean simulated wait / mean recorded wait; ``None`` if no recorded wait exceeds 0."""
    correlation: float
    """Spearman's rank correlation; 0 if all recorded, or all simulated, waits are equal."""
    distance: float
    """Kolmogorov's distance of the two distributions, from 0 to 1."""

    @property
    def simulated(self) -> float | None:
        """Mean of the simulated waits in seconds; ``None`` if no recorded wait exceeds 0."""
        return None if self.ratio is None else self.ratio * self.recorded

    @property
    def dissimilarity(self) -> float:
        """``(1 - correlation) + |ln ratio| / 2 + distance``; a fit minimises this value."""
        return 1.0 - self.correlation + abs(log(max(self.ratio or 0.0, 1e-9))) / 2.0 + self.distance


def similarity(recorded: "NDArray[np.float64]", simulated: "NDArray[np.float64]") -> Similarity:
    """Compare the waits of the same jobs in seconds, both of shape (jobs,).

    Examples
    --------
    >>> import numpy as np
    >>> found = similarity(np.array([0.0, 1000.0, 4000.0]), np.array([0.0, 500.0, 4400.0]))
    >>> round(found.ratio, 2), found.correlation, round(found.distance, 2)
    (0.98, 1.0, 0.33)
    """
    mean = float(recorded.mean())
    return Similarity(
        jobs=len(recorded),
        recorded=mean,
        ratio=float(simulated.mean()) / mean if mean else None,
        correlation=rank_correlation(recorded, simulated) or 0.0,
        distance=distance(recorded, simulated),
    )


def whole_ratio(parts: Sequence[Similarity]) -> float | None:
    """Return mean simulated / mean recorded wait over all parts; ``None`` if no job waited."""
    waited = sum(one.jobs * one.recorded for one in parts)
    return sum(one.jobs * (one.simulated or 0.0) for one in parts) / waited if waited else None
