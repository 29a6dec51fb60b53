"""The machine of a site with nodes, partitions, outages and reservations."""

from collections.abc import Callable
from copy import copy
from typing import Any

from schedulers.core.constants import BACKFILLED, NEVER, QUEUE
from schedulers.core.job import Job
from schedulers.core.machine import Machine, Without
from schedulers.errors import SchedulerError
from schedulers.machine.node_fit import NodeFit
from schedulers.machine.node_layout import Choice, NodeDates, NodeLayout
from schedulers.machine.node_request import Request, key_of, request_of
from schedulers.machine.node_reservation import NodeReservation, reservation_of
from schedulers.machine.node_room import NodeProcessors, Placement, Room
from schedulers.machine.nodes_over_time import NodesOverTime
from schedulers.machine.placing import room_in
from schedulers.site.site import Date, Site
from workload_tools.batsim.intervals import Intervals


class NodeRequest:
    """The request that equal jobs share, and where the jobs may run or why they can never run."""

    __slots__ = ("any_do", "choices", "lasting", "lasts", "refusal", "request")

    def __init__(self, request: Request, machine: "Nodes") -> None:
        self.request = request
        found = machine.layout.choices(request)
        self.choices: list[Choice] = [] if isinstance(found, str) else found
        self.refusal = found if isinstance(found, str) else None
        if self.refusal is None and request.reservation:
            self.refusal = machine.dates.refusal(request.reservation, request.user, request.account)
        if self.refusal is None:
            for fit in machine.fits:
                self.refusal = self.refusal or fit.refusal(request, self.choices)
        self.lasting: dict[float | None, NodeRequest] = {}
        """A copy of this object for each walltime, if the site has reservations."""
        self.lasts: bool | None = None
        """Whether the request fits after the last change of the machine; ``None``: not computed."""
        self.any_do = request.plain and not any(choice.whole for choice in self.choices)


class Nodes(Machine):
    """Gives jobs nodes by their requests, in a way similar to Slurm's.

    *Requests.* A job that requests only processors gets the fewest nodes that hold these
    processors. A job with `nodes` gets exactly this number of nodes, with at least one processor on
    each node and as equal numbers as possible. With `tasks_per_node`, a job gets at most this
    number of tasks on each node. If `tasks` divides the processors, all processors of a task are on
    one node. Memory is requested per node (`memory_per_node`) or as a total (`memory`), shared
    equally by the processors. If the site does not state a node's memory, the request for
    memory is ignored. GPUs are requested per node (`gpus_per_node`) or as a total, which a job with
    `nodes` gets in equal numbers on each node. An `exclusive` job gets only idle nodes, and shares
    them with no other job. A class of nodes or a partition can also require whole nodes. Jobs never
    share a core.

    *Choice of nodes.* A job runs in the first of its partitions that has room. A job without a
    partition may use all nodes. Nodes of a lower weight come first. Among nodes of equal weight,
    the fullest nodes with enough room come first.

    *Dates.* The scheduler does not know outages and steps of capacity before they begin. Running
    jobs continue, but no job starts on the missing processors. A step of capacity takes them from
    the nodes with the highest numbers. A job may not start on the nodes of a site's reservation if
    its walltime reaches into the reservation. A job without a walltime counts as endless. Jobs that
    name the reservation and may use it start only on its nodes, and only from its begin to its end.

    *Planned reservations of jobs.* A job that can use any processors reserves enough processors,
    but no particular nodes. Any other job reserves the nodes that it would get at the first planned
    end after which it has room. Jobs whose estimated end is later get only resources that the
    reserved job does not need.

    `seconds` converts a date of the site to seconds of the workload. It raises a `SiteError` for a
    calendar date that cannot be converted.

    Examples
    --------
    >>> from schedulers.site.site import NodeClass
    >>> machine = Nodes(Site(nodes=(NodeClass(name="thin", count=2, cores=4),)), float)
    >>> machine.begin(8)
    >>> from schedulers.core.job import Job
    >>> first = Job("w0!1", 0.0, 4, 60.0, fields={"node": 2}, number=1)
    >>> second = Job("w0!2", 0.0, 3, 60.0, fields={"node": 1}, number=2)
    >>> machine.take(first), machine.take(second), machine.allocate(first)
    (True, False, ((0, 1), (4, 5)))
    >>> first.planned_end = 60.0
    >>> machine.reserve(second, [first], 0.0).date
    60.0
    """

    def __init__(self, site: Site, seconds: Callable[[Date], float]) -> None:
        self.needs_fields = True
        self.site = site
        self.layout = layout = NodeLayout(site)
        self.fit = NodeFit(layout)
        self.fits: tuple[NodeFit, ...] = (self.fit,)
        """A job must fit on the idle nodes by each of these rules; see `also_by`."""
        self.dates = NodeDates(
            site, seconds, cores=layout.cores, threads=layout.threads, partitions=layout.partitions
        )
        self.dated = bool(self.dates.kept)
        self._known: dict[tuple[object, ...], NodeRequest] = {}
        self.by_size = False
        self._become_idle()

    def _become_idle(self) -> None:
        self.room = self.layout.idle.copy()
        self.held: dict[int, Placement] = {}
        """The resources of running jobs, by the job's number."""
        self.places: dict[int, Placement] = {}
        """The planned resources of waiting jobs, by the job's number."""
        self._processors = NodeProcessors(self.layout.cores, self.layout.first)
        # requests that have found no room since the last end of a job
        self._without: set[NodeRequest] = set()
        # by bit mask of nodes: an upper bound of the free processors since the last end of a job
        self._free_on: dict[int, int] = {}
        self.free = self.room.free
        self.now = 0.0
        self._next_change = -NEVER
        self.lost: Placement | None = None
        """The processors that outages and steps of capacity take away now."""

    @property
    def processors(self) -> int:
        """The number of processors; see `Machine`."""
        return self.layout.processors

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        if processors != self.layout.processors:
            raise SchedulerError(
                f"the nodes of site '{self.site.name}' have {self.layout.processors} processors; "
                f"the platform has {processors}"
            )
        self._become_idle()
        self.look(0.0)

    def look(self, now: float) -> bool:
        """Apply the outages, steps of capacity and reservations that begin or end by now.

        Return ``True`` if there was such a change since the last call.
        """
        self.now = now
        if now < self._next_change:
            return False
        self._next_change = self.dates.next_change(now)
        self._without.clear()
        self._free_on.clear()
        if self.lost is not None:
            self.room.give_back(self.lost)
        lost = self.dates.lost(now)
        self.lost = None
        if lost:
            self.lost = _placement_of(lost)
            self.room.take(self.lost)
        self.free = self.room.free
        return True

    def next_change(self, now: float) -> float:
        """Return the next date at which an outage, capacity step or reservation begins or ends."""
        return self._next_change if now < self._next_change else self.dates.next_change(now)

    def lasting_refusal(self, job: Job) -> tuple[float, str]:
        """Return the date from which on a job never has room, or `NEVER`, and the reason."""
        if not self.dates.changes:
            return NEVER, ""
        request, last = self.request_of(job), self.dates.changes[-1]
        if request.lasts is None:
            request.lasts = self._has_room_after(last, request)
        if request.lasts:
            return NEVER, ""
        return last, f"asks for {job.processors} processors; from now on, the nodes have too few"

    def _has_room_after(self, last: float, request: NodeRequest) -> bool:
        """Return True if a request has room on idle nodes after the last change of the site."""
        lost, closed = self.dates.lost(last), 0
        if not request.request.reservation:
            closed = self.dates.closed("", last, NEVER)
        if not (lost or closed):
            return True
        room = self.layout.idle.copy()
        room.take(_placement_of(lost))
        return self.placed(request, room, closed) is not None

    def also_by(self, fit: NodeFit) -> None:
        """Also reject jobs for which a scheduler with its own choice of nodes never finds room."""
        self.fits = (self.fit, fit)
        self._known.clear()

    def refusal(self, job: Job) -> str | None:
        """Return why a job could not run on the idle machine, or ``None``; see `Machine`."""
        job.kind = request = self._ask(job)
        return request.refusal

    def request_of(self, job: Job) -> NodeRequest:
        """Return the request of a job."""
        request: NodeRequest | None = job.kind
        if request is None:
            job.kind = request = self._ask(job)
        return request

    def _ask(self, job: Job) -> NodeRequest:
        key = key_of(job)
        try:
            known = self._known.get(key)
        except TypeError:
            # a field of the workload holds a list or another unhashable value
            known = None
            key = (job.number, None)
        if known is None:
            request = request_of(job, memory=self.layout.memory)
            known = self._known[key] = NodeRequest(request, self)
        if not self.dated:
            return known
        lasting = known.lasting.get(job.walltime)
        if lasting is None:
            lasting = known.lasting[job.walltime] = copy(known)
        return lasting

    def take(self, job: Job) -> bool:
        """Take the best nodes with room; see `Machine`."""
        if job.processors > self.free:
            return False
        request = self.request_of(job)
        if request in self._without:
            return False
        found = None
        if self._room_for(request):
            found = self.placed(request, self.room, self.closed(job, self.now))
        if found is None:
            self._without.add(request)
            return False
        self.take_placement(job, found[0])
        return True

    def take_at(self, job: Job, placement: Placement) -> bool:
        """Take nodes that the scheduler has chosen; return False if they are not free."""
        if not self.room.has(placement):
            return False
        self.take_placement(job, placement)
        return True

    def take_placement(self, job: Job, placement: Placement) -> None:
        """Take the chosen resources for a job that starts."""
        self.room.take(placement)
        self.free = self.room.free
        self.held[job.number] = placement
        if self.places:
            self.places.pop(job.number, None)

    def node_count(self, job: Job, placement: Placement | None = None) -> int:
        """Return how many nodes a job has, or would have with another placement."""
        return len((placement or self.held[job.number]).nodes)

    def gpu_count(self, job: Job, placement: Placement | None = None) -> int:
        """Return how many GPUs a job has, or would have with another placement.

        A job on whole nodes has all GPUs of these nodes.
        """
        placement, idle = placement or self.held[job.number], self.layout.idle.rest
        if idle is not None and self.request_of(job).request.whole:
            return sum([row[node] for row in idle[1:] for node in placement.nodes])
        return 0 if placement.rest is None else sum([sum(row) for row in placement.rest[1:]])

    def _room_for(self, request: NodeRequest) -> bool:
        """Return False if the requested partitions certainly have too few free processors."""
        free_on, size = self._free_on, request.request.processors
        for choice in request.choices:
            free = free_on.get(choice.nodes)
            if free is None:
                free = free_on[choice.nodes] = room_in(self.room.levels, choice.nodes)
            if free >= size:
                return True
        return False

    def placed(
        self, request: NodeRequest, room: Room, closed: int
    ) -> tuple[Placement, Choice] | None:
        """Choose free resources for a request, outside the closed nodes; ``None`` without room.

        The resources are in the first partition that has room.
        """
        for choice in request.choices:
            placement = self.fit.place(request.request, choice, room, closed)
            if placement is not None:
                return placement, choice
        return None

    def closed(self, job: Job, start: float) -> int:
        """Return the nodes closed to a job that starts at a date, as a bit mask."""
        if not self.dated:
            return 0
        return self.dates.closed(
            self.request_of(job).request.reservation, start, start + job.walltime
        )

    def reserve(self, job: Job, running: list[Job], now: float) -> NodeReservation:
        """Find the first planned end after which the job has room; see `Machine`."""
        return reservation_of(self, job, running, now)

    def without(self, reservation: NodeReservation) -> Without:
        """Return the requests that have no room; see `Machine`."""
        return self._without, reservation.without

    def take_beside(self, job: Job, reservation: Any, end: float) -> bool:  # noqa: ANN401 - its own
        """Take nodes beside the reservation, or reserved nodes until it begins; see `Machine`."""
        beside: NodeReservation = reservation
        request = self.request_of(job)
        if request in self._without:
            beside.without.add(request)
            return False
        if end <= beside.date:
            if not self.take(job):
                return False
            job.started_as = BACKFILLED
            return True
        if request in beside.without or job.processors > min(self.free, beside.extra):
            return False
        closed = self.closed(job, self.now)
        pinned = beside.pinned
        if pinned is None:
            placement = self._beside_any(request, beside, closed)
        else:
            kept = pinned.blocked_part(self.room)
            self.room.take(kept)
            found = self.placed(request, self.room, closed)
            self.room.give_back(kept)
            placement = None if found is None else found[0]
        if placement is None:
            beside.without.add(request)
            return False
        if pinned is None:
            beside.left -= placement.within(beside.nodes)
        else:
            pinned.take(placement)
        beside.extra -= placement.total
        self.take_placement(job, placement)
        job.started_as = QUEUE
        return True

    def _beside_any(
        self, request: NodeRequest, reservation: NodeReservation, closed: int
    ) -> Placement | None:
        """Choose nodes for a job so that enough of the reserved processors are left."""
        outside, size = reservation.outside, request.request.processors - reservation.left
        for choice in request.choices:
            free = outside.get(choice.nodes)
            if free is None:
                others = choice.nodes & ~reservation.nodes
                free = outside[choice.nodes] = room_in(self.room.levels, others)
            if free >= size:
                break
        else:
            return None
        found = self.placed(request, self.room, closed)
        if found is None:
            return None
        placement = found[0]
        if placement.within(reservation.nodes) > reservation.left:
            found = self.placed(request, self.room, closed | reservation.nodes)
        return None if found is None else found[0]

    def give_back(self, job: Job) -> None:
        """Free the nodes of a job; see `Machine`."""
        number = job.number
        self.room.give_back(self.held.pop(number))
        self.free = self.room.free
        self._processors.release(number)
        self._without.clear()
        self._free_on.clear()

    def allocate(self, job: Job) -> Intervals:
        """Return a job's processors, the lowest free ones of its nodes; see `Machine`."""
        return self._processors.allocate(job.number, self.held[job.number])

    def availability(self, now: float) -> NodesOverTime:
        """Return the free nodes over time, from now on; see `Machine`."""
        return NodesOverTime(self, now=now)


def _placement_of(lost: dict[int, int]) -> Placement:
    """Return a placement that takes the lost processors of each node."""
    counts = [*lost.values()]
    return Placement(list(lost), counts, counts, None, 0, sum(counts))
