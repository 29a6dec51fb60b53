"""The factors of a job's priority in Slurm that do not change, and the job's resources (TRES)."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from schedulers.core.job import Job
from schedulers.site.batch_system import Qos, Slurm
from schedulers.site.node_sets import node_set
from schedulers.site.requests import PartitionFinder, gpus_of, keys_of, nodes_of
from schedulers.site.site import Partition, Site, texts

MIB_PER_GIB = 1024.0
ON_NODES = ("cpu", "mem", "node")
_GPUS = "gres/gpu"


def tres_of_job(job: Job) -> dict[str, float]:
    """Return a job's request under Slurm's TRES names, with memory in GiB.

    Examples
    --------
    >>> tres_of_job(Job("w0!1", 0.0, 4, None, fields={"mem": 8, "gpu": 2, "gpu_type": "a100"}))
    {'cpu': 4.0, 'node': 1.0, 'mem': 8.0, 'gres/gpu': 2.0, 'gres/gpu:a100': 2.0}
    """
    fields = job.fields or {}
    nodes = nodes_of(job)
    tres = {"cpu": float(job.processors), "node": float(nodes)}
    of_node, memory = fields.get("memory_per_node"), fields.get("mem")
    if isinstance(of_node, int | float):
        tres["mem"] = float(of_node) * nodes
    elif isinstance(memory, int | float):
        tres["mem"] = float(memory)
    gpus = gpus_of(job)
    if gpus:
        tres[_GPUS] = float(gpus)
        if fields.get("gpu_type"):
            tres[f"{_GPUS}:{fields['gpu_type']}"] = float(gpus)
    return tres


def tres_of_partition(site: Site, partition: Partition | None, processors: int) -> dict[str, float]:
    """Return the resources of a partition's nodes under TRES names, with memory in GiB.

    Without a partition, count all nodes. A machine without nodes has only processors.
    """
    if not site.nodes:
        return {"cpu": float(processors)}
    names = () if partition is None else texts(partition.nodes)
    classes = [one for one in site.nodes for _ in range(one.count)]
    total: dict[str, float] = {"node": 0.0}
    for place in node_set(names, site.nodes, "partition"):
        one = classes[place]
        has = {"node": 1.0, "cpu": float(one.cores), "mem": one.memory or 0.0}
        for kind, gpus in one.gpus.items():
            has[f"{_GPUS}:{kind}"] = float(gpus)
            has[_GPUS] = has.get(_GPUS, 0.0) + gpus
        for name, amount in has.items():
            total[name] = total.get(name, 0.0) + amount
    return total


def billed(
    tres: Mapping[str, float], weights: Mapping[str, float], flags: Collection[str] = ()
) -> float:
    """Return the billing value of a job in Slurm. Without weights, it is the number of processors.

    `tres` holds the job's amount of each resource, with memory in GiB. `weights` are the
    ``TRESBillingWeights`` of the job's partition, for memory per GiB. A value is amount x weight.
    With the flag ``max_tres``, only the largest value of processors, memory, nodes and GPUs counts.
    With ``max_tres_gres``, the values of GPUs are added to the largest of the others. Without these
    flags, all values are added.

    Examples
    --------
    >>> weights = {"cpu": 1.0, "mem": 0.25, "gres/gpu": 2.0}
    >>> tres = {"cpu": 4.0, "mem": 32.0, "gres/gpu": 1.0}
    >>> [billed(tres, weights, flags) for flags in ((), ("max_tres",), ("max_tres_gres",))]
    [14.0, 8.0, 10.0]
    """
    if not weights:
        return tres.get("cpu", 0.0)
    largest = rest = 0.0
    for name, weight in weights.items():
        amount = tres.get(name, 0.0) * weight
        gpus = name.startswith("gres/")
        if ("max_tres_gres" in flags and name in ON_NODES) or (
            "max_tres" in flags and "max_tres_gres" not in flags and (gpus or name in ON_NODES)
        ):
            largest = max(largest, amount)
        else:
            rest += amount
    return largest + rest


MOST = 2.0**32 - 1.0
"""The highest priority."""
_SECONDS_A_MINUTE = 60.0


@dataclass(slots=True, kw_only=True)
class Priority:
    """The weighted parts of a job's priority, as ``sprio`` shows them, but not rounded."""

    age: float = 0.0
    fair_share: float = 0.0
    job_size: float
    partition: float
    qos: float
    tres: float
    nice: float
    tier: int
    """The tier of the partition. Jobs of a higher tier come before all jobs of lower tiers."""

    @property
    def rest(self) -> float:
        """The sum of the parts that do not change while the job waits."""
        return self.job_size + self.partition + self.qos + self.tres - self.nice

    @property
    def whole(self) -> int:
        """The priority that Slurm uses, at least 1."""
        return whole(self.age + self.fair_share + self.rest)


def whole(priority: float) -> int:
    """Return a sum of priority parts as Slurm stores it: a whole number from 1 to `MOST`."""
    return int(min(max(priority, 1.0), MOST))


class PriorityFactors:
    """Computes the priority factors of jobs with a site's weights and flags.

    `processors` is the machine's number of processors. If the site has no nodes, the size factor
    depends on processors only.
    """

    def __init__(self, site: Site, slurm: Slurm, processors: int) -> None:
        self._places = PartitionFinder(site)
        self._known = {one.name: one for one in site.partitions}
        self._slurm = slurm
        self._flags = frozenset(slurm.priority_flags)
        self._processors = max(1, processors)
        self._nodes = sum(one.count for one in site.nodes)
        self._qos = {one.name: one for one in site.qos}
        self._most_qos = max([one.priority for one in site.qos], default=0)
        self._most_partition = max([1, *(one.priority_job_factor for one in site.partitions)])
        self._totals = {
            one.name: self._total(one, tres_of_partition(site, one, processors))
            for one in site.partitions
        }
        self._total_of_all = self._total(None, tres_of_partition(site, None, processors))

    def _total(self, partition: Partition | None, total: dict[str, float]) -> dict[str, float]:
        return {**total, "billing": billed(total, _weights(partition), self._flags)}

    def named(self, partition: str) -> Partition | None:
        """Return the partition with this name, or ``None``."""
        return self._known.get(partition)

    def partitions(self, job: Job) -> list[Partition | None]:
        """Return a job's partitions. The partition with the job's best rank comes first."""
        places: list[Partition | None] = [
            *(self._known[name] for name in self._places.of(job).names)
        ] or [None]
        if len(places) > 1:
            # the sort is stable: equal partitions keep the job's own order
            places.sort(key=lambda partition: self._rank(job, partition))
        return places

    def _rank(self, job: Job, place: Partition | None) -> tuple[int, float]:
        parts = self.of(job, place)
        return -parts.tier, -parts.rest

    def of(self, job: Job, partition: Partition | None) -> Priority:
        """Return the parts of a job's priority in a partition, without age and fair share."""
        slurm = self._slurm
        named = self._qos_of(job)
        qos = 0.0 if named is None else float(named.priority)
        if "no_normal_qos" not in self._flags:
            qos = qos / self._most_qos if self._most_qos else 0.0
        factor = 1.0 if partition is None else float(partition.priority_job_factor)
        if "no_normal_part" not in self._flags:
            factor /= self._most_partition
        nice = (job.fields or {}).get("nice")
        return Priority(
            job_size=self._job_size(job) * slurm.priority_weight_job_size,
            partition=factor * slurm.priority_weight_partition,
            qos=qos * slurm.priority_weight_qos,
            tres=self._of_tres(job, partition) if slurm.priority_weight_tres else 0.0,
            nice=float(nice) if isinstance(nice, int | float) else 0.0,
            tier=1 if partition is None else partition.priority_tier,
        )

    def rate(self, job: Job) -> float:
        """Return the usage that a running job adds to fair share in each second."""
        qos = self._qos_of(job)
        used = billed(tres_of_job(job), _weights(self.partitions(job)[0]), self._flags)
        return used if qos is None else used * qos.usage_factor

    def _qos_of(self, job: Job) -> Qos | None:
        if not self._qos:
            return None
        return self._qos.get(keys_of(job, (("qos", "qos"),))["qos"] or "normal")

    def _job_size(self, job: Job) -> float:
        small = self._slurm.priority_favor_small
        of_processors = job.processors / self._processors
        nodes = nodes_of(job)
        if "small_relative_to_time" in self._flags:
            a_node = self._processors / self._nodes if self._nodes else 1.0
            limit = 0.0 if job.walltime == math.inf else job.walltime
            minutes = max(1.0, limit / _SECONDS_A_MINUTE)
            size = max(nodes * a_node, job.processors) / minutes / self._processors
            size = 1.0 - size if small else size
        else:
            size = 1.0 - of_processors if small else of_processors
            if self._nodes:
                of_nodes = nodes / self._nodes
                size = ((1.0 - of_nodes if small else of_nodes) + size) / 2.0
        return min(max(size, 0.0), 1.0)

    def _of_tres(self, job: Job, partition: Partition | None) -> float:
        tres = tres_of_job(job)
        tres["billing"] = billed(tres, _weights(partition), self._flags)
        has = self._total_of_all if partition is None else self._totals[partition.name]
        priority = 0.0
        for name, weight in self._slurm.priority_weight_tres.items():
            amount = tres.get(name, 0.0)
            if "no_normal_tres" in self._flags:
                priority += weight * amount * (MIB_PER_GIB if name == "mem" else 1.0)
            elif has.get(name):
                priority += weight * (amount / has[name])
        return priority


def _weights(partition: Partition | None) -> dict[str, float]:
    return {} if partition is None else dict(partition.billing)
