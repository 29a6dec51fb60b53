"""Platforms in SimGrid's XML, with the data that a simulation needs.

The format: https://simgrid.org/doc/latest/XML_reference.html, version 4. Hosts may be in any zones.
Two forms of network are supported, see `workload_tools.platform.ways`; with others, messages have
no delay.
"""

import hashlib
from pathlib import Path
from types import MappingProxyType

from workload_tools.errors import PlatformError
from workload_tools.platform.hosts import ZONES, find_hosts, not_understood
from workload_tools.platform.platform import NO_WAY, Platform, Way
from workload_tools.platform.ways import NoWaysError, find_ways
from workload_tools.platform.writer import write_platform
from workload_tools.platform.xml_tree import Element, parse_xml, read_bytes

__all__ = ["Platform", "Way", "read_platform", "write_platform"]


def read_platform(path: str | Path, *, master: str = "master_host") -> Platform:
    """Read a platform.

    Parameters
    ----------
    path
        The XML file.
    master
        Name of the master host, if no host has the property `role` with the value `master`.

    Raises
    ------
    PlatformError
        The file is not a platform, has no compute hosts, has not exactly one master, or has
        unsupported elements. An unsupported network is not an error; see `Platform.no_ways`.
    """
    return parse_platform(read_bytes(path), path, master=master)


def parse_platform(content: bytes, path: str | Path, *, master: str = "master_host") -> Platform:
    """Parse the content of a platform's XML file; see `read_platform`.

    Parameters
    ----------
    content
        The XML.
    path
        The name for error messages.
    master
        As in `read_platform`.
    """
    zone = _outermost_zone(path, parse_xml(content, path))
    found = find_hosts(path, zone, master)
    hosts = tuple(sorted(found.computing))
    groups = [found.computing[host] for host in hosts]
    # hosts of one group share one mapping
    told = {
        id(group): MappingProxyType({"role": "", **group.properties})
        for group in found.computing.values()
    }
    reason = ""
    try:
        own, ways = find_ways(path, zone, found, hosts)
    except NoWaysError as error:
        own, ways, reason = NO_WAY, (), str(error)
    return Platform(
        hosts=hosts,
        master=found.master,
        master_way=own,
        host_ways=ways,
        speeds=tuple(group.speed for group in groups),
        properties=MappingProxyType({host: told[id(found.computing[host])] for host in hosts}),
        no_ways=reason,
        sha256=hashlib.sha256(content).hexdigest(),
    )


def _outermost_zone(path: str | Path, root: Element) -> Element:
    if root.tag != "platform":
        raise PlatformError(path, f"is a <{root.tag}>, not a SimGrid <platform>", root.line)
    version = root.attributes.get("version", "none")
    if not version.startswith("4"):
        raise PlatformError(
            path, f"has version {version}, not 4; SimGrid's simgrid_update_xml helps", root.line
        )
    zones = [child for child in root.children if child.tag not in ("config", "prop")]
    if len(zones) != 1 or zones[0].tag not in ZONES:
        culprit = next((child for child in zones if child.tag not in ZONES), root)
        raise not_understood(path, culprit)
    return zones[0]
