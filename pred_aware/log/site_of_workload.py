"""A site as the jobs of a workload see it: with its dates, and only the nodes that matter."""

from typing import Any

import msgspec

from pred_aware.log.workload import Workload
from schedulers.site.reader import content_of, site_in
from schedulers.site.site import Site

BY_NODE = ("node", "tasks_per_node", "exclusive", "features", "gpu", "memory_per_node", "mem")
"""What a job may ask for that is of nodes."""


def site_of_workload(given: Any, workload: Workload) -> dict[str, Any]:  # noqa: ANN401 - of options
    """Return the content of a site for the jobs of a workload, as the option ``site`` takes it.

    Its start and time zone are the workload's, where it says none. Nodes of one class that all
    jobs may use, and of which no job asks for anything but processors, are counted: there is
    nothing that could tell one from another.

    Parameters
    ----------
    given
        A `Site`, its file, or its content.
    workload
        The jobs.

    Raises
    ------
    SiteError
        It can't be what it says.
    """
    site = site_in(given)
    start, zone = workload.dates
    changes: dict[str, Any] = {}
    if site.start is None and start is not None:
        changes["start"] = start
    if site.time_zone is None and zone is not None:
        changes["time_zone"] = zone
    if _counts(site, workload):
        (only,) = site.nodes
        changes |= {"nodes": (), "processors": only.count * only.cores}
    return content_of(msgspec.structs.replace(site, **changes))


def _counts(site: Site, workload: Workload) -> bool:
    """Say whether the nodes of a site are only a number of processors for these jobs."""
    if len(site.nodes) != 1 or site.nodes[0].whole or site.outages or site.reservations:
        return False
    if any(one.nodes or one.whole for one in site.partitions):
        return False
    if any(limit.of == "nodes" for limit in site.limits):
        return False
    return not any(name in row for row in workload.raw.details.rows() for name in BY_NODE)
