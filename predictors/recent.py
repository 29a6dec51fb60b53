"""Keep the last few values, sorted by the date at which they became known."""

from bisect import bisect_right
from collections.abc import Hashable


class Recent:
    """The `size` values that became known last, oldest first.

    A value that is added late is inserted by its date. Equal dates keep the order of addition.

    Examples
    --------
    >>> recent = Recent(2)
    >>> for value, now in [(10.0, 1.0), (30.0, 3.0), (20.0, 2.0)]:
    ...     dropped = recent.add(value, now)
    >>> recent.values, dropped
    ([20.0, 30.0], 10.0)
    """

    __slots__ = ("_dates", "_size", "values")

    def __init__(self, size: int) -> None:
        self._size = size
        self._dates: list[float] = []
        self.values: list[float] = []

    def add(self, value: float, now: float) -> float | None:
        """Add a value that became known at `now`; return the value that is dropped, if any.

        This can be the value itself, if it is older than all others.
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

    __slots__ = ("_groups", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._groups: dict[Hashable, Recent] = {}

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self._groups)

    def add(self, group: Hashable, value: float, now: float) -> list[float]:
        """Add a group's value that became known at `now`; return the kept values."""
        recent = self._groups.get(group)
        if recent is None:
            recent = self._groups[group] = Recent(self._size)
        recent.add(value, now)
        return recent.values
