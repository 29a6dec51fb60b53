"""Slurm's scheduling as a backfilling rule with Slurm's own options."""

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
from schedulers.slurm.cluster import Cluster, KeyIn
from schedulers.slurm.licences import Licences
from schedulers.slurm.nodes_cluster import NodesCluster
from schedulers.slurm.passes import SlurmPasses
from workload_tools.expected import in_words

OLD = 23
"""Versions before this one plan as 22.05 does."""


class SlurmBackfilling(SlurmPasses):
    """Schedules the queue as Slurm does.

    The main scheduler goes through the queue when a job was submitted or has ended. In each
    partition, it stops at the first job that cannot start. Backfill runs every `bf_interval`
    seconds and plans all jobs in the order of the queue. Each job gets the earliest start that the
    jobs before it allow, by its estimate. The plan reserves whole nodes. Jobs with a planned start
    now start.

    The options are those of ``SchedulerParameters``; see `Slurm`. If an option is left out, the
    value of the site's table ``slurm`` counts, else Slurm's default.
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
        """Use a job's priority in each of its partitions; see `Multifactor.key_in`."""
        self.key_in = key_in

    @property
    def needs_fields(self) -> bool:
        """True if an option counts users or associations. Then jobs must name them."""
        return bool(self.settings.bf_max_job_user or self.settings.bf_max_job_assoc)

    @property
    def plans_licences(self) -> bool:
        """True if backfill plans with licences, and so enforces their limits itself."""
        return self.settings.bf_licenses

    def _settle(self) -> None:
        settings = msgspec.to_builtins(self._site.slurm or Slurm())
        try:
            self.settings = msgspec.convert({**settings, **self._given}, Slurm)
            """The site's table, with the options over it."""
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
    """Return a machine as Slurm's schedulers see it. `old` means the schedulers of Slurm 22.05.

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
        "backfilling 'slurm' plans on a site's nodes or on a counted machine, and not on one of "
        f"'{type(machine).__name__}': leave out 'machine'"
    )
