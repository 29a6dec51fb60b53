"""The partitions of a site that accept a job, decided once at its submission."""

import msgspec

from predictors.registry import nearest
from schedulers.core.constants import NEVER
from schedulers.core.job import Job, submission_of
from schedulers.site.requests import nodes_of
from schedulers.site.site import Partition, Site, texts
from workload_tools.batsim.fields import text_of


class Placed(msgspec.Struct, frozen=True):
    """The partitions that accept jobs with equal requests."""

    refusal: str | None = None
    """The reason if no partition accepts the jobs."""
    names: tuple[str, ...] = ()
    """The partitions, in the order in which they are tried. Empty means anywhere."""
    walltime: float | None = None
    """The default walltime, in seconds."""
    memory: tuple[str, float] | None = None
    """The field and GiB of the default memory: ``mem`` per processor, else per node."""


ANYWHERE = Placed()
_BOUNDED = ("project", "node", "qos")


class Places:
    """Finds the partitions of a site that accept a job.

    A job names its partitions in the field ``partition``, or in ``queue`` if the site has a
    partition of that name. A job that names none gets the default partition, else it may run
    anywhere. As in Slurm, one unknown partition is enough to reject the job. Partitions that do not
    accept the job's size, walltime or account are left out. If none is left, the job can never
    start.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._known = {one.name: one for one in site.partitions}
        self._default = next((one.name for one in site.partitions if one.default), None)
        self.bounded = any(
            one.max_nodes or one.max_processors or one.max_walltime or one.accounts or one.qos
            for one in site.partitions
        )
        """Whether jobs' processors and walltimes make a difference."""
        named = ("partition", "queue") if self._known else ()
        self.fields = (*named, *_BOUNDED) if self.bounded else named
        """The fields of jobs that do."""
        self._placed: dict[tuple[object, ...], Placed] = {}

    def of(self, job: Job) -> Placed:
        """Return the partitions that accept a submitted job."""
        if not self._known:
            return ANYWHERE
        fields = job.fields or {}
        asked: tuple[object, ...] = (*map(fields.get, self.fields),)
        if self.bounded:
            asked = (*asked, job.processors, job.walltime)
        try:
            placed = self._placed.get(asked)
        except TypeError:
            # a field of the workload holds a list or another unhashable value
            return self._new(job)
        if placed is None:
            placed = self._placed[asked] = self._new(job)
        return placed

    def _new(self, job: Job) -> Placed:
        names = self._names(job)
        unknown = next((name for name in names if name not in self._known), None)
        if unknown is not None:
            hint = nearest(unknown, self._known)
            return Placed(f"asks for partition '{unknown}', which the site does not have: {hint}")
        told = [self._known[name] for name in names]
        taking = [one for one in told if not _outside(job, one)]
        if taking:
            first = taking[0]
            return Placed(
                None, tuple(one.name for one in taking), first.default_walltime,
                _default_memory(first),
            )  # fmt: skip
        if not told:
            return ANYWHERE
        why = str(_outside(job, told[0]))
        waits = self._site.impossible == "waits"
        return Placed(f"would wait for ever: it {why}" if waits else why)

    def _names(self, job: Job) -> list[str]:
        """Return the partitions that a job names, or the default partition."""
        fields = job.fields or {}
        told, queue = fields.get("partition"), fields.get("queue")
        if told is not None:
            return [name for part in str(told).split(",") if (name := part.strip())]
        if queue is not None and str(queue) in self._known:
            return [str(queue)]
        return [] if self._default is None else [self._default]


def _default_memory(partition: Partition) -> tuple[str, float] | None:
    """Return the field and amount of memory for a job that requests none."""
    if partition.default_memory is not None:
        return "mem", partition.default_memory
    of_node = partition.default_memory_per_node
    return None if of_node is None else ("memory_per_node", of_node)


def _outside(job: Job, partition: Partition) -> str | None:
    """Return why a partition does not accept a job, or ``None``."""
    where = f"partition '{partition.name}'"
    limits = (
        ("nodes", nodes_of(job), partition.max_nodes),
        ("processors", job.processors, partition.max_processors),
        ("s", job.walltime, partition.max_walltime),
    )
    for what, asked, most in limits:
        # a job without a walltime asks for none
        if most is not None and most < asked < NEVER:
            return f"asks for {asked:g} {what}; {where} has jobs of at most {most:g}"
    accounts = texts(partition.accounts)
    # not stored in the job: predictors must not see the site's defaults yet
    project = submission_of(job).project
    if accounts and project not in accounts:
        return f"is of account '{project or ''}', which may not use {where}"
    qos = (job.fields or {}).get("qos")
    if partition.qos and (qos is None or text_of(qos) not in texts(partition.qos)):
        return f"is of QOS '{'' if qos is None else text_of(qos)}', which may not use {where}"
    return None
