"""A site: the nodes of a machine, and the rules that hold before any policy."""

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
    "Capacity",
    "Freeze",
    "Limit",
    "NodeClass",
    "Outage",
    "Partition",
    "Reservation",
    "Site",
    "SiteError",
    "Window",
    "read_site",
]
