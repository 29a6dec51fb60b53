"""Quantiles of the last few values of something."""

from bisect import bisect_left, insort

from predictors.recent import Recent


class SortedWindow:
    """The `size` values that became known last, sorted.

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
        """Return how many values there are."""
        return len(self._sorted)

    def add(self, value: float, now: float) -> None:
        """Add a value known since a date; the oldest goes if there are too many."""
        insort(self._sorted, value)
        dropped = self._recent.add(value, now)
        if dropped is not None:
            del self._sorted[bisect_left(self._sorted, dropped)]

    def quantile(self, share: float) -> float:
        """Return the value below which a share, from 0 to 1, lies, linear between ranks."""
        values = self._sorted
        position = share * (len(values) - 1)
        rank = int(position)
        below = values[rank]
        if rank + 1 == len(values):
            return below
        return below + (position - rank) * (values[rank + 1] - below)

    def at_rank(self, rank: int) -> float:
        """Return the value of a rank, from 1 for the smallest to their number."""
        return self._sorted[rank - 1]
