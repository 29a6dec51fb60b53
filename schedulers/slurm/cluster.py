"""The machine that Slurm's schedulers plan on, as nodes, and the ends of the jobs on it."""

from typing import Any

from schedulers.core.counting import Counting
from schedulers.core.job import Job
from schedulers.core.machine import Machine
from schedulers.core.nodeset import NodeSet
from schedulers.core.plan import Plan
from schedulers.machine.node_layout import Choice
from schedulers.machine.placing import first_of


class Ending:
    """A running job's end by its limit, in seconds, and what it gives back then."""

    __slots__ = ("date", "held", "number", "placement")

    date: float
    number: int
    """Of the job; of those that end together the first submitted is looked at first."""
    held: NodeSet
    placement: Any
    """The machine's own; ``None`` if the nodes say all."""


def ending_of(date: float, number: int, held: NodeSet, placement: Any) -> Ending:  # noqa: ANN401
    """Return an end; compiled, that is faster than an ``__init__`` with arguments."""
    ending = Ending.__new__(Ending)
    ending.date = date
    ending.number = number
    ending.held = held
    ending.placement = placement
    return ending


def insert(ends: list[Ending], ending: Ending) -> None:
    """Put an end in its place, by date and number: most often the last one."""
    place = len(ends)
    while place:
        other = ends[place - 1]
        if other.date < ending.date or (other.date == ending.date and other.number < ending.number):
            break
        place -= 1
    ends.insert(place, ending)


class Cluster:
    """A counted machine as Slurm's schedulers see it: nodes of one processor.

    `room` is what is free now. `found` are the nodes that were chosen last, and `placement` is the
    place, if its nodes do not say all; other machines, of a subclass, have both in their own form.
    With `has_dates` nodes may be closed to some jobs.
    """

    room: Any
    placement: Any

    def __init__(self, machine: Counting) -> None:
        self.machine = machine
        size = machine.processors
        self.nodes = self.found = nodes = NodeSet(size)
        nodes.add_range(0, size - 1)
        self.placement = None
        self.has_dates = False
        self.all_free = nodes.copy()
        """What no running job has; some of it may be lost to a smaller capacity."""
        self.room = self.all_free
        self.common = nodes.copy()
        every = nodes.bits
        self.everywhere = [Choice("the machine", every, (every,), whole=False)]
        self.nodes_of: dict[int, NodeSet] = {}
        """Those of the running jobs, by number."""
        self.unsettled: list[Job] = []
        """The jobs that were started last: it is not known yet which processors they got."""

    def look(self, plan: Plan) -> None:
        """See what is free before a pass, and which processors the jobs got."""
        running: list[Job] = []
        for job in self.unsettled:
            guessed = self.nodes_of.get(job.number)
            if guessed is not None:
                self.all_free.add(guessed)
                running.append(job)
        for job in running:
            held = NodeSet(self.nodes.nodes)
            for first, last in job.intervals:
                held.add_range(first, last)
            self.nodes_of[job.number] = held
            self.all_free.remove(held)
        self.unsettled = []
        self.room = self.all_free
        free = self.machine.free
        if self.all_free.count() > free:
            self.room = NodeSet(self.nodes.nodes, first_of(self.all_free.bits, max(0, free)))

    def ended(self, job: Job) -> None:
        """Note that a job has ended."""
        held = self.nodes_of.pop(job.number, None)
        if held is not None:
            self.all_free.add(held)

    def free(self) -> int:
        """Return how many processors are free now."""
        room: NodeSet = self.room
        return room.count()

    def choices(self, job: Job) -> list[Choice]:
        """Return the partitions that a job may run in."""
        return self.everywhere

    def kind(self, job: Job) -> object:
        """Return the same for jobs that are placed alike in a partition."""
        return job.processors

    def of_choice(self, choice: Choice) -> NodeSet:
        """Return the nodes of a partition with the features that are asked for."""
        return self.nodes

    def of_partition(self, choice: Choice) -> NodeSet:
        """Return all nodes of a partition."""
        return self.nodes

    def able(self, job: Job, choice: Choice) -> NodeSet | None:
        """Return the nodes of a choice with as much as a job needs on one; ``None``: all."""
        return None

    def least_nodes(self, job: Job) -> int:
        """Return on how many nodes a job has to be at least."""
        return job.processors

    def place(self, job: Job, choice: Choice, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Choose where a job has room on some nodes of a partition; say whether it has any.

        Here that is on processors that stand side by side.
        """
        free: NodeSet = room
        if free.count_common(usable) < job.processors:
            return False
        self.common.assign(free)
        self.common.keep(usable)
        self.found = self.common.runs(job.processors)
        return True

    def may_place(self, job: Job, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Say whether some nodes may have room for a job; never ``False`` where they have."""
        return usable.count_common(room) >= job.processors

    def has_whole(self, job: Job, choice: Choice) -> bool:
        """Say whether a job gets whole nodes there."""
        return True

    def held(self, job: Job) -> NodeSet:
        """Return the nodes of a running job."""
        return self.nodes_of[job.number]

    def held_as(self, job: Job) -> Any:  # noqa: ANN401 - the machine's own
        """Return the place of a running job; ``None``: the nodes say all."""
        return None

    def take(self, job: Job, machine: Machine) -> bool:
        """Take what was found last on the machine, the one here or a gate around it."""
        if not machine.take(job):
            return False
        self.nodes_of[job.number] = self.found
        self.unsettled.append(job)
        self.all_free.remove(self.found)
        room: NodeSet = self.room
        room.remove(self.found)
        return True

    def room_after(self, room: Any, ends: list[Ending], first: int, last: int) -> Any:  # noqa: ANN401
        """Return what is free once some more jobs have ended."""
        free: NodeSet = room
        after = free.copy()
        for number in range(first, last):
            ending = ends[number]
            after.add(ending.held)
        return after

    def closed(self, job: Job, start: float) -> NodeSet | None:
        """Return the nodes that a job can't have from a date on; ``None``: it may have any."""
        return None

    def openings(self, now: float) -> list[float]:
        """Return the dates after now at which other nodes are closed, ascending."""
        return []
