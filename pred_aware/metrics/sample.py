"""A quantity of some jobs, and its statistics."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

QUANTILES = {"median": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}
KEPT_BELOW_P99 = 0.99


class Sample:
    """A quantity of some jobs, which computes statistics on demand.

    Parameters
    ----------
    values
        Value of each job, shape (jobs,); jobs with NaN are left out.
    areas
        Processor seconds of each job.

    Examples
    --------
    >>> sample = Sample(np.array([1.0, 2.0, 6.0, np.nan]), np.array([1.0, 1.0, 2.0, 9.0]))
    >>> sample.statistic("mean"), sample.statistic("median"), sample.statistic("area_weighted")
    (3.0, 2.0, 3.75)
    >>> Sample(np.array([]), np.array([])).statistic("mean") is None
    True
    """

    def __init__(self, values: "Array", areas: "Array") -> None:
        known = ~np.isnan(values)
        whole = bool(known.all())
        self._values = values if whole else values[known]
        self._areas = areas if whole else areas[known]

    def statistic(self, name: str) -> float | None:
        """Return a statistic by its name; ``None`` if there are no values.

        Parameters
        ----------
        name
            A name in `pred_aware.metrics.table.STATISTICS`, or ``share`` (share of values above 0),
            ``kept`` (share of values of 0 or below) or ``mean_of_positive``.
        """
        if not len(self._values):
            return None
        if name in QUANTILES:
            return self._quantile(QUANTILES[name])
        found: float | None = getattr(self, f"_{name}")()
        return found

    @cached_property
    def _sorted(self) -> "Array":
        return np.sort(self._values)

    def _quantile(self, share: float) -> float:
        # gives the result of np.quantile, but faster for the few jobs of most users
        below, rest = divmod(share * (len(self._sorted) - 1), 1.0)
        lower, *above = self._sorted[int(below) : int(below) + 2].tolist()
        return float(lower + (above[0] - lower) * rest if above else lower)

    def _mean(self) -> float:
        return float(self._values.mean())

    def _max(self) -> float:
        return float(self._values.max())

    def _mean_below_p99(self) -> float:
        kept = max(1, int(len(self._values) * KEPT_BELOW_P99))
        return float(self._sorted[:kept].mean())

    def _area_weighted(self) -> float | None:
        total = float(self._areas.sum())
        return float((self._values * self._areas).sum()) / total if total > 0.0 else None

    def _share(self) -> float:
        return float((self._values > 0.0).mean())

    def _kept(self) -> float:
        return float((self._values <= 0.0).mean())

    def _mean_of_positive(self) -> float | None:
        late = self._values[self._values > 0.0]
        return float(late.mean()) if len(late) else None


class Samples:
    """Jobs in groups, to compute a statistic of all groups together.

    Parameters
    ----------
    codes
        Index of each job's group, shape (jobs,).
    groups
        Number of groups; each group has at least one job.

    Examples
    --------
    >>> samples = Samples(np.array([1, 0, 1, 1]), 2)
    >>> waits = np.array([5.0, 7.0, 1.0, 3.0])
    >>> samples.statistics("mean", waits, np.ones(4)), samples.statistics("p95", waits, np.ones(4))
    ([7.0, 3.0], [7.0, 4.8])
    """

    def __init__(self, codes: "NDArray[np.intp]", groups: int) -> None:
        self._codes = codes
        self.sizes = np.bincount(codes, minlength=groups)
        """Number of jobs of each group; shape (groups,)."""
        self._ends = np.cumsum(self.sizes)
        self._begins = self._ends - self.sizes

    @cached_property
    def _order(self) -> "NDArray[np.intp]":
        """The jobs sorted by group; within a group, the order of jobs is unchanged."""
        # sorting two-byte numbers takes linear time
        short = len(self.sizes) <= np.iinfo(np.uint16).max
        return np.argsort(self._codes.astype(np.uint16) if short else self._codes, kind="stable")

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        return list(zip(self._begins.tolist(), self._ends.tolist(), strict=True))

    def sums(self, values: "Array") -> list[float]:
        """Return the sum of each group, rounded exactly as if summed alone."""
        inside = values[self._order]
        return [float(np.add.reduce(inside[first:end])) for first, end in self._ranges]

    def statistics(self, name: str, values: "Array", areas: "Array") -> list[float | None]:
        """Return a statistic of each group, exactly as from `Sample`.

        Parameters
        ----------
        name
            As in `Sample.statistic`.
        values, areas
            Values and processor seconds of each job, shape (jobs,), as in `Sample`.
        """
        inside, of_inside = values[self._order], areas[self._order]
        return [
            Sample(inside[first:end], of_inside[first:end]).statistic(name)
            for first, end in self._ranges
        ]
