"""A site: the nodes of a machine, and the rules that apply before any policy."""

from schedulers.site.batch_system import Association, OpenPbs, Qos, Slurm
from schedulers.site.reader import read_site
from schedulers.site.site import (
    Capacity,
    Freeze,
    Limit,
    NodeClass,
    Outage,
    Partition,
    Reservation,
    Site,
    SiteError,
    Window,
)

__all__ = [
    "Association",
    "Capacity",
    "Freeze",
    "Limit",
    "NodeClass",
    "OpenPbs",
    "Outage",
    "Partition",
    "Qos",
    "Reservation",
    "Site",
    "SiteError",
    "Slurm",
    "Window",
    "read_site",
]
