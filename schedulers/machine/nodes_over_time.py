"""The free resources of a site's nodes over time, from now on."""

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.machine import Availability
from schedulers.machine.node_room import Placement, Room, Rows

if TYPE_CHECKING:
    from schedulers.machine.nodes import Nodes


class NodesOverTime(Availability):
    """The free resources on each node in each time step; see `Availability`.

    A reservation has the same nodes from its start to its end. Invariants: `times` ascends
    strictly. `free` and `totals` have one value per step, valid from ``times[i]`` (included) to
    ``times[i + 1]`` (excluded). The last value is valid for ever. The rows of `free` are
    processors, memory and GPUs on each node.
    """

    def __init__(self, machine: "Nodes", *, now: float) -> None:
        self._machine = machine
        idle = machine.layout.idle
        self._bits = idle.bits
        self.times = [now]
        self.free: list[Rows] = [[row[:] for row in (idle.free_on, *(idle.rest or ()))]]
        self.totals = [idle.free]
        """Processors that are free on all nodes together."""
        # each job's resources and their end; above `_kept` entries, ended ones are removed
        self._has: dict[int, tuple[Placement, float]] = {}
        self._kept = 1000
        self._lost: Placement | None = None
        self._lose()

    def _lose(self) -> None:
        """Subtract the processors that are missing now; add back those that were missing before."""
        for lost, sign in ((self._lost, 1), (self._machine.lost, -1)):
            if lost is not None:
                for place, free in enumerate(self.free):
                    _add(free, lost, sign)
                    self.totals[place] += sign * lost.total
        self._lost = self._machine.lost

    def advance(self, now: float) -> None:
        """Forget the time before now; see `Availability`."""
        passed = bisect_right(self.times, now) - 1
        if passed > 0:
            del self.times[:passed], self.free[:passed], self.totals[:passed]
        self.times[0] = now
        if self._lost is not self._machine.lost:
            self._lose()
        if len(self._has) > self._kept:
            self._has = {number: has for number, has in self._has.items() if has[1] > now}
            self._kept = 2 * len(self._has) + 1000

    def hold(self, job: Job, end: float) -> None:
        """Hold the nodes of a running job; see `Availability`."""
        self._take(job, self._machine.held[job.number], self.times[0], end)

    def may_hold(self, job: Job, end: float) -> bool:
        """Return True if a running job can keep its nodes; see `Availability`."""
        return self._fits(self._machine.held[job.number], self.times[0], end)

    def place(self, job: Job, duration: float) -> float:
        """Give a job the earliest reservation; see `Availability`."""
        found = self._search(job, duration, NEVER, None, 0)
        return NEVER if found is None else self._take_found(job, found, duration)

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a reservation on its former nodes, if these are free; see `Availability`."""
        machine, end = self._machine, start + duration
        closed = machine.closed(job, start)
        placement = machine.places.get(job.number)
        if placement is None or placement.mask & closed or not self._fits(placement, start, end):
            first, last = self._steps_in(start, end)
            least = self._least(first, last, self._rows_for(job))
            placement = self._choose(job, least, closed)
            if placement is None:
                return False
        machine.places[job.number] = placement
        self._take(job, placement, start, end)
        return True

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Move a job's reservation to the earliest date; see `Availability`."""
        has = self._has.get(job.number) if start < NEVER else None
        present, beyond = None, 0
        if has is not None:
            present, beyond = has[0], self._split(start)
        found = self._search(job, duration, start, present, beyond)
        if found is None:
            if present is not None:
                self._join(beyond)
            return start
        if has is not None:
            self.give_back(job, start, start + duration)
        return self._take_found(job, found, duration)

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free a job's nodes; see `Availability`."""
        if end > start:
            placement = self._has.pop(job.number)[0]
            self._change(placement, start, end, 1)

    def start(self, job: Job) -> bool:
        """Take the nodes of a job's reservation; see `Availability`."""
        machine = self._machine
        placement = machine.places[job.number]
        # on a site with a cycle, a job may start later than its reservation begins
        if machine.closed(job, machine.now) & placement.mask or not machine.room.has(placement):
            return False
        machine.take_placement(job, placement)
        return True

    def _take_found(self, job: Job, found: tuple[float, Placement], duration: float) -> float:
        date, placement = found
        self._machine.places[job.number] = placement
        self._take(job, placement, date, date + duration)
        return date

    def _search(
        self, job: Job, duration: float, before: float, present: Placement | None, beyond: int
    ) -> tuple[float, Placement] | None:
        """Find the earliest reservation that begins before the date `before`.

        The resources of the job's `present` reservation, from the step `beyond` on, count as free.
        """
        machine, times, totals = self._machine, self.times, self.totals
        size, more, rows = job.processors, 0, self._rows_for(job)
        if present is None:
            beyond = len(times)
        else:
            more = present.total
        dates = times
        if machine.dated:
            dates = sorted({*times, *machine.dates.openings(times[0])})
        fitting = 0.0
        for date in dates:
            if date >= before:
                break
            if date < fitting:
                continue
            first = bisect_right(times, date) - 1
            last = bisect_left(times, date + duration, first + 1)
            if self._lost is None:
                # if this step has too few free processors, a reservation can only begin after it
                at = last - 1
                while at >= first and totals[at] + (more if at >= beyond else 0) >= size:
                    at -= 1
                if at >= first:
                    fitting = times[at + 1] if at + 1 < len(times) else NEVER
                    continue
            least = self._least(first, min(last, beyond), rows)
            if present is not None and last > beyond:
                later = _copy(self._least(beyond, last, rows), rows)
                _add(later, present, 1)
                _reduce(later, least)
                least = later
            placement = self._choose(job, least, machine.closed(job, date))
            if placement is not None:
                return date, placement
        return None

    def _rows_for(self, job: Job) -> int:
        """Return 1 if a job requests only processors, else the number of all rows."""
        return len(self.free[0]) if self._machine.request_of(job).request.of_rest else 1

    def _least(self, first: int, last: int, rows: int) -> Rows:
        """Return the resources that are free in all steps from `first` to `last` - 1.

        Only the first `rows` rows are right. Do not change the result.
        """
        least = self.free[first]
        if last > first + 1:
            least = _copy(least, rows)
            for place in range(first + 1, last):
                _reduce(least, self.free[place])
        return least

    def _choose(self, job: Job, free: Rows, closed: int) -> Placement | None:
        """Choose nodes for a job from free resources, outside the closed nodes (a bit mask)."""
        total = top = 0
        for cores in free[0]:
            if cores > 0:
                total += cores
                top = max(top, cores)
        if total < job.processors:
            return None
        machine = self._machine
        room = Room(free[0], free[1:] if len(free) > 1 else None, top=top, bits=self._bits)
        found = machine.placed(machine.request_of(job), room, closed)
        return None if found is None else found[0]

    def _fits(self, placement: Placement, start: float, end: float) -> bool:
        first, last = self._steps_in(start, end)
        for place in range(first, last):  # noqa: SIM110 - no generator in C
            if not _has(self.free[place], placement):
                return False
        return True

    def _steps_in(self, start: float, end: float) -> tuple[int, int]:
        first = max(0, bisect_right(self.times, start) - 1)
        return first, max(first + 1, bisect_left(self.times, end))

    def _take(self, job: Job, placement: Placement, start: float, end: float) -> None:
        if end > start:
            self._has[job.number] = placement, end
            self._change(placement, start, end, -1)

    def _change(self, placement: Placement, start: float, end: float, sign: int) -> None:
        """Free a placement from `start` to `end`, or take it if `sign` is -1."""
        first = self._split(start)
        last = len(self.times) if end == NEVER else self._split(end)
        for place in range(first, last):
            _add(self.free[place], placement, sign)
            self.totals[place] += sign * placement.total
        for place in (last, first):
            self._join(place)

    def _split(self, date: float) -> int:
        """Make a step begin at a date, and return its index."""
        times = self.times
        place = bisect_left(times, date)
        if place == len(times) or times[place] != date:
            times.insert(place, date)
            self.free.insert(place, _copy(self.free[place - 1], len(self.free[0])))
            self.totals.insert(place, self.totals[place - 1])
        return place

    def _join(self, place: int) -> None:
        """Join a step with the step before, if both are equal."""
        free, totals = self.free, self.totals
        if (
            0 < place < len(totals)
            and totals[place] == totals[place - 1]
            and free[place] == free[place - 1]
        ):
            del self.times[place], free[place], totals[place]


def _copy(free: Rows, rows: int) -> Rows:
    return [row[:] for row in free[:rows]]


def _reduce(free: Rows, other: Rows) -> None:
    """Reduce the free resources to those that are also free in `other`."""
    for number, row in enumerate(free):
        beside = other[number]
        for node, count in enumerate(beside):
            now = row[node]
            if count < now:
                row[node] = count


def _add(free: Rows, placement: Placement, sign: int) -> None:
    """Free a placement, or take it if `sign` is -1."""
    row, amounts = free[0], placement.taken
    for place, node in enumerate(placement.nodes):
        row[node] += sign * amounts[place]
    if placement.rest is not None:
        for number, more in enumerate(placement.rest, 1):
            row = free[number]
            for place, node in enumerate(placement.nodes):
                row[node] += sign * more[place]


def _has(free: Rows, placement: Placement) -> bool:
    row, amounts = free[0], placement.taken
    for place, node in enumerate(placement.nodes):
        if row[node] < amounts[place]:
            return False
    if placement.rest is not None:
        for number, used in enumerate(placement.rest, 1):
            row = free[number]
            for place, node in enumerate(placement.nodes):
                if row[node] < used[place]:
                    return False
    return True
