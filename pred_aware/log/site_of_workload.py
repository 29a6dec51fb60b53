"""A site reduced to what affects a workload's jobs, with the workload's dates."""

from typing import Any

from msgspec.structs import replace

from pred_aware.log.workload import Workload
from pred_aware.site_configuration import site_in
from schedulers.site.node_sets import node_set
from schedulers.site.reader import content_of
from schedulers.site.site import Partition, Site, texts

BY_NODE = ("node", "tasks", "tasks_per_node", "exclusive", "features", "gpu", "gpus_per_node")
"""Requests of jobs that concern nodes."""

OF_MEMORY = ("mem", "memory_per_node")
"""The same, if the site states the memory of its nodes."""


def site_of_workload(given: Any, workload: Workload) -> dict[str, Any]:  # noqa: ANN401 - of options
    """Return the content of a site for a workload's jobs, as the option ``site`` takes it.

    The workload's start and time zone are used if the site has none. Nodes are replaced by their
    total of processors if they are of one class, all jobs may use them, and no job requests
    anything but processors: nothing distinguishes them then.

    Parameters
    ----------
    given
        A `Site`, its file, or its content.
    workload
        The jobs.

    Raises
    ------
    SiteError
        The site is invalid.
    """
    site = site_in(given)
    values = workload.raw.details.values
    start, zone = workload.dates
    changes: dict[str, Any] = {}
    if site.start is None and start is not None:
        changes["start"] = start
    if site.time_zone is None and zone is not None:
        changes["time_zone"] = zone
    # leave out rules that concern no job, because each costs time
    if not values("eligible_time"):
        changes["eligible"] = False
    if not values("array_limit"):
        changes["arrays"] = False
    if _everywhere(site):
        (only,) = site.nodes
        if not any(map(values, BY_NODE if only.memory is None else (*BY_NODE, *OF_MEMORY))):
            anywhere = tuple(replace(one, nodes=()) for one in site.partitions)
            processors = only.count * only.processors
            changes |= {"nodes": (), "processors": processors, "partitions": anywhere}
    partitions = changes.get("partitions", site.partitions)
    alone = len(partitions) == 1 and not _tells_partitions(site)
    if alone and values("partition") <= {partitions[0].name}:
        (partition,) = partitions
        if partition == Partition(name=partition.name, default=partition.default):
            changes["partitions"] = ()
    return content_of(replace(site, **changes))


def _everywhere(site: Site) -> bool:
    """Return True if a site has only one kind of nodes, and no rule distinguishes between nodes."""
    if len(site.nodes) != 1 or site.outages or site.reservations:
        return False
    if site.nodes[0].whole or site.nodes[0].threads > 1:
        return False
    of_some = (node_set(texts(one.nodes), site.nodes, one.name) for one in site.partitions)
    if any(len(nodes) < site.nodes[0].count for nodes in of_some):
        return False
    if any(one.whole for one in site.partitions) or any(one.partition for one in site.capacity):
        return False
    if site.nodes[0].memory is not None and any(
        one.default_memory or one.default_memory_per_node for one in site.partitions
    ):
        return False
    return not any(limit.of == "nodes" for limit in site.limits)


def _tells_partitions(site: Site) -> bool:
    """Return True if any rule depends on partitions."""
    told = [(*one.only, *one.keys) for one in site.limits] + [(*one.only,) for one in site.windows]
    return (
        any("partition" in names for names in told)
        or any(one.partitions for one in site.freezes)
        or any(step.partition for step in site.capacity)
    )
