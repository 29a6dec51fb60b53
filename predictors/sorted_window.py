"""Quantiles of the last values of a quantity."""

from bisect import bisect_left, insort

from predictors.recent import Recent


class SortedWindow:
    """Keeps the last `size` values in sorted order.

    Examples
    --------
    >>> window = SortedWindow(4)
    >>> for now, value in enumerate([90.0, 10.0, 40.0, 20.0, 30.0]):
    ...     window.add(value, now)
    >>> len(window), window.quantile(0.5), window.at_rank(1)
    (4, 25.0, 10.0)
    """

    __slots__ = ("_recent", "_sorted")

    def __init__(self, size: int) -> None:
        self._recent = Recent(size)
        self._sorted: list[float] = []

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._sorted)

    def add(self, value: float, now: float) -> None:
        """Add a value that became known at `now`, and drop the oldest value of a full window."""
        insort(self._sorted, value)
        dropped = self._recent.add(value, now)
        if dropped is not None:
            del self._sorted[bisect_left(self._sorted, dropped)]

    def quantile(self, share: float) -> float:
        """Return the quantile of a share from 0 to 1, interpolated between ranks."""
        values = self._sorted
        position = share * (len(values) - 1)
        rank = int(position)
        below = values[rank]
        if rank + 1 == len(values):
            return below
        return below + (position - rank) * (values[rank + 1] - below)

    def at_rank(self, rank: int) -> float:
        """Return the value of a rank. Rank 1 is the smallest value."""
        return self._sorted[rank - 1]
