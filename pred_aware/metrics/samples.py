"""A quantity of jobs in groups, and the statistics of each group."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Samples:
    """Jobs in groups, with a statistic of all groups at once.

    Parameters
    ----------
    codes
        Index of each job's group, shape (jobs,).
    groups
        Number of groups; each has a job.

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
        """The jobs sorted by group, in their order within a group."""
        # sorting two-byte numbers takes linear time
        short = len(self.sizes) <= np.iinfo(np.uint16).max
        return np.argsort(self._codes.astype(np.uint16) if short else self._codes, kind="stable")

    @property
    def _ranges(self) -> list[tuple[int, int]]:
        return list(zip(self._begins.tolist(), self._ends.tolist(), strict=True))

    def sums(self, values: "Array") -> list[float]:
        """Return the sum of each group, equal to that of its values alone."""
        inside = values[self._order]
        return [float(np.add.reduce(inside[first:end])) for first, end in self._ranges]

    def statistics(self, name: str, values: "Array", areas: "Array") -> list[float | None]:
        """Return a statistic of each group, exactly as from `Sample`.

        Parameters
        ----------
        name
            As in `Sample.statistic`.
        values, areas
            Of each job, shape (jobs,), as in `Sample`.
        """
        inside, of_inside = values[self._order], areas[self._order]
        return [
            Sample(inside[first:end], of_inside[first:end]).statistic(name)
            for first, end in self._ranges
        ]
