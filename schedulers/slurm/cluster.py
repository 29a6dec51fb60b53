"""The machines that Slurm's schedulers plan on, as nodes."""

from bisect import bisect_left
from typing import Any, Protocol

from schedulers.core.counting import Counting
from schedulers.core.job import Job
from schedulers.core.machine import Machine
from schedulers.core.plan import Plan
from schedulers.errors import SchedulerError
from schedulers.machine.node_layout import Choice
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import NodeRequest, Nodes
from schedulers.machine.placing import first_of
from schedulers.slurm.runs import FitInRuns, runs_in


class FreeNow(Protocol):
    """What is free; see `Room`."""

    free: int

    def copy(self) -> "FreeNow":
        """Return the same, to be changed."""
        ...

    def give_back(self, placement: Placement) -> None:
        """Give back what a job had."""
        ...


class Cluster(Protocol):
    """What Slurm's schedulers ask of a machine."""

    nodes: int
    """All, as a bit mask."""

    @property
    def room(self) -> Any:  # noqa: ANN401 - its own
        """What is free now; see `FreeNow`."""
        ...

    def look(self, plan: Plan) -> None:
        """See who runs now, before a pass."""
        ...

    def ended(self, job: Job) -> None:
        """Note that a job has ended."""
        ...

    def choices(self, job: Job) -> list[Choice]:
        """Return the partitions that a job may run in."""
        ...

    def able(self, job: Job) -> int:
        """Return the nodes, as a bit mask, that have as much as a job needs on one."""
        ...

    def of_partition(self, choice: Choice) -> int:
        """Return all nodes of a partition, as a bit mask."""
        ...

    def least_nodes(self, job: Job) -> int:
        """Return on how many nodes a job has to be at least."""
        ...

    def place(self, job: Job, choice: Choice, room: Any, *, usable: int) -> Placement | None:  # noqa: ANN401
        """Choose where a job has room on some nodes of a partition."""
        ...

    def enough(self, job: Job, room: Any, *, usable: int) -> bool:  # noqa: ANN401
        """Say whether some nodes may have room for a job; never ``False`` where they have."""
        ...

    def has_whole(self, job: Job, choice: Choice) -> bool:
        """Say whether a job gets whole nodes there."""
        ...

    def held(self, job: Job) -> Placement:
        """Return what a running job has."""
        ...

    def take(self, job: Job, placement: Placement, machine: Any) -> bool:  # noqa: ANN401
        """Take room for a job on the machine, the one here or a gate around it."""
        ...

    def closed(self, job: Job, start: float) -> int:
        """Return the nodes that a job can't have from a date on, as a bit mask."""
        ...

    def openings(self, now: float) -> list[float]:
        """Return the dates after now at which other nodes are closed."""
        ...


class OfNodes:
    """The machine of nodes of a site; see `Cluster`."""

    def __init__(self, machine: Nodes, *, old: bool = False) -> None:
        self._machine = machine
        self.fit = FitInRuns(machine.layout, old=old)
        self._most = max(machine.layout.cores)
        self.nodes = machine.layout.all
        # by the memory that is needed on one
        self._able: dict[int, int] = {}

    @property
    def room(self) -> Any:  # noqa: ANN401 - see `Cluster`
        """What is free now; see `Cluster`."""
        return self._machine.room

    def look(self, plan: Plan) -> None:
        """Do nothing."""

    def ended(self, job: Job) -> None:
        """Do nothing."""

    def _asked(self, job: Job) -> NodeRequest:
        return self._machine.asked(job)

    def choices(self, job: Job) -> list[Choice]:
        """Return a job's partitions; see `Cluster`."""
        return self._asked(job).choices

    def able(self, job: Job) -> int:
        """Return the nodes with enough memory; see `Cluster`."""
        request, idle = self._asked(job).request, self._machine.layout.idle
        on_each = request.most_units
        as_many = on_each and request.nodes * on_each * request.unit == request.processors
        of_units = request.memory_of_unit * (on_each if as_many else 1)
        least = max(request.memory_on_node, of_units)
        if not least or idle.rest is None:
            return self.nodes
        able = self._able.get(least)
        if able is None:
            able = self._able[least] = idle.having(0, least)
        return able

    def of_partition(self, choice: Choice) -> int:
        """Return its nodes, whatever their features; see `Cluster`."""
        return self._machine.layout.partitions.get(choice.partition, self.nodes)

    def least_nodes(self, job: Job) -> int:
        """Return how many nodes it needs; see `Cluster`."""
        return self._asked(job).request.nodes or -(-job.processors // self._most)

    def place(self, job: Job, choice: Choice, room: Any, *, usable: int) -> Placement | None:  # noqa: ANN401
        """Choose where a job has room; see `Cluster`."""
        request = self._asked(job).request
        return self.fit.place(request, choice, room, closed=choice.nodes & ~usable)

    def enough(self, job: Job, room: Any, *, usable: int) -> bool:  # noqa: ANN401
        """Say whether as many processors are free anywhere; see `Cluster`."""
        return bool(room.free >= job.processors)

    def has_whole(self, job: Job, choice: Choice) -> bool:
        """Say whether a job gets whole nodes; see `Cluster`."""
        whole = self._machine.layout.whole
        return choice.whole or self._asked(job).request.whole or bool(whole & choice.nodes)

    def held(self, job: Job) -> Placement:
        """Return what a running job has; see `Cluster`."""
        return self._machine.held[job.number]

    def take(self, job: Job, placement: Placement, machine: Any) -> bool:  # noqa: ANN401
        """Take a job's nodes; see `Cluster`."""
        taken: bool = machine.take_at(job, placement)
        return taken

    def closed(self, job: Job, start: float) -> int:
        """Return the nodes that reservations close; see `Cluster`."""
        return self._machine.closed(job, start)

    def openings(self, now: float) -> list[float]:
        """Return when reservations begin or end; see `Cluster`."""
        return self._machine.dates.openings(now)


class Processors:
    """Free processors, as a bit mask; see `FreeNow`."""

    __slots__ = ("free", "mask")

    def __init__(self, mask: int, free: int) -> None:
        self.mask = mask
        self.free = free

    def copy(self) -> "Processors":
        """Return the same, to be changed."""
        return Processors(self.mask, self.free)

    def take(self, placement: Placement) -> None:
        """Take what a job gets."""
        self.mask &= ~placement.mask
        self.free -= placement.total

    def give_back(self, placement: Placement) -> None:
        """Give back what a job had."""
        self.mask |= placement.mask
        self.free += placement.total


class CountedProcessors:
    """A counted machine, as nodes of one processor; see `Cluster`."""

    def __init__(self, machine: Counting) -> None:
        self._machine = machine
        processors = machine.processors
        self.nodes = (1 << processors) - 1
        self._choices = [Choice("the machine", self.nodes, (self.nodes,), whole=False)]
        self._all = Processors(self.nodes, processors)
        self.room = Processors(self.nodes, processors)
        self._held: dict[int, Placement] = {}
        # those of which it is not known yet which processors they were given
        self._unsettled: set[int] = set()

    def look(self, plan: Plan) -> None:
        """See who runs where; see `Cluster`."""
        for number in self._unsettled:
            self._all.give_back(self._held.pop(number))
        self._unsettled.clear()
        for job in plan.jobs:
            number = job.number
            if number not in self._held and job.intervals:
                mask = sum((1 << last + 1) - (1 << first) for first, last in job.intervals)
                self._held[number] = held = _placed(mask)
                self._all.take(held)
        self.room = self._all.copy()
        lost = self.room.free - self._machine.free
        if lost > 0:
            kept = first_of(self.room.mask, max(0, self._machine.free))
            self.room.take(_placed(self.room.mask & ~kept))

    def ended(self, job: Job) -> None:
        """Note that a job has ended; see `Cluster`."""
        self._unsettled.discard(job.number)
        held = self._held.pop(job.number, None)
        if held is not None:
            self._all.give_back(held)

    def choices(self, job: Job) -> list[Choice]:
        """Return the whole machine; see `Cluster`."""
        return self._choices

    def able(self, job: Job) -> int:
        """Return all processors; see `Cluster`."""
        return self.nodes

    def of_partition(self, choice: Choice) -> int:
        """Return all processors; see `Cluster`."""
        return self.nodes

    def least_nodes(self, job: Job) -> int:
        """Return how many processors it needs; see `Cluster`."""
        return job.processors

    def place(self, job: Job, choice: Choice, room: Any, *, usable: int) -> Placement | None:  # noqa: ANN401
        """Choose processors that stand side by side; see `Cluster`."""
        free = room.mask & usable
        if free.bit_count() < job.processors:
            return None
        return _placed(side_by_side(free, job.processors))

    def enough(self, job: Job, room: Any, *, usable: int) -> bool:  # noqa: ANN401
        """Say whether as many processors are free; see `Cluster`."""
        return bool((room.mask & usable).bit_count() >= job.processors)

    def has_whole(self, job: Job, choice: Choice) -> bool:
        """Say that a job gets whole nodes, since they are processors; see `Cluster`."""
        return True

    def held(self, job: Job) -> Placement:
        """Return what a running job has; see `Cluster`."""
        return self._held[job.number]

    def take(self, job: Job, placement: Placement, machine: Any) -> bool:  # noqa: ANN401
        """Take as many processors as a job asks for; see `Cluster`."""
        if not machine.take(job):
            return False
        self._held[job.number] = placement
        self._unsettled.add(job.number)
        self._all.take(placement)
        self.room.take(placement)
        return True

    def closed(self, job: Job, start: float) -> int:
        """Return none; see `Cluster`."""
        return 0

    def openings(self, now: float) -> list[float]:
        """Return none; see `Cluster`."""
        return []


def cluster_of(machine: Machine, *, old: bool) -> Cluster:
    """Return a machine as Slurm's schedulers see it, those of 22.05 if they are `old`.

    From then on it refuses jobs for which they never find nodes.

    Raises
    ------
    SchedulerError
        It has neither nodes nor a number of processors.
    """
    if isinstance(machine, Counting):
        return CountedProcessors(machine)
    if isinstance(machine, Nodes):
        cluster = OfNodes(machine, old=old)
        # else such a job would wait for ever, and the passes never end
        machine.also_by(cluster.fit)
        return cluster
    raise SchedulerError(
        "backfilling 'slurm' plans on a site's nodes or on a counted machine, and not on one of "
        f"'{type(machine).__name__}': leave out 'machine'"
    )


def _placed(mask: int) -> Placement:
    return Placement((), (), (), None, mask, mask.bit_count())


def side_by_side(free: int, count: int) -> int:
    """Return so many of the free processors, as a bit mask: of the smallest run that suffices.

    If none does, all of the largest, and so on with the rest.

    Examples
    --------
    >>> bin(side_by_side(0b110111, 2)), bin(side_by_side(0b110111, 4))
    ('0b110000', '0b10111')
    """
    ordered = sorted((run.bit_count(), place, run) for place, run in enumerate(runs_in(free)))
    chosen = 0
    while count:
        place = bisect_left(ordered, count, key=lambda run: run[0])
        if place == len(ordered):
            place = bisect_left(ordered, ordered[-1][0], key=lambda run: run[0])
        size, _, run = ordered.pop(place)
        chosen |= first_of(run, count)
        count -= min(size, count)
    return chosen
