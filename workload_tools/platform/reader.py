"""Read platforms from SimGrid's XML.

The format is described at https://simgrid.org/doc/latest/XML_reference.html (version 4). Hosts may
be in any zones. Message delays can be computed for two forms of network: clusters that zone routes
connect, and single hosts that routes connect. With other networks, messages must have no delay.
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
"""The route from the master host to itself, and the routes of the compute hosts to the master."""


class NoRoutesError(PlatformError):
    """The message delays of a platform cannot be computed."""


def find_ways(path: str | Path, zone: Element, hosts: Hosts, order: Iterable[str]) -> Ways:
    """Return the routes of messages to the master host.

    Parameters
    ----------
    path
        Path of the file, for error messages.
    zone, hosts
        The platform's outermost zone and its hosts.
    order
        The names of the compute hosts.

    Raises
    ------
    NoRoutesError
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
                f"has no <zoneRoute> from '{cluster.name}' to the master's cluster '{home.name}'",
                cluster.element.line,
            )
        # add latencies in the order of the route, because the order changes the sum's last bit
        ways[cluster.name] = route_through(
            [*way, *_own_links(path, cluster.element), *reversed(home_links)]
        )
    return (
        route_through([*home_links, home_links[0]]),
        tuple(ways[hosts.computing[host].name] for host in order),
    )


def _own_links(path: str | Path, element: Element) -> list[Link]:
    """Return the links from a host out of its cluster: its own link, and the backbone if any."""
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
        Name of the master host. It is only used if no host has the property `role=master`.

    Raises
    ------
    PlatformError
        The file is not a platform, lacks compute hosts, does not have exactly one master host, or
        has unsupported elements. An unsupported network is not an error; see `Platform.no_ways`.
    """
    return parse_platform(read_bytes(path), path, master=master)


def parse_platform(content: bytes, path: str | Path, *, master: str = "master_host") -> Platform:
    """Parse the content of a platform's XML file; see `read_platform`.

    Parameters
    ----------
    content
        The XML text.
    path
        The name for error messages.
    master
        Name of the master host, as in `read_platform`.
    """
    zone = _outermost_zone(path, parse_xml(content, path))
    found = find_hosts(path, zone, master)
    hosts = tuple(sorted(found.computing))
    groups = [found.computing[host] for host in hosts]
    # hosts of the same group share one mapping, to save memory
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
            path, f"has version {version}, not 4; convert it with simgrid_update_xml", root.line
        )
    zones = [child for child in root.children if child.tag not in ("config", "prop")]
    if len(zones) != 1 or zones[0].tag not in ZONES:
        culprit = next((child for child in zones if child.tag not in ZONES), root)
        raise not_understood(path, culprit)
    return zones[0]
