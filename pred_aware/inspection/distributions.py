"""Distributions of a log's times and sizes, and run times compared with walltimes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.inspection.columns import Columns

QUANTILES = {
    "min": 0.0,
    "10 %": 0.1,
    "25 %": 0.25,
    "median": 0.5,
    "75 %": 0.75,
    "90 %": 0.9,
    "99 %": 0.99,
    "max": 1.0,
}

RATIO_STEPS = tuple(step / 20 for step in range(25))
"""Values of R in the curve: 0, 0.05, ... 1.2."""

AT_WALLTIME = (0.99, 1.01)
"""Range of R for jobs that probably ended at their walltime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalltimeAccuracy:
    """Run times compared with walltimes, over jobs with a walltime: paper 004's R."""

    jobs: int
    """Number of jobs with a walltime."""
    below: tuple[float, ...]
    """Share of jobs with R up to each of `RATIO_STEPS`."""
    median: float
    """Median of R."""
    at_walltime: float
    """Share with R from 0.99 to 1.01."""
    beyond: float
    """Share with R above 1.01."""
    work_beyond: float
    """Share of all processor seconds that are beyond walltimes; a simulator that kills jobs omits
    these.
    """
    walltimes: tuple[tuple[float, float], ...]
    """The most frequent walltimes in seconds with their shares, most frequent first."""
    distinct_walltimes: int
    """Number of different walltimes."""


def distribution(values: "NDArray[np.float64] | NDArray[np.int64]") -> Mapping[str, float] | None:
    """Return quantiles and mean of the known values of an array; ``None`` if none is known.

    Examples
    --------
    >>> figures = distribution(np.array([1.0, 3.0, np.nan]))
    >>> figures["min"], figures["mean"], figures["max"]
    (1.0, 2.0, 3.0)
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    figures = np.quantile(known, list(QUANTILES.values()), method="inverted_cdf")
    return {
        **dict(zip(QUANTILES, map(float, figures), strict=True)),
        "mean": float(known.mean()),
    }


def accuracy_of(columns: "Columns") -> WalltimeAccuracy | None:
    """Compare run times with walltimes; return ``None`` if no job has a walltime."""
    has_one = np.isfinite(columns.walltime)
    count = int(has_one.sum())
    if not count:
        return None
    ratio = np.sort(columns.ratio[has_one])
    excess = np.maximum(columns.run_time - np.nan_to_num(columns.walltime, nan=np.inf), 0.0)
    work = columns.run_time * columns.processors
    walltimes, numbers = np.unique(columns.walltime[has_one], return_counts=True)
    most = np.argsort(-numbers, kind="stable")[:5]
    low, high = np.searchsorted(ratio, AT_WALLTIME)
    return WalltimeAccuracy(
        jobs=count,
        below=tuple(float(n) / count for n in np.searchsorted(ratio, RATIO_STEPS, side="right")),
        median=float(ratio[(count - 1) // 2]),
        at_walltime=float(high - low) / count,
        beyond=float(count - high) / count,
        work_beyond=float((excess * columns.processors).sum() / (work.sum() or 1.0)),
        walltimes=tuple((float(walltimes[i]), float(numbers[i]) / count) for i in most),
        distinct_walltimes=len(walltimes),
    )
