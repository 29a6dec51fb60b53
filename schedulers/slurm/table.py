"""The table of backfill's plans: which nodes and licences are not planned for, period by period."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import NamedTuple

Licences = Mapping[str, float]


class Look(NamedTuple):
    """What a job may have that starts at a date."""

    nodes: int
    """Those that nothing is planned for, as a bit mask."""
    licences: bool
    """Whether the licences that it asks for are to be had."""
    next: float | None
    """The next date that is worth a look, in seconds."""


class PlanTable:
    """Periods, and what nothing is planned for in each.

    Invariant: period ``i`` goes from ``times[i]`` to ``times[i + 1]``, so that there is one date
    more than there are values in `free` and `licences`.

    Parameters
    ----------
    begin, end
        Of the whole table, in seconds.
    nodes
        All, as a bit mask.
    licences
        How many there are of each name.
    looks_beyond
        Whether the first period that begins after a job's end is always worth a look, and not only
        if nodes come free after it; not so in Slurm 22.05.

    Examples
    --------
    >>> table = PlanTable(0.0, 3600.0, nodes=0b11)
    >>> table.add(600.0, 1200.0, nodes=0b01)
    >>> table.look(0.0, 599.0, nodes=0b11), table.look(0.0, 600.0, nodes=0b11)
    (Look(nodes=3, licences=True, next=1200.0), Look(nodes=2, licences=True, next=1200.0))
    """

    def __init__(
        self,
        begin: float,
        end: float,
        *,
        nodes: int,
        licences: Licences | None = None,
        looks_beyond: bool = True,
    ) -> None:
        self._looks_beyond = looks_beyond
        self.times = [begin, end]
        self.free = [nodes]
        self.licences: list[dict[str, float]] = [dict(licences or {})]
        self.entries = 1
        """How many periods there have been, as Slurm counts them: one more of what begins first."""
        self.begun = False
        self.beyond = math.inf
        """The first end that is not before its own, in seconds."""

    def copy(self) -> "PlanTable":
        """Return the same, to be changed; what a period has of licences is never changed."""
        other = PlanTable.__new__(PlanTable)
        other.__dict__.update(self.__dict__)
        other.times, other.free = self.times[:], self.free[:]
        other.licences = self.licences[:]
        return other

    def moved(self, begin: float, end: float) -> "PlanTable":
        """Return the same with another begin, in its first period, and another end."""
        other = self.copy()
        other.times[0], other.times[-1] = begin, end
        return other

    def goes_on_as(self, other: "PlanTable") -> bool:
        """Say whether it is the same as another one, but for the begin and the end."""
        return (
            (self.free, self.licences) == (other.free, other.licences)
            and self.times[1:-1] == other.times[1:-1]
            and (self.entries, self.begun) == (other.entries, other.begun)
            and self.beyond == other.beyond
        )

    def sees_until(self, now: float, limit: float) -> float:
        """Return the date from which on a job with a limit may see another `look`, in seconds."""
        times = self.times
        place = bisect_right(times, now + limit)
        last = len(times) - 1
        return min(times[1], times[place] - limit) if place < last else times[1]

    def look(
        self, start: float, limit: float, *, nodes: int, licences: Licences | None = None
    ) -> Look:
        """Return which of some nodes a job may have that starts at a date and has a limit, in s.

        A job conflicts with what begins at or before its end by its limit, so that it never fits
        exactly. Worth a look next is the first end of a period after which one of the nodes is free
        that was not all along, or there are more of its licences.
        """
        times, free = self.times, self.free
        last, end = len(free) - 1, start + limit
        usable, enough, following = nodes, True, None
        for period in range(max(0, bisect_right(times, start) - 1), last + 1):
            if times[period + 1] <= start:
                continue
            beyond = times[period] > end
            if not beyond:
                usable &= free[period]
                enough = enough and self._has(period, licences)
            if following is None and period < last:
                more = free[period + 1] & nodes & ~(usable & free[period])
                if more or (beyond and self._looks_beyond) or self._more(period, licences):
                    following = times[period + 1]
            if beyond:
                break
        return Look(usable, enough, following)

    def overlaps(
        self, start: float, end: float, *, nodes: int, licences: Licences | None = None
    ) -> bool:
        """Say whether something is planned for any of these nodes from a date to another."""
        times = self.times
        for period in range(max(0, bisect_right(times, start) - 1), len(self.free)):
            if times[period] >= end:
                break
            if times[period + 1] > start and (
                nodes & ~self.free[period] or not self._has(period, licences)
            ):
                return True
        return False

    def add(
        self, start: float, end: float, *, nodes: int, licences: Licences | None = None
    ) -> None:
        """Plan nodes and licences for a job from a date to another, in seconds."""
        if end >= self.times[-1]:
            self.beyond = min(self.beyond, end)
        start, end = max(start, self.times[0]), min(end, self.times[-1])
        if start >= end:
            return
        if start == self.times[0] and not self.begun:
            self.begun = True
            self.entries += 1
        for period in range(self._split(start), self._split(end)):
            self.free[period] &= ~nodes
            if licences:
                left = self.licences[period] = self.licences[period].copy()
                for name, number in licences.items():
                    left[name] = left.get(name, 0.0) - number
        self._join_one()

    def _has(self, period: int, licences: Licences | None) -> bool:
        left = self.licences[period]
        return not licences or all(
            left.get(name, 0.0) >= number for name, number in licences.items()
        )

    def _more(self, period: int, licences: Licences | None) -> bool:
        """Say whether there are more of some licences in the period after one."""
        before, after = self.licences[period : period + 2]
        return bool(licences) and any(
            after.get(name, 0.0) > before.get(name, 0.0) for name in licences or {}
        )

    def _split(self, date: float) -> int:
        """Let a period begin at a date, and return its place."""
        times = self.times
        place = bisect_left(times, date)
        if times[place] != date:
            times.insert(place, date)
            self.free.insert(place, self.free[place - 1])
            self.licences.insert(place, self.licences[place - 1])
            self.entries += 1
        return place

    def _join_one(self) -> None:
        """Join the first two neighbours that are the same."""
        free, licences = self.free, self.licences
        for place in range(1, len(free)):
            if free[place] == free[place - 1] and licences[place] == licences[place - 1]:
                del self.times[place], free[place], licences[place]
                break
