"""The requests of jobs as a site's rules see them: values of fields, amounts and partitions."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from predictors.registry import nearest
from schedulers.core.constants import NEVER
from schedulers.core.job import Job, submission_of
from schedulers.machine.node_request import count_in, memory_in
from schedulers.site.site import FIELDS, Limit, NodeClass, Partition, Site, texts
from workload_tools.batsim.fields import BATSIM_NAMES, text_of


def names_of_keys(site: Site) -> tuple[tuple[str, str], ...]:
    """Return the job fields that a site's rules use: our name and Batsim's name of each."""
    used = {"partition"}
    for limit in site.limits:
        used |= {*limit.only, *limit.exempt, *limit.keys}
    for window in site.windows:
        used |= set(window.only)
    return tuple((name, BATSIM_NAMES.get(name, name)) for name in FIELDS if name in used)


def keys_of(job: Job, names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the values of a job in the fields that a site's rules use.

    A missing field has an empty value. The partition is the first one that accepts the job. If the
    site has no partitions, it is the one that the job names. `names` comes from `names_of_keys`.
    """
    fields = job.fields or {}
    keys = {}
    for name, field in names:
        value = fields.get(field)
        if value is None and field != name:
            value = fields.get(name)
        keys[name] = value if type(value) is str else "" if value is None else text_of(value)
    if job.partitions:
        keys["partition"] = job.partitions[0]
    return keys


def is_for(only: Mapping[Any, tuple[str, ...] | str], keys: Mapping[str, str]) -> bool:
    """Return ``True`` if a rule with this `only` applies to jobs with these values."""
    return all(keys[name] in texts(wanted) for name, wanted in only.items())


def is_exempt(exempt: Mapping[Any, tuple[str, ...] | str], keys: Mapping[str, str]) -> bool:
    """Return ``True`` if a limit with this `exempt` never stops jobs with these values."""
    return any(keys[name] in texts(names) for name, names in exempt.items())


def nodes_of(job: Job) -> int:
    """Return how many nodes a job requests; 1 if the job does not say."""
    return count_in(job.fields or {}, "node") or 1


def gpus_of(job: Job) -> int:
    """Return how many GPUs a job requests.

    It is the larger of two numbers: the requested total, and GPUs per node x requested nodes.
    """
    fields = job.fields or {}
    return max(count_in(fields, "gpu"), count_in(fields, "gpus_per_node") * nodes_of(job))


def fewest_gpus(job: Job, nodes: Iterable[NodeClass]) -> float:
    """Return the fewest GPUs that a job on whole nodes can have: all GPUs of its nodes."""
    count, kind = nodes_of(job), (job.fields or {}).get("gpu_type")
    each = -(-gpus_of(job) // count)
    having = [one for one in nodes if (one.gpus.get(kind, 0) if kind else _sum(one)) >= each > 0]
    return float(count * min(map(_sum, having), default=0))


def _sum(node_class: NodeClass) -> int:
    return sum(node_class.gpus.values())


def amount_of(limit: Limit, job: Job, *, on_node: int = 0) -> float:
    """Return the amount that a job requests of the resource of a limit; see `Limit`.

    If a job states no number of nodes, it counts with the fewest nodes that hold its processors.
    `on_node` is the number of processors of the largest node, or 0 if it is unknown.
    """
    fields = job.fields or {}
    longest = job.walltime
    amount = 1.0
    match limit.of:
        case "processors":
            amount = float(job.processors)
        case "nodes":
            fewest = -(-job.processors // on_node) if on_node else 1
            amount = float(count_in(fields, "node") or fewest)
        case "memory":
            each, together = memory_in(fields)
            amount = each * nodes_of(job) or together
        case "gpus":
            amount = float(gpus_of(job))
        case "licences":
            licences = licences_of(str(fields.get("licences") or ""))
            amount = licences.get(limit.licence or "", 0.0)
        case "processor_minutes":
            amount = job.processors * longest / 60.0
        case "walltime":
            amount = longest
    return amount


def licences_of(text: str) -> dict[str, float]:
    """Return the number of licences that a job requests, by the licence's name.

    Examples
    --------
    >>> licences_of("matlab:2,ansys@server"), licences_of("")
    ({'matlab': 2.0, 'ansys': 1.0}, {})
    """
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.replace("=", ":").partition(":")
        found[name.partition("@")[0]] = float(number) if number.strip().isdigit() else 1.0
    return found


class PartitionChoice(msgspec.Struct, frozen=True):
    """The partitions that accept jobs with equal requests."""

    refusal: str | None = None
    """The reason for which no partition accepts the jobs, or ``None``."""
    names: tuple[str, ...] = ()
    """The partitions, in the order in which they are tried. Empty: the jobs may use all nodes."""
    walltime: float | None = None
    """The default walltime, in seconds."""
    memory: tuple[str, float] | None = None
    """The default memory in GiB, with its field: ``mem`` (per processor), ``memory_per_node``."""


ANYWHERE = PartitionChoice()


class PartitionFinder:
    """Finds the partitions of a site that accept a job.

    A job names its partitions in the field ``partition``, or in ``queue`` if the site has a
    partition with this name. A job that names no partition gets the default partition. If there is
    no default partition, it may use all nodes. As in Slurm, one unknown partition is enough to
    reject the job. Partitions that do not accept the job's size, walltime or account are left out.
    If no partition is left, the job can never start.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._known = {one.name: one for one in site.partitions}
        self._default = next((one.name for one in site.partitions if one.default), None)

    def of(self, job: Job) -> PartitionChoice:
        """Return the partitions that accept a submitted job."""
        if not self._known:
            return ANYWHERE
        names = self._names(job)
        unknown = next((name for name in names if name not in self._known), None)
        if unknown is not None:
            hint = nearest(unknown, self._known)
            return PartitionChoice(
                f"asks for partition '{unknown}', which the site does not have: {hint}"
            )
        named = [self._known[name] for name in names]
        taking = [one for one in named if not _outside(job, one)]
        if taking:
            first = taking[0]
            return PartitionChoice(
                None, tuple(one.name for one in taking), first.default_walltime,
                _default_memory(first),
            )  # fmt: skip
        if not named:
            return ANYWHERE
        why = str(_outside(job, named[0]))
        waits = self._site.impossible == "waits"
        return PartitionChoice(f"would wait for ever: it {why}" if waits else why)

    def _names(self, job: Job) -> list[str]:
        """Return the partitions that a job names, or the default partition."""
        fields = job.fields or {}
        partition, queue = fields.get("partition"), fields.get("queue")
        if partition is not None:
            return [name for part in str(partition).split(",") if (name := part.strip())]
        if queue is not None and str(queue) in self._known:
            return [str(queue)]
        return [] if self._default is None else [self._default]


def _default_memory(partition: Partition) -> tuple[str, float] | None:
    if partition.default_memory is not None:
        return "mem", partition.default_memory
    of_node = partition.default_memory_per_node
    return None if of_node is None else ("memory_per_node", of_node)


def _outside(job: Job, partition: Partition) -> str | None:
    where = f"partition '{partition.name}'"
    limits = (
        ("nodes", nodes_of(job), partition.max_nodes),
        ("processors", job.processors, partition.max_processors),
        ("s", job.walltime, partition.max_walltime),
    )
    for what, requested, most in limits:
        # a job without a walltime does not exceed `max_walltime`
        if most is not None and most < requested < NEVER:
            return f"asks for {requested:g} {what}; {where} allows at most {most:g}"
    accounts = texts(partition.accounts)
    # `job.submission` would store fields before the site's defaults are set
    project = submission_of(job).project
    if accounts and project not in accounts:
        return f"has account '{project or ''}', which may not use {where}"
    qos = (job.fields or {}).get("qos")
    if partition.qos and (qos is None or text_of(qos) not in texts(partition.qos)):
        return f"is of QOS '{'' if qos is None else text_of(qos)}', which may not use {where}"
    return None
