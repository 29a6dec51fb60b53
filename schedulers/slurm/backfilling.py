"""Slurm's scheduler with its options: the main scheduler's pass, and backfill's plan."""

import msgspec

from schedulers.core.counting import Counting
from schedulers.core.machine import Machine
from schedulers.errors import OptionError, SchedulerError
from schedulers.machine.nodes import Nodes
from schedulers.site.batch_system import Slurm
from schedulers.site.gated_machine import GatedMachine
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site
from schedulers.slurm.calendar import Calendar
from schedulers.slurm.cluster import Cluster
from schedulers.slurm.licences import Licences
from schedulers.slurm.line import KeyIn
from schedulers.slurm.nodes_cluster import NodesCluster
from schedulers.slurm.passes import SlurmPasses
from workload_tools.expected import in_words

OLD = 23
"""Versions before this one plan as 22.05 does."""


class SlurmBackfilling(SlurmPasses):
    """Scheduling as Slurm does it, in the order that the jobs are given.

    The main scheduler looks at the jobs in their order whenever one was submitted or has ended, and
    in each partition stops at the first that cannot start. Backfill comes every `bf_interval`
    seconds and plans all jobs in their order: each gets the earliest start, by its estimate, that
    those before it leave, on nodes that it keeps as a whole; those whose start is now start. The
    options are those of ``SchedulerParameters``, as `Slurm` says what each is; what is left out is
    as the site's table ``slurm`` has it, else as Slurm's own default.
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
        """Take what is not given from a site's table ``slurm``; called before `begin`."""
        self._site = site
        self._settle()

    def ordered_by(self, key_in: KeyIn) -> None:
        """Take each job of several partitions by its key in each; see `Multifactor.key_in`."""
        self.key_in = key_in

    @property
    def needs_fields(self) -> bool:
        """Whether it counts users or associations, which jobs have to name then."""
        return bool(self.told.bf_max_job_user or self.told.bf_max_job_assoc)

    @property
    def plans_licences(self) -> bool:
        """Whether it keeps the limits of licences by itself, since it plans with them."""
        return self.told.bf_licenses

    def _settle(self) -> None:
        told = msgspec.to_builtins(self._site.slurm or Slurm())
        try:
            self.told = msgspec.convert({**told, **self._given}, Slurm)
            """The site's table, with the options over it."""
        except msgspec.ValidationError as error:
            raise OptionError(f"backfilling 'slurm': {in_words(error)}") from None

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`.

        Raises `SchedulerError`: it has neither nodes nor a number of processors.
        """
        told, site = self.told, self._site
        gate = machine if isinstance(machine, GatedMachine) else None
        start = calendar_of(site).unix_start
        # a version such as 22.05.8
        year = (told.version or "").partition(".")[0]
        calendar = Calendar(
            float(told.bf_resolution),
            0.0 if start is None else start,
            old=year.isdecimal() and int(year) < OLD,
        )
        self.begin_passes(
            machine,
            cluster_of(machine if gate is None else gate.inside, old=calendar.old),
            told=told,
            calendar=calendar,
            licences=Licences(site),
            is_limited=None if gate is None else gate.stops,
            tiers={one.name: one.priority_tier for one in site.partitions},
        )


def cluster_of(machine: Machine, *, old: bool) -> Cluster:
    """Return a machine as Slurm's schedulers see it, those of 22.05 if they are `old`.

    Raises `SchedulerError`: it has neither nodes nor a number of processors.
    """
    if isinstance(machine, Counting):
        return Cluster(machine)
    if isinstance(machine, Nodes):
        return NodesCluster(machine, old=old)
    raise SchedulerError(
        "backfilling 'slurm' plans on a site's nodes or on a counted machine, and not on one of "
        f"'{type(machine).__name__}': leave out 'machine'"
    )
