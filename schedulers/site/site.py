"""A site as a value: nodes, partitions, limits, windows, capacity and the scheduler's cycle."""

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
"""A calendar date (in the site's time zone, if it has no offset), or seconds of the workload."""

Field: TypeAlias = Literal["user", "group", "project", "queue", "partition", "qos", "gpu_type"]
"""A job field that rules use. The project is Slurm's account; ``gpu_type`` is requested."""

FIELDS: tuple[str, ...] = get_args(Field)

Key: TypeAlias = Literal["all", "job"] | Field
"""The key of a limit. ``all``: one sum over all jobs. ``job``: each job alone."""

Resource: TypeAlias = Literal[
    "jobs", "processors", "nodes", "memory", "gpus", "processor_minutes", "walltime",
    "submitted", "licences"
]  # fmt: skip
"""What a limit counts; see `Limit`."""

Above: TypeAlias = Literal["waits", "rejected", "alone"]
"""What happens to a job that alone exceeds a limit.

``waits``: it waits for ever, as in Slurm. ``rejected``: the submission is rejected, as in PBS.
``alone``: it starts when no job of its key runs. This suits limits inferred from a log in which
such jobs ran.
"""


def texts(value: tuple[str, ...] | str) -> tuple[str, ...]:
    """Return one text, or several, as a tuple."""
    return (value,) if isinstance(value, str) else value


class SiteError(OptionError):
    """A site's description is invalid. The message names the table and the key."""


class NodeClass(SiteTable, frozen=True, kw_only=True):
    """A class of equal nodes. The classes take the platform's processors in their order."""

    name: Text
    """The name of the class. Nodes are numbered from 1: ``fat1``, ``fat2``."""
    count: Count
    cores: Count
    """The cores of each node. Without `threads`, a core is one processor of the platform."""
    threads: Count = 1
    """Processors of the platform on each core: Slurm's CPUs, if these are hardware threads. A job
    gets the processors that it requests, and no other job can use their cores."""
    memory: Annotated[float, Meta(gt=0.0)] | None = None
    """The memory of each node, in GiB. Left out: memory does not limit jobs there."""
    gpus: Mapping[str, Count] = {}
    """The number of GPUs of each type on each node, such as ``{a100 = 4}``."""
    features: tuple[Text, ...] = ()
    weight: int = 0
    """Jobs get nodes of less weight first."""
    whole: bool = False
    """True if jobs get only whole nodes of this class."""

    @property
    def processors(self) -> int:
        """The processors of the platform on each node."""
        return self.cores * self.threads


class Partition(SiteTable, frozen=True, kw_only=True):
    """A named set of nodes: a partition of Slurm, or a queue of PBS. Sets may overlap."""

    name: Text
    nodes: Texts = ()
    """Classes, nodes and ranges of nodes (``fat``, ``fat3``, ``fat[1-8,12]``). Empty: all."""
    default: bool = False
    """True if jobs that name no partition are in this one. Without a default, they run anywhere."""
    accounts: Texts = ()
    """The projects that may use the partition. Empty: all."""
    qos: Texts = ()
    """The QOS whose jobs may use the partition. Empty: all."""
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
    """The number of jobs that may share a core, as with Slurm's ``OverSubscribe=FORCE:4``. This is
    not simulated: each job has cores of its own. ``site check`` counts the jobs concerned."""
    priority_tier: Number = 1
    """Slurm's ``PriorityTier``, or ``Priority`` of a PBS queue. Higher values come first."""
    priority_job_factor: Number = 1
    """Slurm's ``PriorityJobFactor``, for the partition factor of priorities."""
    billing: Mapping[str, Factor] = {}
    """The weight of each resource in usage: Slurm's ``TRESBillingWeights``, with memory per GiB.
    Empty: usage counts processors."""


class Limit(SiteTable, frozen=True, kw_only=True):
    """A job starts only if ``used + requested <= most`` for its key. Else it stops no other job."""

    of: Resource
    """The resource that the limit counts. ``jobs``, ``processors``, ``memory`` (GiB), ``nodes`` and
    ``gpus`` count what running jobs requested. If the site has classes of nodes, ``nodes`` counts
    the nodes that jobs have, and with `slurm`, ``gpus`` counts the GPUs that jobs have, including
    all GPUs of whole nodes. ``processor_minutes`` counts what running jobs have left until their
    walltimes. With `slurm`, it counts whole minutes, updated at multiples of
    ``priority_calc_period``, and never updated with the ``priority_type`` ``basic``. ``walltime``
    is the job's own, in seconds. ``submitted`` counts jobs that have not ended; a job above this
    limit is rejected. ``licences`` counts the licence named by `licence`."""
    licence: Text | None = None
    per: tuple[Key, ...] | Key = "all"
    """The field whose values are counted separately. Several fields make a pair."""
    most: Annotated[float, Meta(ge=0.0)] | None = None
    """The limit of each key. Left out: only the keys in `by` have a limit."""
    by: Mapping[str, Annotated[float, Meta(ge=0.0)]] = {}
    """Keys with a limit of their own. A colon joins the two parts of a pair."""
    only: Mapping[Field, Texts] = {}
    """The jobs that the limit may stop, by fields, such as ``{qos = ["short"]}``. Empty: all."""
    counts: Literal["the same", "all"] = "the same"
    """Whether the limit counts only the jobs that it may stop, or all jobs of the key."""
    exempt: Mapping[Field, Texts] = {}
    """Jobs that the limit counts but never stops, by any of these fields. Example: jobs whose QOS
    has a limit that replaces the limit of the account."""
    begin: Date | None = None
    end: Date | None = None
    """Begin and end (excluded) of the limit. Left out: always."""
    above: Above | None = None
    """What happens to a job that alone exceeds the limit. Left out: as the site states."""
    inferred: bool = False
    """True if the limit was found in a log."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The job fields by which the limit counts; empty for one sum over all jobs."""
        return tuple(key for key in texts(self.per) if key != "all")


class Window(SiteTable, frozen=True, kw_only=True):
    """Hours in which jobs of some lengths may not start, or by which jobs must have ended."""

    days: Text = "Mon-Sun"
    """Days of the week, such as ``Mon-Fri`` or ``Sat,Sun``, in the site's time zone."""
    closed: Text | None = None
    """Hours in which no such job starts, such as ``08:00-17:00``."""
    ended_by: Text | None = None
    """Instead of `closed`: a time of these days, such as ``08:00``. A job starts before this time
    only if its walltime ends by this time."""
    longer_than: Annotated[float, Meta(ge=0.0)] = 0.0
    at_most: Seconds | None = None
    """The walltimes of the jobs concerned, in seconds: above `longer_than`, up to `at_most`."""
    only: Mapping[Field, Texts] = {}
    """The jobs concerned; see `Limit`."""
    inferred: bool = False


class Freeze(SiteTable, frozen=True, kw_only=True):
    """A time in which no job starts."""

    begin: Date
    end: Date
    partitions: Texts = ()
    """The partitions whose jobs do not start. Empty: all."""


class Capacity(SiteTable, frozen=True, kw_only=True):
    """The number of processors from a date on. Running jobs go on."""

    begin: Date
    processors: Annotated[int, Meta(ge=0)]
    partition: Text | None = None
    """The partition with this number of processors. Left out: the machine."""


class Outage(SiteTable, frozen=True, kw_only=True):
    """A time in which no job starts on some nodes. The scheduler does not know it before."""

    nodes: Texts
    begin: Date
    end: Date


class Reservation(SiteTable, frozen=True, kw_only=True):
    """Nodes reserved for some users. The scheduler knows this before: no other job runs into it."""

    name: Text
    nodes: Texts = ()
    """The reserved nodes. Empty: all."""
    begin: Date
    end: Date
    users: Texts = ()
    accounts: Texts = ()
    """The users and accounts that may use the reservation. If both are empty, no job may use it, as
    for maintenance. A job that names the reservation starts only on its nodes and while it
    lasts."""


class Site(SiteTable, frozen=True, kw_only=True):
    """The machine of a site, and the rules that apply before any policy.

    All policies that are compared on a site keep the same rules. A job that a rule stops gets no
    reservation and stops no other job.
    """

    name: Text = "site"
    time_zone: Text | None = None
    """The time zone, such as ``Europe/Stockholm``. Left out: the workload's, else UTC."""
    start: datetime | float | None = None
    """The date of the workload's second 0 (a number is in Unix seconds). Left out: as the workload
    says."""
    eligible: bool = True
    """True if a job waits until the log's date at which its hold, dependencies and begin time were
    over."""
    arrays: bool = True
    """True if the limit of an array on its running tasks counts."""
    cycle: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    """Seconds between two passes of the scheduler; 0 for a pass at each event."""
    above: Above = "waits"
    """What happens to a job that alone exceeds a limit."""
    impossible: Literal["waits", "rejected"] = "rejected"
    """What happens to a job that no node or partition can ever hold. A job that waits for ever is
    also reported at its submission, as a job that never ran."""
    processors: Count | None = None
    """The machine's size, without `nodes`. Left out: the platform's size."""
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
    """The tree of shares. Empty: equal shares for all, with the accounts that jobs name."""
    qos: tuple[Qos, ...] = ()

    @property
    def has_rules(self) -> bool:
        """True if a rule can keep a job with room from starting."""
        rules = self.partitions, self.limits, self.windows, self.freezes, self.cycle
        return self.eligible or self.arrays or any(rules)

    @property
    def size(self) -> int | None:
        """The machine's number of processors, if the site states it."""
        if self.nodes:
            return sum(one.count * one.processors for one in self.nodes)
        return self.processors
