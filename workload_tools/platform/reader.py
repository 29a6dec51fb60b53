"""Platforms in SimGrid's XML, as far as a simulation needs them.

The format: https://simgrid.org/doc/latest/XML_reference.html, version 4. Two forms are understood:
clusters of compute hosts, a cluster with the master host, and a route from each to the master's, as
Batsim's own cluster platforms have it and :func:`write_platform` writes it; and single hosts with
the routes between them written out.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

from workload_tools.errors import PlatformError
from workload_tools.platform.hosts import read_clusters, read_hosts
from workload_tools.platform.platform import Platform, Way
from workload_tools.platform.writer import write_platform
from workload_tools.platform.xml_tree import Element, parse_xml, read_bytes

__all__ = ["Platform", "Way", "read_platform", "write_platform"]

_CLUSTER_FORM = ("cluster", "link", "zoneRoute", "ASroute", "prop")
_HOST_FORM = ("host", "link", "route", "prop")


def read_platform(path: str | Path, *, master: str = "master_host") -> Platform:
    """Read what a simulation needs of a platform.

    Parameters
    ----------
    path
        The XML file.
    master
        Name of the master host, where none has the property `role` with the value `master`.

    Raises
    ------
    PlatformError
        The file is not a platform, has no compute hosts, not exactly one master, no route between
        them, or anything else that is not understood.
    """
    return parse_platform(read_bytes(path), path, master=master)


def parse_platform(content: bytes, path: str | Path, *, master: str = "master_host") -> Platform:
    """Make a platform of the content of an XML file; see `read_platform`.

    Parameters
    ----------
    content
        The XML.
    path
        What errors name.
    master
        As for `read_platform`.
    """
    zone = _outermost_zone(path, parse_xml(content, path))
    read = read_hosts if any(zone.named("host")) else read_clusters
    return replace(read(path, zone, master), sha256=hashlib.sha256(content).hexdigest())


def _outermost_zone(path: str | Path, root: Element) -> Element:
    if root.tag != "platform":
        raise PlatformError(path, f"is a <{root.tag}>, not a SimGrid <platform>", root.line)
    version = root.attributes.get("version", "none")
    if not version.startswith("4"):
        raise PlatformError(
            path, f"has version {version}, not 4; SimGrid's simgrid_update_xml helps", root.line
        )
    zones = [child for child in root.children if child.tag != "prop"]
    if len(zones) != 1 or zones[0].tag not in ("zone", "AS"):
        culprit = next((child for child in zones if child.tag not in ("zone", "AS")), root)
        raise _not_understood(path, culprit)
    known = _HOST_FORM if any(zones[0].named("host")) else _CLUSTER_FORM
    for child in zones[0].children:
        if child.tag not in known:
            raise _not_understood(path, child)
    return zones[0]


def _not_understood(path: str | Path, element: Element) -> PlatformError:
    return PlatformError(
        path,
        f"<{element.tag}> is not understood here; a platform must be one <zone> of <cluster>s, "
        "<link>s and <zoneRoute>s, as `pred-aware platform` writes it, or of <host>s, <link>s and "
        "<route>s",
        element.line,
    )
