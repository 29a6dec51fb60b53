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
"""A date of the calendar, in the site's time zone where it names none, or seconds of the workload,
which begins at 0."""

Field: TypeAlias = Literal["user", "group", "project", "queue", "partition", "qos", "gpu_type"]
"""What jobs are told apart by: the account of Slurm is the project, ``gpu_type`` what was asked."""

FIELDS: tuple[str, ...] = get_args(Field)

Key: TypeAlias = Literal["all", "job"] | Field
"""``all``: one sum for everybody; ``job``: each job by itself."""

Resource: TypeAlias = Literal[
    "jobs", "processors", "nodes", "memory", "gpus", "processor_minutes", "walltime",
    "submitted", "licences"
]  # fmt: skip
"""What a limit counts; see `Limit`."""

Above: TypeAlias = Literal["waits", "rejected", "alone"]
"""What becomes of a job that alone is above a limit: it waits for ever, as in Slurm; it is refused
at its submission, as in PBS; or it starts when its key has nothing running, as is right for a limit
that was inferred from a log in which such jobs ran."""


def texts(told: tuple[str, ...] | str) -> tuple[str, ...]:
    """Return one text, or several, as a tuple."""
    return (told,) if isinstance(told, str) else told


class SiteError(OptionError):
    """A site cannot be what it says; the message names the table and the key."""


class NodeClass(SiteTable, frozen=True, kw_only=True):
    """Nodes that are alike; they take the platform's processors in the order of the classes."""

    name: Text
    """A node is called by it and its number from 1: ``fat1``, ``fat2``."""
    count: Count
    cores: Count
    """Of each; without `threads` as many processors of the platform."""
    threads: Count = 1
    """Processors of the platform on each core: the CPUs of Slurm, where they are hardware threads.
    A job is given so many processors as it asks for, and has their cores as a whole."""
    memory: Annotated[float, Meta(gt=0.0)] | None = None
    """Of each, in GiB; without one memory is not looked at there."""
    gpus: Mapping[str, Count] = {}
    """How many of each type each has, such as ``{a100 = 4}``."""
    features: tuple[Text, ...] = ()
    weight: int = 0
    """Nodes of less weight are given out first."""
    whole: bool = False
    """Whether a job that has any of a node has all of it."""

    @property
    def processors(self) -> int:
        """How many of the platform are on each."""
        return self.cores * self.threads


class Partition(SiteTable, frozen=True, kw_only=True):
    """Nodes under a name: a partition of Slurm, a queue of PBS. They may overlap."""

    name: Text
    nodes: Texts = ()
    """Classes, nodes and ranges of them (``fat``, ``fat3``, ``fat[1-8,12]``); empty: all."""
    default: bool = False
    """Whether it has the jobs that name none; without such a one those run anywhere."""
    accounts: Texts = ()
    """The projects that may use it; empty: all."""
    qos: Texts = ()
    """The QOS whose jobs it takes; empty: all."""
    max_nodes: Count | None = None
    max_processors: Count | None = None
    max_walltime: Seconds | None = None
    """Of a job, in seconds."""
    default_walltime: Seconds | None = None
    """What a job that asks for no walltime is planned with, in seconds."""
    default_memory: Annotated[float, Meta(gt=0.0)] | None = None
    """What a job that asks for no memory gets for each of its processors, in GiB."""
    default_memory_per_node: Annotated[float, Meta(gt=0.0)] | None = None
    """In its place, for each of its nodes."""
    whole: bool = False
    """Whether its jobs have whole nodes."""
    oversubscribe: Count = 1
    """How many jobs may share a core there, as with Slurm's ``OverSubscribe=FORCE:4``. Not
    simulated, each job has cores of its own; ``site check`` says how many that concerns."""
    priority_tier: Number = 1
    """Those of a higher one come first: Slurm's ``PriorityTier``, ``Priority`` of queues of PBS."""
    priority_job_factor: Number = 1
    """Slurm's, of the factor of partitions."""
    billing: Mapping[str, Factor] = {}
    """What usage counts for each resource, as Slurm's ``TRESBillingWeights``; memory by the GiB.
    Empty: processors."""


class Limit(SiteTable, frozen=True, kw_only=True):
    """A job starts only if ``used + asked <= most`` for its key; until then it stops nobody."""

    of: Resource
    """``jobs``, ``processors``, ``nodes``, ``memory`` (GiB), ``gpus`` that run, of what they asked
    for, but ``nodes`` that they have, and with `slurm` ``gpus`` that they have, all of whole nodes,
    where the site has `NodeClass` of them; what is left of the running jobs' ``processor_minutes``
    by their walltimes, with `slurm` in whole minutes and as of the last multiple of
    ``priority_calc_period`` (with the ``priority_type`` ``basic`` nothing runs off); a job's own
    ``walltime`` in seconds; jobs ``submitted`` and not over, above which a job is refused;
    ``licences`` of the name `licence`."""
    licence: Text | None = None
    per: tuple[Key, ...] | Key = "all"
    """Whose jobs are counted together; several make a pair, such as user and queue."""
    most: Annotated[float, Meta(ge=0.0)] | None = None
    """For every key; ``None``: for those of `by` alone."""
    by: Mapping[str, Annotated[float, Meta(ge=0.0)]] = {}
    """Keys with a number of their own; those of pairs are joined by a colon."""
    only: Mapping[Field, Texts] = {}
    """The jobs it is for, by their fields, such as ``{qos = ["short"]}``; empty: all."""
    counts: Literal["the same", "all"] = "the same"
    """Whether it counts the jobs that it is for, or all jobs of the key, though it stops those."""
    exempt: Mapping[Field, Texts] = {}
    """Those of them that it counts and never stops, by any of their fields: as jobs whose QOS has a
    limit of its own, which stands in place of an account's."""
    begin: Date | None = None
    end: Date | None = None
    """When it holds, the end excluded; ``None``: always."""
    above: Above | None = None
    """``None``: as the site has it."""
    inferred: bool = False
    """Whether it was found in a log, and not stated."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields of jobs by which it counts; none for everybody together."""
        return tuple(key for key in texts(self.per) if key != "all")


class Window(SiteTable, frozen=True, kw_only=True):
    """Hours in which jobs of some lengths may not start, or by which they have ended."""

    days: Text = "Mon-Sun"
    """Such as ``Mon-Fri`` or ``Sat,Sun``, in the site's time zone."""
    closed: Text | None = None
    """Hours in which no start is, such as ``08:00-17:00``."""
    ended_by: Text | None = None
    """In its place a time of these days, such as ``08:00``, by which a job that starts before it
    has ended by its walltime."""
    longer_than: Annotated[float, Meta(ge=0.0)] = 0.0
    at_most: Seconds | None = None
    """The walltimes that it is for, in seconds: above the one, up to the other."""
    only: Mapping[Field, Texts] = {}
    """The jobs it is for; see `Limit`."""
    inferred: bool = False


class Freeze(SiteTable, frozen=True, kw_only=True):
    """A time in which nothing starts."""

    begin: Date
    end: Date
    partitions: Texts = ()
    """Whose jobs; empty: all."""


class Capacity(SiteTable, frozen=True, kw_only=True):
    """The processors that there are from a date on; jobs that run go on."""

    begin: Date
    processors: Annotated[int, Meta(ge=0)]
    partition: Text | None = None
    """Of which; ``None``: of the machine."""


class Outage(SiteTable, frozen=True, kw_only=True):
    """A time in which nothing starts on some nodes, and which nobody knows before it begins."""

    nodes: Texts
    begin: Date
    end: Date


class Reservation(SiteTable, frozen=True, kw_only=True):
    """Nodes that are kept for some; known before, so that no job of others runs into it."""

    name: Text
    nodes: Texts = ()
    """Empty: all."""
    begin: Date
    end: Date
    users: Texts = ()
    accounts: Texts = ()
    """Who may use it; both empty: nobody, as for maintenance. A job that names it starts on its
    nodes while it holds, and never once it is over."""


class Site(SiteTable, frozen=True, kw_only=True):
    """What a machine gives, and the rules before any policy.

    Every policy that is compared on a site keeps the same rules. A job that a rule stops gets no
    reservation and stops nobody.
    """

    name: Text = "site"
    time_zone: Text | None = None
    """Of its dates and hours, such as ``Europe/Stockholm``; ``None``: the workload's, else UTC."""
    start: datetime | float | None = None
    """The date of the workload's second 0, a number in Unix seconds; ``None``: as the workload
    says."""
    eligible: bool = True
    """Whether jobs wait until the date from which the log says that they could run: when hold,
    dependencies and begin time were over."""
    arrays: bool = True
    """Whether no more tasks of an array run at once than it says."""
    cycle: Annotated[float, Meta(ge=0.0, le=1e9)] = 0.0
    """Seconds between the scheduler's passes; 0: whenever something happens."""
    above: Above = "waits"
    """What becomes of a job that alone is above a limit."""
    impossible: Literal["waits", "rejected"] = "rejected"
    """What becomes of a job that no node or partition can ever hold. One that waits for ever is
    told at its submission, too, as a job that never ran."""
    processors: Count | None = None
    """The machine's size without `nodes`; ``None``: the platform's."""
    nodes: tuple[NodeClass, ...] = ()
    """Empty: any processors do."""
    partitions: tuple[Partition, ...] = ()
    """Empty: one with everything."""
    order: str | Mapping[str, Any] | None = None
    """The priority order of the queue, as the option `order` has it, for schedulers that have none
    of their own; ``None``: by submission."""
    limits: tuple[Limit, ...] = ()
    windows: tuple[Window, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    capacity: tuple[Capacity, ...] = ()
    outages: tuple[Outage, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    slurm: Slurm | None = None
    """For the scheduler ``slurm``."""
    openpbs: OpenPbs | None = None
    """For the scheduler ``openpbs``."""
    associations: tuple[Association, ...] = ()
    """Shares; empty: everybody has the same, and accounts are as jobs name them."""
    qos: tuple[Qos, ...] = ()

    @property
    def has_rules(self) -> bool:
        """Whether anything but room can keep a job from starting."""
        rules = self.partitions, self.limits, self.windows, self.freezes, self.cycle
        return self.eligible or self.arrays or any(rules)

    @property
    def size(self) -> int | None:
        """The machine's processors, if it says how many."""
        if self.nodes:
            return sum(one.count * one.processors for one in self.nodes)
        return self.processors
