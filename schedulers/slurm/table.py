"""The table of backfill's plans: which nodes and licences are not planned for, period by period."""

from collections.abc import Mapping

from schedulers.core.constants import NEVER
from schedulers.core.nodeset import NodeSet

Licences = Mapping[str, float]
"""How many there are, or a job asks for, of each name."""


class Period:
    """What nothing is planned for from a date on, up to the begin of the next period.

    A period, its set and its licences are never changed, so that tables of several passes share
    them.
    """

    __slots__ = ("begin", "free", "licences")

    begin: float
    free: NodeSet
    licences: Licences | None


def period_of(begin: float, free: NodeSet, licences: Licences | None) -> Period:
    """Return a period; compiled, that is faster than an ``__init__`` with arguments."""
    period = Period.__new__(Period)
    period.begin = begin
    period.free = free
    period.licences = licences
    return period


def begun_by(periods: list[Period], date: float) -> int:
    """Return how many periods begin by a date."""
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
    """Periods from a begin to an end, in seconds, of nodes, and of licences if there are any.

    If it `looks_beyond`, the first period that begins after a job's end is always worth a look, and
    not only if nodes come free after it; not so in Slurm 22.05.

    Attributes
    ----------
    periods : list of Period
        By their begins; the last one goes to `until`. The list may be changed while the table has
        it as its `own`, and is copied before it is changed otherwise.
    usable, following
        What the last `look` has found: the nodes, and the next date that is worth a look.
    entries : int
        How many periods there have been, as Slurm counts them: one more of what begins first.
    beyond : float
        The first end of what is planned that is not before the table's own.

    Examples
    --------
    >>> from schedulers.core.nodeset import NodeSet
    >>> both, first = NodeSet(2, 0b11), NodeSet(2, 0b01)
    >>> table = PlanTable(both)
    >>> table.begin_anew(0.0, 3600.0)
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
    own: bool
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
        self.begin_anew(0.0, NEVER)

    def begin_anew(self, begin: float, until: float) -> None:
        """Become empty, from a begin to an end."""
        self.begin = begin
        self.until = until
        self.periods = [period_of(begin, self.nodes, self.licences)]
        self.own = True
        self.entries = 1
        self.begun = False
        self.beyond = NEVER

    def end_of_first(self, periods: list[Period]) -> float:
        """Return when the first of some periods ends."""
        if len(periods) == 1:
            return self.until
        period = periods[1]
        return period.begin

    def sees_until(self, periods: list[Period], now: float, limit: float) -> float:
        """Return the date from which on a job with a limit may see something else by `look`."""
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
        """Find the nodes of a job that starts at a date, and the next date that is worth a look.

        A job conflicts with what begins at or before its end, so that it never fits exactly. Worth
        a look next is the first begin of a period with a node that was not free all along, or with
        more of its licences. If too few nodes or licences are left, nothing is looked at beyond
        that date. From one time that `place` is set to 0 to the next the dates have to ascend.

        The `periods` are those of this table, now or in another pass. The job needs so many of
        the nodes `among`, for `limit` seconds. Say whether enough nodes and licences are left.
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
        """Look for the next date behind the first period that begins after a job's end."""
        period, after = periods[place], periods[place + 1]
        if (
            self.looks_beyond
            or self.usable.gains(period.free, after.free, among)
            or (licences and has_more(after, period, licences))
        ):
            self.following = after.begin

    def is_free(self, start: float, end: float, nodes: NodeSet, licences: Licences | None) -> bool:
        """Say whether nothing is planned for some nodes and licences from a date to another."""
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
        """Plan nodes and licences for a job from a date to another."""
        if end >= self.until:
            self.beyond = min(self.beyond, end)
            end = self.until
        start = max(start, self.begin)
        if start >= end:
            return
        if start == self.begin and not self.begun:
            self.begun = True
            self.entries += 1
        if not self.own:
            self.periods = self.periods[:]
            self.own = True
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
        """Let a period begin at a date, and return its place."""
        place = begun_by(self.periods, date)
        period = self.periods[place - 1]
        if period.begin == date:
            return place - 1
        self.periods.insert(place, period_of(date, period.free, period.licences))
        self.entries += 1
        return place

    def join_one(self) -> None:
        """Join the first two neighbours that are the same."""
        periods = self.periods
        before = periods[0]
        for place in range(1, len(periods)):
            period = periods[place]
            if period.free.equals(before.free) and period.licences == before.licences:
                del periods[place]
                return
            before = period


def has(period: Period, licences: Licences) -> bool:
    """Say whether a period has as many licences as a job asks for."""
    left = period.licences or {}
    return all([left.get(name, 0.0) >= number for name, number in licences.items()])


def has_more(after: Period, before: Period, licences: Licences) -> bool:
    """Say whether a period has more of some licences than the one before."""
    more, fewer = after.licences or {}, before.licences or {}
    return any([more.get(name, 0.0) > fewer.get(name, 0.0) for name in licences])


def without(left: Licences | None, licences: Licences) -> Licences:
    """Return what is left of licences without those of a job."""
    fewer = dict(left or {})
    for name, number in licences.items():
        fewer[name] = fewer.get(name, 0.0) - number
    return fewer
