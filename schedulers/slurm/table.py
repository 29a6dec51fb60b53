"""The table of backfill's plan: the free nodes and licences in each period."""

from collections.abc import Mapping

from schedulers.core.constants import NEVER
from schedulers.core.nodeset import NodeSet

Licences = Mapping[str, float]
"""Numbers of licences by name: those that are available, or those that a job requests."""


class Period:
    """The free nodes and licences from the date `begin` to the begin of the next period.

    Periods never change, so the tables of several passes can share them.
    """

    __slots__ = ("begin", "free", "licences")

    begin: float
    free: NodeSet
    licences: Licences | None


def period_of(begin: float, free: NodeSet, licences: Licences | None) -> Period:
    """Return a `Period`. When compiled, this is faster than an ``__init__`` with arguments."""
    period = Period.__new__(Period)
    period.begin = begin
    period.free = free
    period.licences = licences
    return period


def begun_by(periods: list[Period], date: float) -> int:
    """Return how many periods begin up to a date."""
    low, high = 0, len(periods)
    while low < high:
        middle = (low + high) >> 1
        period = periods[middle]
        if period.begin <= date:
            low = middle + 1
        else:
            high = middle
    return low


class PlanTable:
    """The free nodes and licences over time, as periods from a begin to an end, in seconds.

    If no nodes or licences become free before a job's end, backfill next tries the second period
    that begins after this end. With `looks_beyond` it always does so. Slurm 22.05 (without
    `looks_beyond`) does so only if more nodes or licences are free in this period.

    - `periods`: the periods in the order of time. The last period ends at `until`. If the table
      does not own the list (`owns_periods`), it copies the list before a change.
    - `usable`, `following`: the results of the last `look`: the usable nodes, and the next date to
      try.
    - `entries`: the number of periods as Slurm counts them. Joined periods still count. The first
      reservation that begins with the table counts as one more period.
    - `beyond`: the earliest end among planned jobs that end at or after the table's end.

    Examples
    --------
    >>> from schedulers.core.nodeset import NodeSet
    >>> both, first = NodeSet(2, 0b11), NodeSet(2, 0b01)
    >>> table = PlanTable(both)
    >>> table.reset(0.0, 3600.0)
    >>> table.add(600.0, 1200.0, first, None)
    >>> table.look(table.periods, 0.0, 600.0, 1, both, None)
    True
    >>> bin(table.usable.bits), table.following
    ('0b10', 1200.0)
    """

    begin: float
    until: float
    beyond: float
    periods: list[Period]
    owns_periods: bool
    begun: bool
    entries: int

    def __init__(
        self, nodes: NodeSet, licences: Licences | None = None, *, looks_beyond: bool = True
    ) -> None:
        self.nodes = nodes
        self.licences = licences
        self.looks_beyond = looks_beyond
        self.usable = nodes.copy()
        self.following = NEVER
        self.place = 0
        self.reset(0.0, NEVER)

    def reset(self, begin: float, until: float) -> None:
        """Empty the table, and set its begin and end."""
        self.begin = begin
        self.until = until
        self.periods = [period_of(begin, self.nodes, self.licences)]
        self.owns_periods = True
        self.entries = 1
        self.begun = False
        self.beyond = NEVER

    def end_of_first(self, periods: list[Period]) -> float:
        """Return the end of the first period."""
        if len(periods) == 1:
            return self.until
        period = periods[1]
        return period.begin

    def sees_until(self, periods: list[Period], now: float, limit: float) -> float:
        """Return the date from which on `look` may return another result for a job.

        `limit` is the time for which the job is planned, in seconds.
        """
        first = self.end_of_first(periods)
        place = begun_by(periods, now + limit)
        if place == len(periods):
            return first
        period = periods[place]
        return min(first, period.begin - limit)

    def look(
        self,
        periods: list[Period],
        start: float,
        limit: float,
        least: int,
        among: NodeSet,
        licences: Licences | None,
    ) -> bool:
        """Find the usable nodes for a job that starts at a date, and the next date to try.

        The results are `usable` and `following`. As in Slurm, a job also needs its nodes in a
        period that begins exactly at its end. So a job never fits exactly into a gap. The next date
        to try is the begin of the first period that has a node more than before, or more of the
        job's licences. If too few nodes or licences are free, the search ends at this date. Until
        the caller resets `place` to 0, each call must have a later date.

        `periods` are periods of this table, from this pass or an earlier one. The job needs at
        least `least` of the nodes `among`, for `limit` seconds. Return ``True`` if enough nodes and
        licences are free.
        """
        usable = self.usable
        usable.assign(among)
        self.following = NEVER
        last, end = len(periods) - 1, start + limit
        place = self.place
        while place < last:
            period = periods[place + 1]
            if period.begin > start:
                break
            place += 1
        self.place = place
        if place == last and start >= self.until:
            return usable.count() >= least
        period = periods[place]
        usable.keep(period.free)
        enough = usable.count() >= least and (not licences or has(period, licences))
        while place < last:
            after = periods[place + 1]
            if self.following == NEVER and (
                usable.gains(period.free, after.free, among)
                or (licences and has_more(after, period, licences))
            ):
                self.following = after.begin
            if after.begin > end:
                if self.following == NEVER and place + 1 < last:
                    self.look_beyond(periods, place + 1, among, licences)
                break
            if not enough and self.following < NEVER:
                break
            changed = usable.keep(after.free)
            if enough:
                enough = not changed or usable.count() >= least
                enough = enough and (not licences or has(after, licences))
            period = after
            place += 1
        return enough

    def look_beyond(
        self, periods: list[Period], place: int, among: NodeSet, licences: Licences | None
    ) -> None:
        """Try next the second period that begins after a job's end; see the class."""
        period, after = periods[place], periods[place + 1]
        if (
            self.looks_beyond
            or self.usable.gains(period.free, after.free, among)
            or (licences and has_more(after, period, licences))
        ):
            self.following = after.begin

    def is_free(self, start: float, end: float, nodes: NodeSet, licences: Licences | None) -> bool:
        """Return ``True`` if `nodes` and `licences` are free from `start` to `end`."""
        if start >= self.until:
            return True
        periods = self.periods
        first = max(0, begun_by(periods, start) - 1)
        for place in range(first, len(periods)):
            period = periods[place]
            if period.begin >= end:
                break
            if not period.free.contains(nodes) or (licences and not has(period, licences)):
                return False
        return True

    def add(self, start: float, end: float, nodes: NodeSet, licences: Licences | None) -> None:
        """Reserve `nodes` and `licences` from `start` to `end`."""
        if end >= self.until:
            self.beyond = min(self.beyond, end)
            end = self.until
        start = max(start, self.begin)
        if start >= end:
            return
        if start == self.begin and not self.begun:
            self.begun = True
            self.entries += 1
        if not self.owns_periods:
            self.periods = self.periods[:]
            self.owns_periods = True
        first = self.split(start)
        last = len(self.periods)
        if end < self.until:
            last = self.split(end)
        periods = self.periods
        for place in range(first, last):
            period = periods[place]
            left = without(period.licences, licences) if licences else period.licences
            periods[place] = period_of(period.begin, period.free.minus(nodes), left)
        self.join_one()

    def split(self, date: float) -> int:
        """Make a period begin at a date, and return its index."""
        place = begun_by(self.periods, date)
        period = self.periods[place - 1]
        if period.begin == date:
            return place - 1
        self.periods.insert(place, period_of(date, period.free, period.licences))
        self.entries += 1
        return place

    def join_one(self) -> None:
        """Join the first two neighbouring periods with equal free nodes and licences."""
        periods = self.periods
        before = periods[0]
        for place in range(1, len(periods)):
            period = periods[place]
            if period.free.equals(before.free) and period.licences == before.licences:
                del periods[place]
                return
            before = period


def has(period: Period, licences: Licences) -> bool:
    """Return ``True`` if a period has the licences that a job requests."""
    left = period.licences or {}
    return all([left.get(name, 0.0) >= number for name, number in licences.items()])


def has_more(after: Period, before: Period, licences: Licences) -> bool:
    """Return ``True`` if `after` has more of a requested licence than the period `before` it."""
    more, fewer = after.licences or {}, before.licences or {}
    return any([more.get(name, 0.0) > fewer.get(name, 0.0) for name in licences])


def without(left: Licences | None, licences: Licences) -> Licences:
    """Return the licences left after a job has taken its licences."""
    fewer = dict(left or {})
    for name, number in licences.items():
        fewer[name] = fewer.get(name, 0.0) - number
    return fewer
