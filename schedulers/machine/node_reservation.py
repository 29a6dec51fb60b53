"""When the nodes of a site have room for a waiting job, and what others may have until then."""

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from schedulers.core.job import Job
from schedulers.core.machine import NEVER, Reservation
from schedulers.machine.node_room import Placement, Room
from schedulers.machine.placing import room_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from schedulers.machine.node_layout import Choice
    from schedulers.machine.nodes import NodeRequest, Nodes


class NodeReservation(Reservation):
    """The nodes on which a waiting job is estimated to have room, and when; see `Reservation`.

    A job for which any processors do keeps none in particular: of its `nodes`, a bit mask, others
    that are there at its date may have so many that enough are left. Else the nodes are `pinned`,
    and others may have there what it leaves over.
    """

    def __init__(self, date: float, extra: int) -> None:
        super().__init__(date, extra)
        self.nodes = 0
        self.left = 0
        """How many processors it leaves over of its nodes, from its date on."""
        self.pinned: Pinned | None = None
        self.without: set[Any] = set()
        """What was found to have no room beside it."""
        self.outside: dict[int, int] = {}
        """At most so many processors are free outside its nodes on others, by their bit masks."""


class Pinned:
    """What a job that has a reservation leaves over of its nodes."""

    def __init__(self, placement: Placement, room: Room) -> None:
        self.places = {node: place for place, node in enumerate(placement.nodes)}
        self.left = [
            max(0, room.free_on[node] - count)
            for node, count in zip(placement.nodes, placement.taken, strict=True)
        ]
        """Of the processors on each."""
        self.rest: NDArray[np.int64] | None = None
        if room.rest is not None:
            self.rest = room.rest[:, placement.nodes]
            if placement.rest is not None:
                self.rest = self.rest - placement.rest

    def kept_from(self, room: Room) -> Placement:
        """Return what of the room now others can't have that are there at its date."""
        nodes = tuple(self.places)
        counts = tuple(
            max(0, room.free_on[node] - left) for node, left in zip(nodes, self.left, strict=True)
        )
        rest = None
        if self.rest is not None and room.rest is not None:
            rest = np.maximum(room.rest[:, nodes] - self.rest, 0)
        return Placement(nodes, counts, counts, rest, 0, sum(counts))

    def take(self, placement: Placement) -> None:
        """Take off what another one has that is there at its date."""
        for column, node in enumerate(placement.nodes):
            place = self.places.get(node)
            if place is not None:
                self.left[place] -= placement.taken[column]
                if self.rest is not None and placement.rest is not None:
                    self.rest[:, place] -= placement.rest[:, column]


def reservation_of(machine: "Nodes", job: Job, running: list[Job], now: float) -> NodeReservation:
    """Find the first planned end after which a job has room; see `Machine.reserve`."""
    asked = machine.asked(job)
    if asked.any_do and machine.lost is None:
        choice, *others = asked.choices
        date, left = _first_enough(machine, job.processors, choice.nodes, running, now)
        for other in others:
            earlier, left_there = _first_enough(machine, job.processors, other.nodes, running, now)
            if earlier < date:
                date, left, choice = earlier, left_there, other
        if date == NEVER or not machine.closed(job, date) & choice.nodes:
            return _any_of(machine, date, left, choice.nodes)
    search = _Search(machine, job, running, now)
    found = search.first()
    if found is None:
        return NodeReservation(NEVER, machine.room.free)
    date, room, placement, choice = found
    if asked.any_do:
        nodes = choice.nodes & ~machine.closed(job, date)
        return _any_of(machine, date, room_in(room.levels, nodes) - job.processors, nodes)
    reservation = NodeReservation(date, 0)
    reservation.pinned = pinned = Pinned(placement, room)
    reservation.extra = machine.room.free - pinned.kept_from(machine.room).total
    return reservation


def _any_of(machine: "Nodes", date: float, left: int, nodes: int) -> NodeReservation:
    room = machine.room
    if date == NEVER:
        return NodeReservation(NEVER, room.free)
    outside = 0 if nodes == machine.layout.all else room.free - room_in(room.levels, nodes)
    reservation = NodeReservation(date, left + outside)
    reservation.nodes, reservation.left = nodes, left
    return reservation


def _first_enough(
    machine: "Nodes", processors: int, nodes: int, running: list[Job], now: float
) -> tuple[float, int]:
    """Return when enough processors are free on some nodes, whichever, and how many are left."""
    date, held = now, machine.held
    everywhere = nodes == machine.layout.all
    room = machine.room
    missing = processors - (room.free if everywhere else room_in(room.levels, nodes))
    for job in running:
        if missing <= 0 and job.planned_end > date:
            break
        if job.planned_end > date:
            date = job.planned_end
        placement = held[job.number]
        missing -= placement.total if everywhere else placement.within(nodes)
    else:
        if missing > 0:
            return NEVER, 0
    return date, -missing


class _Search:
    """Goes through the planned ends for the first after which a job has room."""

    def __init__(self, machine: "Nodes", job: Job, running: list[Job], now: float) -> None:
        self._machine = machine
        self._asked: NodeRequest = machine.asked(job)
        self._job = job
        self._now = now
        self._running = running
        # for each date how many have ended by then
        first = bisect_right(running, now, key=attrgetter("planned_end"))
        ended = {now: first}
        later = enumerate(running[first:], first + 1)
        ended |= {other.planned_end: place for place, other in later}
        self._dates = list(ended)
        self._counts = list(ended.values())

    def first(self) -> tuple[float, Room, Placement, "Choice"] | None:
        """Return the date, what is free then, and where the job is placed; ``None`` without."""
        reached = self._first_without_dates()
        if reached is None:
            return None
        place, room = reached
        done = self._counts[place]
        for date, ended in self._from(place):
            self._end(room, done, ended)
            done = ended
            found = self._machine.placed(self._asked, room, self._machine.closed(self._job, date))
            if found is not None:
                return date, room, *found
        return None

    def _from(self, place: int) -> Iterator[tuple[float, int]]:
        """Yield the dates from one on, and how many have ended by then."""
        first = self._dates[place]
        dates = dict(zip(self._dates[place:], self._counts[place:], strict=True))
        ended = 0
        for date in sorted({*dates, *self._machine.dates.openings(first)}):
            ended = dates.get(date, ended)
            yield date, ended

    def _first_without_dates(self) -> tuple[int, Room] | None:
        """Find the first date on which the job has room if no reservation of the site counts.

        From then on more and more is free, so it is found by ever larger steps, and then by halves.
        """
        counts = self._counts
        last = len(counts) - 1
        low, high, step = -1, 0, 1
        room = self._machine.room.copy()
        self._end(room, 0, counts[0])
        before = room
        while not self._fits(room):
            if high == last:
                return None
            before = room
            low, high = high, min(high + step, last)
            step *= 2
            room = self._later(before, low, high)
        while high - low > 1:
            middle = (low + high) // 2
            halfway = self._later(before, low, middle)
            if self._fits(halfway):
                high, room = middle, halfway
            else:
                low, before = middle, halfway
        return high, room

    def _fits(self, room: Room) -> bool:
        if room.free < self._job.processors:
            return False
        return self._machine.placed(self._asked, room, 0) is not None

    def _later(self, room: Room, first: int, last: int) -> Room:
        room = room.copy()
        self._end(room, self._counts[first], self._counts[last])
        return room

    def _end(self, room: Room, first: int, last: int) -> None:
        held = self._machine.held
        room.give_back_all([held[job.number] for job in self._running[first:last]])
