"""Requests of jobs and resources of partitions, by Slurm's trackable resources (TRES)."""

from collections.abc import Collection, Mapping

from schedulers.core.job import Job
from schedulers.site.node_sets import node_set
from schedulers.site.requests import gpus_of, nodes_of
from schedulers.site.site import Partition, Site, texts

MIB_PER_GIB = 1024.0
ON_NODES = ("cpu", "mem", "node")
_GPUS = "gres/gpu"


def tres_of_job(job: Job) -> dict[str, float]:
    """Return a job's request, with memory in GiB.

    Examples
    --------
    >>> tres_of_job(Job("w0!1", 0.0, 4, None, fields={"mem": 8, "gpu": 2, "gpu_type": "a100"}))
    {'cpu': 4.0, 'node': 1.0, 'mem': 8.0, 'gres/gpu': 2.0, 'gres/gpu:a100': 2.0}
    """
    fields = job.fields or {}
    nodes = nodes_of(job)
    asked = {"cpu": float(job.processors), "node": float(nodes)}
    of_node, memory = fields.get("memory_per_node"), fields.get("mem")
    if isinstance(of_node, int | float):
        asked["mem"] = float(of_node) * nodes
    elif isinstance(memory, int | float):
        asked["mem"] = float(memory)
    gpus = gpus_of(job)
    if gpus:
        asked[_GPUS] = float(gpus)
        if fields.get("gpu_type"):
            asked[f"{_GPUS}:{fields['gpu_type']}"] = float(gpus)
    return asked


def tres_of_partition(site: Site, partition: Partition | None, processors: int) -> dict[str, float]:
    """Return the resources of a partition's nodes, or of all nodes, with memory in GiB.

    A machine without nodes has only processors.
    """
    if not site.nodes:
        return {"cpu": float(processors)}
    told = () if partition is None else texts(partition.nodes)
    classes = [one for one in site.nodes for _ in range(one.count)]
    total: dict[str, float] = {"node": 0.0}
    for place in node_set(told, site.nodes, "partition"):
        one = classes[place]
        has = {"node": 1.0, "cpu": float(one.cores), "mem": one.memory or 0.0}
        for kind, gpus in one.gpus.items():
            has[f"{_GPUS}:{kind}"] = float(gpus)
            has[_GPUS] = has.get(_GPUS, 0.0) + gpus
        for name, amount in has.items():
            total[name] = total.get(name, 0.0) + amount
    return total


def billed(
    asked: Mapping[str, float], weights: Mapping[str, float], flags: Collection[str] = ()
) -> float:
    """Return the billing value of a job in Slurm. Without weights, it is in processors.

    Parameters
    ----------
    asked
        The job's amount of each resource, with memory in GiB.
    weights
        ``TRESBillingWeights`` of its partition; for memory, per GiB.
    flags
        With ``max_tres``, only the largest value among resources of nodes counts. With
        ``max_tres_gres``, GPUs are added to it. Otherwise all values are added.

    Examples
    --------
    >>> weights = {"cpu": 1.0, "mem": 0.25, "gres/gpu": 2.0}
    >>> asked = {"cpu": 4.0, "mem": 32.0, "gres/gpu": 1.0}
    >>> [billed(asked, weights, flags) for flags in ((), ("max_tres",), ("max_tres_gres",))]
    [14.0, 8.0, 10.0]
    """
    if not weights:
        return asked.get("cpu", 0.0)
    largest = rest = 0.0
    for name, weight in weights.items():
        amount = asked.get(name, 0.0) * weight
        gpus = name.startswith("gres/")
        if ("max_tres_gres" in flags and name in ON_NODES) or (
            "max_tres" in flags and "max_tres_gres" not in flags and (gpus or name in ON_NODES)
        ):
            largest = max(largest, amount)
        else:
            rest += amount
    return largest + rest
