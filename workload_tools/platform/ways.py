"""The ways of messages to the master host, in the two supported forms of network.

The supported forms are clusters with a ``<zoneRoute>`` from each to the master's cluster, and
single hosts with ``<route>``s between them. With other networks, messages must have no delay.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from workload_tools.errors import PlatformError
from workload_tools.platform.elements import Link, link, quantity, routes
from workload_tools.platform.hosts import Hosts
from workload_tools.platform.platform import Way, way_through
from workload_tools.platform.quantities import BANDWIDTH, TIME
from workload_tools.platform.xml_tree import Element

_CLUSTERS = frozenset({"ASroute", "cluster", "link", "prop", "zoneRoute"})
_HOSTS = frozenset({"host", "link", "prop", "route"})
_NOT_PLAIN = ("limiter_link", "loopback_bw", "loopback_lat", "topo_parameters")

Ways = tuple[Way, tuple[Way, ...]]
"""The way from the master host to itself, and those from the compute hosts in their order."""


class NoWaysError(PlatformError):
    """The message delays of a platform are unknown."""


def find_ways(path: str | Path, zone: Element, hosts: Hosts, order: Iterable[str]) -> Ways:
    """Return the ways of messages to the master host.

    Parameters
    ----------
    path
        The name for error messages.
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
        own = _way(path, known, hosts.master, hosts.master)
        return own, tuple(_way(path, known, host, hosts.master) for host in order)
    return _between_clusters(path, zone, hosts, order, links)


def _between_clusters(
    path: str | Path, zone: Element, hosts: Hosts, order: Iterable[str], links: Mapping[str, Link]
) -> Ways:
    home = hosts.home
    if len(home.hosts) > 1:
        raise _other_network(path, home.element, "a master host among the hosts of a <cluster>")
    known = routes(path, zone.named("zoneRoute", "ASroute"), links)
    home_links = _own_links(path, home.element)
    ways: dict[str, Way] = {}
    for cluster in {group.name: group for group in hosts.computing.values()}.values():
        way = known.get((cluster.name, home.name))
        if way is None:
            raise NoWaysError(
                path,
                f"has no <zoneRoute> from '{cluster.name}' to the master's '{home.name}'",
                cluster.element.line,
            )
        # sums are in the order of the way, because the last bit of a date can depend on it
        ways[cluster.name] = way_through(
            [*way, *_own_links(path, cluster.element), *reversed(home_links)]
        )
    return (
        way_through([*home_links, home_links[0]]),
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
) -> Way:
    links = ways.get((source, destination))
    if not links:
        raise NoWaysError(path, f"has no <route> from '{source}' to '{destination}'")
    return way_through(links)


def _other_network(path: str | Path, element: Element, what: str) -> NoWaysError:
    return NoWaysError(path, f"message delays cannot be computed with {what}", element.line)
