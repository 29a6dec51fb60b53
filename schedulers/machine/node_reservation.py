"""Reservations on nodes: when a waiting job has room, and what other jobs may use."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.machine import Reservation
from schedulers.machine.node_room import Placement, Room, Rows
from schedulers.machine.placing import room_in

if TYPE_CHECKING:
    from schedulers.machine.nodes import Nodes


class NodeReservation(Reservation):
    """When, and on which nodes, a waiting job is estimated to have room; see `Reservation`.

    A job that can use any processors reserves no particular processors. Jobs that run beyond the
    date may use up to `left` processors of its `nodes` (a bit mask). A job with other requests
    reserves `pinned` nodes. Jobs that run beyond the date may use the resources of these nodes that
    the waiting job does not need. `without` holds the requests that have no room beside the
    reservation. `outside` holds, by bit mask of nodes, an upper bound of the free processors
    outside `nodes`.
    """

    def __init__(self, date: float, extra: int) -> None:
        self.date = date
        self.extra = extra
        self.nodes = 0
        self.left = 0
        self.pinned: Pinned | None = None
        self.without: set[Any] = set()
        self.outside: dict[int, int] = {}


class Pinned:
    """The processors, memory and GPUs of reserved nodes that the waiting job does not need."""

    def __init__(self, placement: Placement, room: Room) -> None:
        self.nodes = placement.nodes
        self.left = _above(room.free_on, self.nodes, placement.taken)
        self.rest: Rows | None = None
        if room.rest is not None:
            taken = placement.rest or [[0] * len(self.nodes)] * len(room.rest)
            self.rest = [_left(row, self.nodes, taken[k]) for k, row in enumerate(room.rest)]

    def blocked_part(self, room: Room) -> Placement:
        """Return the part of the free room that jobs running beyond the date may not use."""
        counts = _above(room.free_on, self.nodes, self.left)
        rest = None
        if self.rest is not None and room.rest is not None:
            rest = [_above(row, self.nodes, self.rest[k]) for k, row in enumerate(room.rest)]
        return Placement(self.nodes, counts, counts, rest, 0, sum(counts))

    def take(self, placement: Placement) -> None:
        """Subtract the resources of another job that runs beyond the date."""
        for column, node in enumerate(placement.nodes):
            if node in self.nodes:
                place = self.nodes.index(node)
                self.left[place] -= placement.taken[column]
                if self.rest is not None and placement.rest is not None:
                    for number, row in enumerate(self.rest):
                        row[place] -= placement.rest[number][column]


def _left(free_on: list[int], nodes: tuple[int, ...], taken: Sequence[int]) -> list[int]:
    left = []
    for place, node in enumerate(nodes):
        left.append(free_on[node] - taken[place])
    return left


def _above(free_on: list[int], nodes: tuple[int, ...], left: Sequence[int]) -> list[int]:
    """Return for each node by how much `free_on` exceeds `left`, at least 0."""
    above = []
    for place, node in enumerate(nodes):
        more = free_on[node] - left[place]
        above.append(more if more > 0 else 0)  # noqa: FURB136 - in C
    return above


def reservation_of(machine: "Nodes", job: Job, running: list[Job], now: float) -> NodeReservation:
    """Reserve nodes from the first planned end after which a job has room; see `Machine`."""
    request = machine.request_of(job)
    if request.any_do and machine.lost is None:
        choice, *others = request.choices
        date, left = _first_enough(machine, job.processors, choice.nodes, running, now)
        for other in others:
            earlier, left_there = _first_enough(machine, job.processors, other.nodes, running, now)
            if earlier < date:
                date, left, choice = earlier, left_there, other
        if date == NEVER or not machine.closed(job, date) & choice.nodes:
            return _any_of(machine, date, left, choice.nodes)
    found = _search(machine, job, running, now)
    if found is None:
        return NodeReservation(NEVER, machine.room.free)
    date, room, placement, choice = found
    if request.any_do:
        nodes = choice.nodes & ~machine.closed(job, date)
        return _any_of(machine, date, room_in(room.levels, nodes) - job.processors, nodes)
    reservation = NodeReservation(date, 0)
    reservation.pinned = Pinned(placement, room)
    reservation.extra = machine.room.free - reservation.pinned.blocked_part(machine.room).total
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
    """Return the first date with enough free processors on `nodes`, and how many are left over."""
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
    if missing > 0:
        return NEVER, 0
    return date, -missing


def _search(
    machine: "Nodes", job: Job, running: list[Job], now: float
) -> tuple[float, Room, Placement, Any] | None:
    """Return the first planned end after which a job has room, the free room then, and its nodes.

    If the site's reservations are ignored, free resources only grow from date to date. So growing
    steps and bisection find a first date. If the site has reservations, the search then tries the
    dates one by one, from this date on.
    """
    request, held = machine.request_of(job), machine.held
    dates, counts = _ends(running, now)
    first = _first(machine, job, running, counts)
    if first is None:
        return None
    high, room, found = first
    if not machine.dated:
        return dates[high], room, *found
    done, ended = counts[high], dict(zip(dates[high:], counts[high:], strict=True))
    for date in sorted({*ended, *machine.dates.openings(dates[high])}):
        until = ended.get(date, done)
        _end(room, held, running, done, until)
        done = until
        found = machine.placed(request, room, machine.closed(job, date))
        if found is not None:
            return date, room, *found
    return None


def _first(
    machine: "Nodes", job: Job, running: list[Job], counts: list[int]
) -> tuple[int, Room, Any] | None:
    """Return the index of the first date with room, the free room, and the chosen nodes.

    The site's reservations are ignored.
    """
    request, held, size = machine.request_of(job), machine.held, job.processors
    low, high, step, last = -1, 0, 1, len(counts) - 1
    before = room = machine.room.copy()
    _end(room, held, running, 0, counts[0])
    found = None
    while True:
        if room.free >= size:
            found = machine.placed(request, room, 0)
        if found is not None:
            break
        if high == last:
            return None
        before, low = room, high
        high = min(high + step, last)
        step += step
        room = before.copy()
        _end(room, held, running, counts[low], counts[high])
    while high - low > 1:
        middle = (low + high) >> 1
        halfway = before.copy()
        _end(halfway, held, running, counts[low], counts[middle])
        there = None
        if halfway.free >= size:
            there = machine.placed(request, halfway, 0)
        if there is None:
            low, before = middle, halfway
        else:
            high, room, found = middle, halfway, there
    return high, room, found


def _ends(running: list[Job], now: float) -> tuple[list[float], list[int]]:
    """Return the dates of planned ends from now on, and how many jobs end by each date."""
    dates: list[float] = []
    counts: list[int] = []
    latest, count = now, 0
    for job in running:
        if job.planned_end > latest:
            dates.append(latest)
            counts.append(count)
            latest = job.planned_end
        count += 1
    return [*dates, latest], [*counts, count]


def _end(room: Room, held: dict[int, Placement], running: list[Job], first: int, last: int) -> None:
    for place in range(first, last):
        job = running[place]
        placement = held[job.number]
        room.give_back(placement)
