"""Platforms in SimGrid's XML, with the data that a simulation needs.

The format: https://simgrid.org/doc/latest/XML_reference.html, version 4. Hosts are found in any
zones. Only two forms of network are understood, see `workload_tools.platform.reader`; on others,
messages can take no time.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from workload_tools.errors import PlatformError
from workload_tools.platform.hosts import ZONES, Hosts, find_hosts, not_understood
from workload_tools.platform.platform import NO_WAY, Platform, Route, route_through
from workload_tools.platform.quantities import BANDWIDTH, TIME, Link, link, quantity, routes
from workload_tools.platform.writer import write_platform
from workload_tools.platform.xml_tree import Element, parse_xml, read_bytes

_CLUSTERS = frozenset({"ASroute", "cluster", "link", "prop", "zoneRoute"})
_HOSTS = frozenset({"host", "link", "prop", "route"})
_NOT_PLAIN = ("limiter_link", "loopback_bw", "loopback_lat", "topo_parameters")

Ways = tuple[Route, tuple[Route, ...]]
"""The way from the master host to itself, and those from the compute hosts in their order."""


class NoRoutesError(PlatformError):
    """The message delays of a platform are unknown."""


def find_ways(path: str | Path, zone: Element, hosts: Hosts, order: Iterable[str]) -> Ways:
    """Return the ways of messages to the master host.

    Parameters
    ----------
    path
        Path of the file, for errors.
    zone, hosts
        The platform's outermost zone and its hosts.
    order
        The names of the compute hosts.

    Raises
    ------
    NoWaysError
        A route is missing, or the network has an unsupported form.
    PlatformError
        A quantity or an attribute of the network is invalid.
    """
    links = {
        element.attributes.get("id", ""): link(path, element) for element in zone.named("link")
    }
    single = any(zone.named("host"))
    for element in zone.children:
        if element.tag not in (_HOSTS if single else _CLUSTERS):
            raise _other_network(path, element, f"<{element.tag}>")
    routing = zone.attributes.get("routing", "Full")
    if single and routing != "Full":
        raise _other_network(path, zone, f"routing '{routing}'")
    if single:
        known = routes(path, zone.named("route"), links)
        masters_way = _way(path, known, hosts.master, hosts.master)
        return masters_way, tuple(_way(path, known, host, hosts.master) for host in order)
    return _between_clusters(path, zone, hosts, order, links)


def _between_clusters(
    path: str | Path, zone: Element, hosts: Hosts, order: Iterable[str], links: Mapping[str, Link]
) -> Ways:
    home = hosts.home
    if len(home.hosts) > 1:
        raise _other_network(path, home.element, "a master host among the hosts of a <cluster>")
    known = routes(path, zone.named("zoneRoute", "ASroute"), links)
    home_links = _own_links(path, home.element)
    ways: dict[str, Route] = {}
    for cluster in {group.name: group for group in hosts.computing.values()}.values():
        way = known.get((cluster.name, home.name))
        if way is None:
            raise NoRoutesError(
                path,
                f"has no <zoneRoute> from '{cluster.name}' to the master's '{home.name}'",
                cluster.element.line,
            )
        # sums are in the order of the way, because the last bit of a date can depend on it
        ways[cluster.name] = route_through(
            [*way, *_own_links(path, cluster.element), *reversed(home_links)]
        )
    return (
        route_through([*home_links, home_links[0]]),
        tuple(ways[hosts.computing[host].name] for host in order),
    )


def _own_links(path: str | Path, element: Element) -> list[Link]:
    """Return a cluster's links on the way out: its hosts' own, and the common backbone, if any."""
    attributes = element.attributes
    if attributes.get("topology", "FLAT") != "FLAT":
        raise _other_network(path, element, f"topology '{attributes['topology']}'")
    for name in _NOT_PLAIN:
        if name in attributes:
            raise _other_network(path, element, f"the attribute '{name}'")
    links = [(quantity(path, element, "lat", TIME), quantity(path, element, "bw", BANDWIDTH))]
    if "bb_bw" in attributes or "bb_lat" in attributes:
        backbone = quantity(path, element, "bb_lat", TIME)
        links.append((backbone, quantity(path, element, "bb_bw", BANDWIDTH)))
    return links


def _way(
    path: str | Path, ways: Mapping[tuple[str, str], list[Link]], source: str, destination: str
) -> Route:
    links = ways.get((source, destination))
    if not links:
        raise NoRoutesError(path, f"has no <route> from '{source}' to '{destination}'")
    return route_through(links)


def _other_network(path: str | Path, element: Element, what: str) -> NoRoutesError:
    return NoRoutesError(path, f"message delays cannot be computed with {what}", element.line)


__all__ = ["Platform", "Route", "read_platform", "write_platform"]


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
    properties = {
        id(group): MappingProxyType({"role": "", **group.properties})
        for group in found.computing.values()
    }
    reason = ""
    try:
        master_way, ways = find_ways(path, zone, found, hosts)
    except NoRoutesError as error:
        master_way, ways, reason = NO_WAY, (), str(error)
    return Platform(
        hosts=hosts,
        master=found.master,
        master_way=master_way,
        host_ways=ways,
        speeds=tuple(group.speed for group in groups),
        properties=MappingProxyType(
            {host: properties[id(found.computing[host])] for host in hosts}
        ),
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
