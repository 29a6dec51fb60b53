"""Keep a fixed number of values that became known last, and compute their quantiles."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable


class Recent:
    """The `size` values that became known last, oldest first.

    A value that is added late is inserted at its date. Values with equal dates keep the order in
    which they were added.

    Examples
    --------
    >>> recent = Recent(2)
    >>> for value, now in [(10.0, 1.0), (30.0, 3.0), (20.0, 2.0)]:
    ...     dropped = recent.add(value, now)
    >>> recent.values, dropped
    ([20.0, 30.0], 10.0)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._dates: list[float] = []
        self.values: list[float] = []

    def add(self, value: float, now: float) -> float | None:
        """Add a value that became known at `now`; return the value that is dropped, or ``None``.

        The added value is itself dropped if `size` values became known later.
        """
        dates, values = self._dates, self.values
        if not dates or now >= dates[-1]:
            dates.append(now)
            values.append(value)
        else:
            place = bisect_right(dates, now)
            dates.insert(place, now)
            values.insert(place, value)
        if len(dates) <= self._size:
            return None
        del dates[0]
        return values.pop(0)


class RecentByGroup:
    """For each group, the `size` values that became known last.

    Examples
    --------
    >>> recent = RecentByGroup(2)
    >>> recent.add("ann", 10.0, 1.0)
    [10.0]
    >>> recent.add("bob", 20.0, 2.0)
    [20.0]
    >>> recent.add("ann", 30.0, 3.0)
    [10.0, 30.0]
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._groups: dict[Hashable, Recent] = {}

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self._groups)

    def add(self, group: Hashable, value: float, now: float) -> list[float]:
        """Add a group's value that became known at `now`; return the group's kept values."""
        recent = self._groups.get(group)
        if recent is None:
            recent = self._groups[group] = Recent(self._size)
        recent.add(value, now)
        return recent.values


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
        """Return the quantile for a share from 0 to 1, interpolated between ranks."""
        values = self._sorted
        position = share * (len(values) - 1)
        rank = int(position)
        below = values[rank]
        if rank + 1 == len(values):
            return below
        return below + (position - rank) * (values[rank + 1] - below)

    def at_rank(self, rank: int) -> float:
        """Return the value with a given rank; rank 1 is the smallest value."""
        return self._sorted[rank - 1]
