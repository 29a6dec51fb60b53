"""The description of a site: nodes, partitions, limits, windows, capacity, scheduler's cycle."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta

from schedulers.errors import OptionError
from schedulers.site.batch_system import (
    Association,
    Count,
    Factor,
    Number,
    OpenPbs,
    Qos,
    Seconds,
    SiteTable,
    Slurm,
)
from workload_tools.strict import Text, Texts

Date: TypeAlias = datetime | float
"""A calendar date, or seconds of the workload. A date without an offset is in the site's zone."""

Field: TypeAlias = Literal["user", "group", "project", "queue", "partition", "qos", "gpu_type"]
"""A job field that rules use. ``project``: Slurm's account. ``gpu_type``: the requested type."""

FIELDS: tuple[str, ...] = get_args(Field)

Key: TypeAlias = Literal["all", "job"] | Field
"""What a limit counts separately. ``all``: one sum over all jobs. ``job``: each single job."""

Resource: TypeAlias = Literal[
    "jobs", "processors", "nodes", "memory", "gpus", "processor_minutes", "walltime",
    "submitted", "licences"
]  # fmt: skip
"""What a limit counts; see `Limit`."""

Above: TypeAlias = Literal["waits", "rejected", "alone"]
"""What happens to a job that exceeds a limit by itself, even if no other job runs.

``waits``: the job waits for ever, as in Slurm. ``rejected``: the submission is rejected, as in PBS.
``alone``: the job starts when no job of the same key (such as its user) runs. This suits limits
inferred from a log in which such jobs ran.
"""


def texts(value: tuple[str, ...] | str) -> tuple[str, ...]:
    """Return a tuple of texts. One text becomes a tuple of one."""
    return (value,) if isinstance(value, str) else value


class SiteError(OptionError):
    """A site's description is invalid. The message names the table and the key."""


class NodeClass(SiteTable, frozen=True, kw_only=True):
    """A class of equal nodes. The first class has the platform's first processors, and so on."""

    name: Text
    """The name of the class. Nodes are numbered from 1: ``fat1``, ``fat2``."""
    count: Count
    cores: Count
    """The cores of each node. Without `threads`, a core is one processor of the platform."""
    threads: Count = 1
    """The platform's processors on each core. With more than 1, a processor is a hardware thread
    (one of Slurm's CPUs). No two jobs share a core."""
    memory: Annotated[float, Meta(gt=0.0)] | None = None
    """The memory of each node, in GiB. Left out: memory does not limit jobs on these nodes."""
    gpus: Mapping[str, Count] = {}
    """The number of GPUs of each type on each node, such as ``{a100 = 4}``."""
    features: tuple[Text, ...] = ()
    weight: int = 0
    """Jobs get the nodes with the lowest weight first."""
    whole: bool = False
    """True if jobs get only whole nodes of this class."""

    @property
    def processors(self) -> int:
        """The processors of the platform on each node."""
        return self.cores * self.threads


class Partition(SiteTable, frozen=True, kw_only=True):
    """A named set of nodes: a partition of Slurm, or a queue of PBS. Partitions may overlap."""

    name: Text
    nodes: Texts = ()
    """Classes, nodes and ranges of nodes (``fat``, ``fat3``, ``fat[1-8,12]``). Empty: all nodes."""
    default: bool = False
    """True if jobs that name no partition use this one. Without a default partition, such jobs may
    use all nodes."""
    accounts: Texts = ()
    """The projects that may use the partition. Empty: all projects."""
    qos: Texts = ()
    """The QOS whose jobs may use the partition. Empty: every QOS."""
    max_nodes: Count | None = None
    max_processors: Count | None = None
    max_walltime: Seconds | None = None
    """The longest walltime of a job, in seconds."""
    default_walltime: Seconds | None = None
    """The walltime of a job that requests none, in seconds."""
    default_memory: Annotated[float, Meta(gt=0.0)] | None = None
    """The memory per processor of a job that requests none, in GiB."""
    default_memory_per_node: Annotated[float, Meta(gt=0.0)] | None = None
    """The memory per node of a job that requests none, in GiB, instead of `default_memory`."""
    whole: bool = False
    """True if jobs of the partition get only whole nodes."""
    oversubscribe: Count = 1
    """The number of jobs that may share a core, as with Slurm's ``OverSubscribe=FORCE:4``. Sharing
    is not simulated: each job has cores of its own. ``site check`` counts the jobs concerned."""
    priority_tier: Number = 1
    """Slurm's ``PriorityTier``, or ``Priority`` of a PBS queue. Higher values come first."""
    priority_job_factor: Number = 1
    """Slurm's ``PriorityJobFactor``, from which the partition factor of priorities follows."""
    billing: Mapping[str, Factor] = {}
    """The weight of each resource in usage: Slurm's ``TRESBillingWeights``, for memory per GiB.
    Empty: usage counts processors only."""


class Limit(SiteTable, frozen=True, kw_only=True):
    """A limit: a job starts only if ``used + requested <= most`` for its key, such as its user.

    A job that a limit stops does not stop other jobs.
    """

    of: Resource
    """The resource that the limit counts. ``jobs``, ``processors``, ``memory`` (GiB), ``nodes`` and
    ``gpus`` count what running jobs requested. If the site has classes of nodes, ``nodes`` counts
    the nodes that jobs have. If the site also has a table `slurm`, ``gpus`` counts the GPUs that
    jobs have, including all GPUs of whole nodes. ``processor_minutes`` counts processors x minutes
    that running jobs have left until their walltimes. With a table `slurm`, it counts whole
    minutes, updated at multiples of ``priority_calc_period``, or never if ``priority_type`` is
    ``basic``. ``walltime`` is the walltime of a single job, in seconds. ``submitted`` counts jobs
    that have not ended; a job above this limit is rejected. ``licences`` counts the licence named
    by `licence`."""
    licence: Text | None = None
    per: tuple[Key, ...] | Key = "all"
    """The job field whose values are counted separately, such as ``user``. With several fields,
    each combination of values is counted separately."""
    most: Annotated[float, Meta(ge=0.0)] | None = None
    """The limit for each key. Left out: only the keys in `by` have a limit."""
    by: Mapping[str, Annotated[float, Meta(ge=0.0)]] = {}
    """Keys with limits of their own, such as ``{ann = 40}``. In a key of several fields, a colon
    joins the values."""
    only: Mapping[Field, Texts] = {}
    """The limit may stop only jobs with these values, such as ``{qos = ["short"]}``. Empty: all."""
    counts: Literal["the same", "all"] = "the same"
    """``the same``: the limit counts only jobs that match `only`. ``all``: it counts all jobs of
    the key."""
    exempt: Mapping[Field, Texts] = {}
    """The limit never stops a job that has one of these values, but counts it. Example: jobs whose
    QOS has a limit that replaces the limit of the account."""
    begin: Date | None = None
    end: Date | None = None
    """The limit holds from `begin` until just before `end`. Left out: without begin or end."""
    above: Above | None = None
    """What happens to a job that exceeds the limit by itself. Left out: the site's `above`."""
    inferred: bool = False
    """True if the limit was inferred from a log."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The job fields by which the limit counts; empty for one sum over all jobs."""
        return tuple(key for key in texts(self.per) if key != "all")


class Window(SiteTable, frozen=True, kw_only=True):
    """Hours in which jobs may not start, or a time of day by which jobs must have ended."""

    days: Text = "Mon-Sun"
    """Days of the week, such as ``Mon-Fri`` or ``Sat,Sun``, in the site's time zone."""
    closed: Text | None = None
    """Hours in which the jobs concerned may not start, such as ``08:00-17:00``."""
    ended_by: Text | None = None
    """Instead of `closed`: a time of these days, such as ``08:00``. A job starts only if its
    walltime ends by the next such time."""
    longer_than: Annotated[float, Meta(ge=0.0)] = 0.0
    at_most: Seconds | None = None
    """The window concerns jobs with walltimes above `longer_than`, up to `at_most` (seconds)."""
    only: Mapping[Field, Texts] = {}
    """The jobs concerned; see `Limit`."""
    inferred: bool = False


class Freeze(SiteTable, frozen=True, kw_only=True):
    """A time in which no job starts."""

    begin: Date
    end: Date
    partitions: Texts = ()
    """The partitions whose jobs do not start. Empty: all partitions."""


class Capacity(SiteTable, frozen=True, kw_only=True):
    """The number of processors from a date on. Running jobs continue."""

    begin: Date
    processors: Annotated[int, Meta(ge=0)]
    partition: Text | None = None
    """The partition with this number of processors. Left out: the whole machine."""


class Outage(SiteTable, frozen=True, kw_only=True):
    """A time in which no job starts on some nodes. The scheduler does not know it in advance."""

    nodes: Texts
    begin: Date
    end: Date


class Reservation(SiteTable, frozen=True, kw_only=True):
    """Nodes reserved for some users. The scheduler knows the reservation in advance.

    Another job does not get these nodes if its walltime reaches into the reservation.
    """

    name: Text
    nodes: Texts = ()
    """The reserved nodes. Empty: all nodes."""
    begin: Date
    end: Date
    users: Texts = ()
    accounts: Texts = ()
    """The users and accounts that may use the reservation. If users and accounts are empty, no job
    may use it (maintenance). A job that names the reservation starts only on its nodes and only
    from `begin` to `end`."""


class Site(SiteTable, frozen=True, kw_only=True):
    """The machine of a site, and rules that apply before the scheduler chooses jobs.

    All schedulers that are compared on a site obey the same rules. A job that a rule stops gets no
    reservation and stops no other job.
    """

    name: Text = "site"
    time_zone: Text | None = None
    """The time zone, such as ``Europe/Stockholm``. Left out: the workload's time zone, else UTC."""
    start: datetime | float | None = None
    """The date of the workload's second 0 (a number is in Unix seconds). Left out: the date in the
    workload."""
    eligible: bool = True
    """True if a job may start only from its eligible time in the log on. This is the date at which
    its hold, dependencies and begin time were over."""
    arrays: bool = True
    """True if an array's limit on its running tasks applies."""
    cycle: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    """Seconds between two passes of the scheduler. 0: a pass at each event."""
    above: Above = "waits"
    """What happens to a job that exceeds a limit by itself."""
    impossible: Literal["waits", "rejected"] = "rejected"
    """What happens to a job that no node or partition can ever hold. With ``waits``, the job
    is also reported at its submission, as a job that never ran."""
    processors: Count | None = None
    """The machine's number of processors, if `nodes` is empty. Left out: as in the platform."""
    nodes: tuple[NodeClass, ...] = ()
    """The classes of nodes. Empty: the machine has only processors."""
    partitions: tuple[Partition, ...] = ()
    """The partitions. Empty: one partition with all nodes."""
    order: str | Mapping[str, Any] | None = None
    """The priority order of the queue, as in the option `order`, for schedulers without an order of
    their own. Left out: by submission."""
    limits: tuple[Limit, ...] = ()
    windows: tuple[Window, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    capacity: tuple[Capacity, ...] = ()
    outages: tuple[Outage, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    slurm: Slurm | None = None
    """The configuration of the scheduler ``slurm``."""
    openpbs: OpenPbs | None = None
    """The configuration of the scheduler ``openpbs``."""
    associations: tuple[Association, ...] = ()
    """The tree of shares. Empty: equal shares for all users, in the accounts that jobs name."""
    qos: tuple[Qos, ...] = ()

    @property
    def has_rules(self) -> bool:
        """True if a rule can stop a job although enough processors are free."""
        rules = self.partitions, self.limits, self.windows, self.freezes, self.cycle
        return self.eligible or self.arrays or any(rules)

    @property
    def size(self) -> int | None:
        """The machine's number of processors, if the site states it."""
        if self.nodes:
            return sum(one.count * one.processors for one in self.nodes)
        return self.processors
