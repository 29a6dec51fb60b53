"""Slurm's scheduling as a backfilling rule with Slurm's own options, with or without nodes."""

from typing import Any

import msgspec

from schedulers.core.counting import Counting
from schedulers.core.job import Job, Plan
from schedulers.core.machine import Machine
from schedulers.core.nodeset import NodeSet
from schedulers.errors import OptionError, SchedulerError
from schedulers.machine.node_layout import Choice
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import Nodes
from schedulers.site.batch_system import Slurm
from schedulers.site.gated_machine import GatedMachine
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site
from schedulers.slurm.calendar import Calendar
from schedulers.slurm.cluster import Cluster, Ending, KeyIn
from schedulers.slurm.licences import Licences
from schedulers.slurm.passes import SlurmPasses
from schedulers.slurm.runs import FitInRuns
from workload_tools.expected import in_words


class NodesCluster(Cluster):
    """A site's nodes as Slurm's schedulers see them; see `Cluster`.

    Creating this object makes the machine also reject jobs for which Slurm's schedulers never find
    nodes. `old` selects the schedulers of Slurm 22.05.
    """

    def __init__(self, machine: Nodes, *, old: bool) -> None:
        # no call of the inherited __init__, which needs a counted machine
        layout = machine.layout
        self._size = len(layout.cores)
        self.nodes = self.found = NodeSet(self._size, layout.all)
        self.placement = None
        self._machine = machine
        self.fit = FitInRuns(layout, old=old)
        # reject jobs that never fit: they would wait for ever, and the passes would never end
        machine.also_by(self.fit)
        self.room = machine.room
        self.has_dates = bool(machine.dates.kept)
        self._most = max(layout.cores)
        # node sets by bit mask
        self._sets: dict[int, NodeSet] = {}
        # bit masks of the nodes with enough memory, by the memory that a job needs on a node
        self._able: dict[int, int] = {}
        # the nodes of running jobs, by the job's number
        self._held: dict[int, NodeSet] = {}

    def _set_of(self, mask: int) -> NodeSet:
        """Return the remembered set of a frequent bit mask. Do not change the set."""
        found = self._sets.get(mask)
        if found is None:
            found = self._sets[mask] = NodeSet(self._size, mask)
        return found

    def look(self, plan: Plan) -> None:
        """Read the free resources; see `Cluster`."""
        self.room = self._machine.room

    def ended(self, job: Job) -> None:
        """Forget the nodes of a job that has ended; see `Cluster`."""
        self._held.pop(job.number, None)

    def free(self) -> int:
        """Return how many processors are free; see `Cluster`."""
        return self._machine.room.free

    def choices(self, job: Job) -> list[Choice]:
        """Return a job's partitions; see `Cluster`."""
        return self._machine.request_of(job).choices

    def kind(self, job: Job) -> object:
        """Return the key of a job's request; see `Cluster`."""
        return self._machine.request_of(job)

    def of_choice(self, choice: Choice) -> NodeSet:
        """Return the nodes of a choice; see `Cluster`."""
        return self._set_of(choice.nodes)

    def of_partition(self, choice: Choice) -> NodeSet:
        """Return all nodes of a partition; see `Cluster`."""
        layout = self._machine.layout
        return self._set_of(layout.partitions.get(choice.partition, layout.all))

    def able(self, job: Job, choice: Choice) -> NodeSet | None:
        """Return the nodes with enough memory for a job; see `Cluster`."""
        request, idle = self._machine.request_of(job).request, self._machine.layout.idle
        on_each = request.most_units
        as_many = on_each and request.nodes * on_each * request.unit == request.processors
        of_units = request.memory_of_unit * (on_each if as_many else 1)
        least = max(request.memory_on_node, of_units)
        if not least or idle.rest is None:
            return self._set_of(choice.nodes)
        able = self._able.get(least)
        if able is None:
            able = self._able[least] = idle.having(0, least)
        return self._set_of(able & choice.nodes)

    def least_nodes(self, job: Job) -> int:
        """Return the fewest nodes on which a job can run; see `Cluster`."""
        return self._machine.request_of(job).request.nodes or -(-job.processors // self._most)

    def place(self, job: Job, choice: Choice, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Choose free resources for a job; see `Cluster`."""
        if room.free < job.processors:
            return False
        request = self._machine.request_of(job).request
        placement = self.fit.place(request, choice, room, closed=choice.nodes & ~usable.bits)
        if placement is None:
            return False
        self.placement = placement
        self.found = NodeSet(self._size, placement.mask)
        return True

    def may_place(self, job: Job, room: Any, usable: NodeSet) -> bool:  # noqa: ANN401
        """Return ``False`` if too few processors are free; see `Cluster`."""
        return bool(room.free >= job.processors)

    def gets_whole_nodes(self, job: Job, choice: Choice) -> bool:
        """Return True if a job gets whole nodes; see `Cluster`."""
        whole = self._machine.layout.whole
        return (
            choice.whole
            or self._machine.request_of(job).request.whole
            or bool(whole & choice.nodes)
        )

    def held(self, job: Job) -> NodeSet:
        """Return the nodes of a running job; see `Cluster`."""
        held = self._held.get(job.number)
        if held is None:
            mask = self._machine.held[job.number].mask
            held = self._held[job.number] = NodeSet(self._size, mask)
        return held

    def placement_of(self, job: Job) -> Placement:
        """Return the resources of a running job; see `Cluster`."""
        return self._machine.held[job.number]

    def take(self, job: Job, machine: Any) -> bool:  # noqa: ANN401 - one that takes places
        """Take a job's nodes; see `Cluster`."""
        return bool(machine.take_at(job, self.placement))

    def room_after(self, room: Any, ends: list[Ending], first: int, last: int) -> Any:  # noqa: ANN401
        """Return the free resources; see `Cluster`."""
        after = room.copy()
        for ending in ends[first:last]:
            after.give_back(ending.placement)
        return after

    def closed(self, job: Job, start: float) -> NodeSet | None:
        """Return the nodes that reservations close; see `Cluster`."""
        closed = self._machine.closed(job, start)
        return self._set_of(closed & self._machine.layout.all) if closed else None

    def openings(self, now: float) -> list[float]:
        """Return when reservations begin or end; see `Cluster`."""
        return self._machine.dates.openings(now)


OLD = 23
"""Major versions below this number plan as Slurm 22.05 does."""


class SlurmBackfilling(SlurmPasses):
    """Schedules the queue as Slurm does.

    The main scheduler goes through the queue after a job was submitted or has ended. In each
    partition, it stops at the first job that cannot start. Backfill runs every `bf_interval`
    seconds and plans all jobs in the order of the queue. For its estimated run time, each job gets
    the earliest start that delays no job before it. The plan reserves whole nodes. A job starts if
    its planned start is now.

    The options are those of Slurm's ``SchedulerParameters``; see `Slurm`. An option that is left
    out takes its value from the site's table ``slurm``, else Slurm's default.
    """

    OPTIONS = dict.fromkeys(
        (
            "bf_interval", "bf_resolution", "bf_window", "bf_max_job_test", "bf_max_job_user",
            "bf_max_job_part", "bf_max_job_start", "bf_min_age_reserve", "bf_node_space_size",
            "bf_running_job_reserve", "default_queue_depth", "partition_job_depth",
            "sched_interval",
        )
    )  # fmt: skip

    def __init__(self, **given: int | bool | None) -> None:
        super().__init__()
        for option in self.OPTIONS:
            setattr(self, option, given.get(option))
        self._given = {option: value for option, value in given.items() if value is not None}
        self._site = Site()
        self._settle()

    def on_site(self, site: Site) -> None:
        """Take the options that are left out from a site's table ``slurm``, before `begin`."""
        self._site = site
        self._settle()

    def ordered_by(self, key_in: KeyIn) -> None:
        """Sort a job's entries by its priority in each partition; see `Multifactor.key_in`."""
        self.key_in = key_in

    @property
    def needs_fields(self) -> bool:
        """True if an option counts users or associations. Then jobs must name them."""
        return bool(self.settings.bf_max_job_user or self.settings.bf_max_job_assoc)

    @property
    def plans_licences(self) -> bool:
        """True if backfill plans with licences. It then enforces the limits on licences itself."""
        return self.settings.bf_licenses

    def _settle(self) -> None:
        settings = msgspec.to_builtins(self._site.slurm or Slurm())
        try:
            self.settings = msgspec.convert({**settings, **self._given}, Slurm)
            """The site's table ``slurm``, with the given options replacing its values."""
        except msgspec.ValidationError as error:
            raise OptionError(f"backfilling 'slurm': {in_words(error)}") from None

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`.

        Raises
        ------
        SchedulerError
            The machine has neither nodes nor a number of processors.
        """
        settings, site = self.settings, self._site
        gate = machine if isinstance(machine, GatedMachine) else None
        start = calendar_of(site).unix_start
        # a version such as 22.05.8
        year = (settings.version or "").partition(".")[0]
        calendar = Calendar(
            float(settings.bf_resolution),
            0.0 if start is None else start,
            old=year.isdecimal() and int(year) < OLD,
        )
        self.begin_passes(
            machine,
            cluster_of(machine if gate is None else gate.inside, old=calendar.old),
            settings=settings,
            calendar=calendar,
            licences=Licences(site),
            is_limited=None if gate is None else gate.stops,
            tiers={one.name: one.priority_tier for one in site.partitions},
        )


def cluster_of(machine: Machine, *, old: bool) -> Cluster:
    """Return a machine as Slurm's schedulers see it. `old` selects those of Slurm 22.05.

    Raises
    ------
    SchedulerError
        The machine has neither nodes nor a number of processors.
    """
    if isinstance(machine, Counting):
        return Cluster(machine)
    if isinstance(machine, Nodes):
        return NodesCluster(machine, old=old)
    raise SchedulerError(
        "backfilling 'slurm' plans on a site's nodes or on counted processors, but the machine is "
        f"a '{type(machine).__name__}': leave out 'machine'"
    )
