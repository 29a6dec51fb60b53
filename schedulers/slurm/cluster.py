"""The machine and the queue as Slurm's schedulers see them, and the ends of running jobs."""

from collections.abc import Callable
from typing import Any

from schedulers.core.counting import Counting
from schedulers.core.job import Job, Plan
from schedulers.core.machine import Machine
from schedulers.core.nodeset import NodeSet
from schedulers.machine.node_layout import Choice
from schedulers.machine.placing import first_of


class Ending:
    """The planned end of a running job, and the resources that the job frees then."""

    __slots__ = ("date", "held", "number", "placement")

    date: float
    """The planned end, in seconds."""
    number: int
    """The job's number. Among jobs with equal ends, the lower number comes first."""
    held: NodeSet
    """The job's nodes."""
    placement: Any
    """The job's resources as the machine describes them; ``None`` if `held` is enough."""


def ending_of(date: float, number: int, held: NodeSet, placement: Any) -> Ending:  # noqa: ANN401
    """Return an `Ending`. When compiled, this is faster than an ``__init__`` with arguments."""
    ending = Ending.__new__(Ending)
    ending.date = date
    ending.number = number
    ending.held = held
    ending.placement = placement
    return ending


def insert(ends: list[Ending], ending: Ending) -> None:
    """Insert an end into a list sorted by date and number. Most new ends are the last ones."""
    place = len(ends)
    while place:
        other = ends[place - 1]
        if other.date < ending.date or (other.date == ending.date and other.number < ending.number):
            break
        place -= 1
    ends.insert(place, ending)


class Cluster:
    """A machine without nodes, as Slurm's schedulers see it: each processor is a node.

    `room` holds the resources that are free now. `found` holds the nodes that were chosen last.
    `placement` describes the resources chosen on these nodes, or is ``None`` if a job gets all of
    them. The types of `room` and `placement` differ between subclasses. If `has_dates` is set, the
    site's reservations may close nodes to some jobs.
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
        """The processors without a running job. If the capacity shrinks, not all are available."""
        self.room = self.all_free
        self.common = nodes.copy()
        every = nodes.bits
        self.everywhere = [Choice("the machine", every, (every,), whole=False)]
        self.nodes_of: dict[int, NodeSet] = {}
        """The processors of each running job, by the job's number."""
        self.unsettled: list[Job] = []
        """The jobs that started last. The machine has not yet said which processors they got."""

    def look(self, plan: Plan) -> None:
        """Before a pass, read the free resources and the processors of jobs that have started."""
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
        """Forget the nodes of a job that has ended."""
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
        """Return a key that is equal for jobs with equal requests in a partition."""
        return job.processors

    def of_choice(self, choice: Choice) -> NodeSet:
        """Return the nodes of a partition that have the requested features."""
        return self.nodes

    def of_partition(self, choice: Choice) -> NodeSet:
        """Return all nodes of a partition."""
        return self.nodes

    def able(self, job: Job, choice: Choice) -> NodeSet | None:
        """Return the nodes of a choice that are large enough for a job; ``None`` means all."""
        return None

    def least_nodes(self, job: Job) -> int:
        """Return the fewest nodes on which a job can run."""
        return job.processors

    def place(self, job: Job, choice: Choice, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Choose free resources for a job on the usable nodes; return ``False`` without room.

        Set `found` and `placement`. This class prefers neighbouring processors.
        """
        free: NodeSet = room
        if free.count_common(usable) < job.processors:
            return False
        self.common.assign(free)
        self.common.keep(usable)
        self.found = self.common.runs(job.processors)
        return True

    def may_place(self, job: Job, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Return ``False`` if the usable nodes certainly have no room for a job."""
        return usable.count_common(room) >= job.processors

    def gets_whole_nodes(self, job: Job, choice: Choice) -> bool:
        """Return True if a job gets whole nodes in a partition."""
        return True

    def held(self, job: Job) -> NodeSet:
        """Return the nodes of a running job."""
        return self.nodes_of[job.number]

    def placement_of(self, job: Job) -> Any:  # noqa: ANN401 - the machine's own
        """Return a running job's resources as the machine describes them; see `Ending`."""
        return None

    def take(self, job: Job, machine: Machine) -> bool:
        """Give a job the nodes that were found last. `machine` may be the site's gate around it."""
        if not machine.take(job):
            return False
        self.nodes_of[job.number] = self.found
        self.unsettled.append(job)
        self.all_free.remove(self.found)
        room: NodeSet = self.room
        room.remove(self.found)
        return True

    def room_after(self, room: Any, ends: list[Ending], first: int, last: int) -> Any:  # noqa: ANN401
        """Return the free resources after the jobs `first` to `last` - 1 of `ends` have ended."""
        free: NodeSet = room
        after = free.copy()
        for number in range(first, last):
            ending = ends[number]
            after.add(ending.held)
        return after

    def closed(self, job: Job, start: float) -> NodeSet | None:
        """Return the nodes that are closed to a job that starts at a date; ``None`` for none."""
        return None

    def openings(self, now: float) -> list[float]:
        """Return the dates after now at which the closed nodes change, in ascending order."""
        return []


KeyIn = Callable[[Job, str, float], float]
"""Returns a job's sort key in a partition at a date, if the order depends on the partition."""


class Line:
    """Goes through the waiting jobs, with one entry for each partition of a job.

    Entries in partitions of higher tiers come first. Entries of equal tiers are sorted by the job's
    sort key in the partition, if the order has such keys, and then by the position in the queue.

    The queue must not change before the last entry. `tiers` is empty if all partitions have the
    same tier. The present entry is `job` and `choice`. `once` says that the job has one entry.
    """

    job: Job
    choice: Choice

    def __init__(
        self,
        queue: list[Job],
        cluster: Cluster,
        tiers: dict[str, int],
        key_in: KeyIn | None,
        now: float,
    ) -> None:
        self.queue = queue
        self.cluster = cluster
        self.place = self.of_job = -1
        self.choices: list[Choice] = []
        self.once = False
        self.entries: list[tuple[Job, Choice]] | None = None
        if tiers or (key_in is not None and any([len(cluster.choices(job)) > 1 for job in queue])):
            self.entries = sorted_entries(queue, cluster, tiers, key_in, now)

    def advance(self) -> bool:
        """Go to the next entry. Return False if there is none."""
        if self.entries is not None:
            self.place += 1
            if self.place == len(self.entries):
                return False
            entry = self.entries[self.place]
            self.job, self.choice = entry
            return True
        self.of_job += 1
        while self.of_job >= len(self.choices):
            self.place += 1
            if self.place == len(self.queue):
                return False
            self.job = self.queue[self.place]
            self.choices = self.cluster.choices(self.job)
            self.once = len(self.choices) == 1
            self.of_job = 0
        self.choice = self.choices[self.of_job]
        return True


def sorted_entries(
    queue: list[Job], cluster: Cluster, tiers: dict[str, int], key_in: KeyIn | None, now: float
) -> list[tuple[Job, Choice]]:
    """Return the entries sorted by tier, by the job's sort key, and by the place in the queue."""
    entries = [(job, choice) for job in queue for choice in cluster.choices(job)]
    if key_in is not None:
        entries.sort(key=lambda entry: key_in(entry[0], entry[1].partition, now))
    if tiers:
        entries.sort(key=lambda entry: -tiers.get(entry[1].partition, 1))
    return entries
