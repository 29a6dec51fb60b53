"""Platforms in SimGrid's XML, as far as a simulation of delays needs them.

The format: https://simgrid.org/doc/latest/XML_reference.html, version 4. What is understood is the
form that Batsim's own cluster platforms have and :func:`write_platform` writes: clusters of compute
hosts, a cluster with the master host, and a route from each to the master's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from workload_tools.errors import PlatformError
from workload_tools.platform_writer import MOST_HOSTS, write_platform
from workload_tools.quantities import BANDWIDTH, TIME, parse_quantity
from workload_tools.xml_tree import Element, read_xml

__all__ = ["Platform", "read_platform", "write_platform"]

_CLUSTER_ATTRIBUTES = {
    "id", "prefix", "suffix", "radical", "speed", "bw", "lat", "bb_bw", "bb_lat", "core",
    "sharing_policy", "bb_sharing_policy", "router_id", "topology",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Platform:
    """What a simulation needs to know of a platform.

    Parameters
    ----------
    hosts
        Names of the compute hosts in Batsim's order, by name as text: a0, a1, a10, a11, ...
    master
        Name of the host on which Batsim and the scheduler run.
    latency_master_to_master, latency_host_to_master
        How long a message is under way before its first byte arrives, in seconds.
    bandwidth_master_to_master, bandwidth
        The narrowest on the way from the master to itself, and from a compute host to the master,
        in bytes per second.
    properties
        The properties of each compute host, as Batsim tells them to a scheduler: `role` is always
        among them.
    """

    hosts: tuple[str, ...]
    master: str
    latency_master_to_master: float
    latency_host_to_master: float
    bandwidth_master_to_master: float
    bandwidth: float
    properties: Mapping[str, Mapping[str, str]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster: hosts that reach each other by their own links and a common backbone, if any."""

    name: str
    line: int
    hosts: list[str]
    links: list[tuple[float, float]]
    properties: dict[str, str]

    def has_role(self, role: str) -> bool:
        return role in self.properties.get("role", "").replace(" ", "").split(",")


def read_platform(path: str | Path, *, master: str = "master_host") -> Platform:
    """Read what a simulation of delays needs of a platform.

    Parameters
    ----------
    path
        The XML file.
    master
        Name of the master host, where no cluster has the property `role` with the value `master`.

    Raises
    ------
    PlatformError
        The file is not a platform, has no compute hosts, not exactly one master, no route between
        them, compute hosts at different distances from the master, or anything else that is not
        understood.
    """
    zone = _outermost_zone(path)
    clusters = [_cluster(path, element) for element in zone.named("cluster")]
    home = _master_cluster(path, clusters, master)
    computing = [
        cluster for cluster in clusters if cluster is not home and not cluster.has_role("storage")
    ]
    hosts = sorted(host for cluster in computing for host in cluster.hosts)
    if not hosts:
        raise PlatformError(path, "has no compute hosts; add a <cluster> beside the master's")
    _refuse_twins(path, [*hosts, *home.hosts])
    links = {link.attributes.get("id", ""): _link(path, link) for link in zone.named("link")}
    routes = _routes(path, zone, links)
    # The sums are made in the order of the way, to which the last bit of a date can be due.
    ways = {
        _way([*_route(path, routes, cluster, home), *cluster.links, *reversed(home.links)])
        for cluster in computing
    }
    if len(ways) != 1:
        raise PlatformError(
            path,
            "has compute hosts at different distances from the master host; here all of them must "
            "have the same latency and bandwidth",
        )
    latency, bandwidth = ways.pop()
    own_latency, own_bandwidth = _way([*home.links, home.links[0]])
    properties = {}
    for cluster in computing:
        shared = MappingProxyType({"role": "", **cluster.properties})
        properties.update(dict.fromkeys(cluster.hosts, shared))
    return Platform(
        hosts=tuple(hosts),
        master=home.hosts[0],
        latency_master_to_master=own_latency,
        latency_host_to_master=latency,
        bandwidth_master_to_master=own_bandwidth,
        bandwidth=bandwidth,
        properties=MappingProxyType(properties),
    )


def _outermost_zone(path: str | Path) -> Element:
    root = read_xml(path)
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
    known = ("cluster", "link", "zoneRoute", "ASroute", "prop")
    for child in zones[0].children:
        if child.tag not in known:
            raise _not_understood(path, child)
    return zones[0]


def _not_understood(path: str | Path, element: Element) -> PlatformError:
    return PlatformError(
        path,
        f"<{element.tag}> is not understood here; a platform must be one <zone> of <cluster>s, "
        "<link>s and <zoneRoute>s, as `pred-aware platform` writes it",
        element.line,
    )


def _cluster(path: str | Path, element: Element) -> _Cluster:
    attributes = element.attributes
    unknown = sorted(attributes.keys() - _CLUSTER_ATTRIBUTES)
    if attributes.get("topology", "FLAT") != "FLAT":
        unknown.append("topology")
    if unknown or any(child.tag != "prop" for child in element.children):
        what = f"the attribute '{unknown[0]}'" if unknown else "what stands in it"
        raise PlatformError(path, f"<cluster>: {what} is not understood here", element.line)
    links = [(_quantity(path, element, "lat", TIME), _quantity(path, element, "bw", BANDWIDTH))]
    if "bb_bw" in attributes or "bb_lat" in attributes:
        backbone = _quantity(path, element, "bb_lat", TIME)
        links.append((backbone, _quantity(path, element, "bb_bw", BANDWIDTH)))
    properties = {
        prop.attributes.get("id", ""): prop.attributes.get("value", "") for prop in element.children
    }
    prefix, suffix = attributes.get("prefix", ""), attributes.get("suffix", "")
    hosts = [f"{prefix}{number}{suffix}" for number in _radical(path, element)]
    return _Cluster(_needed(path, element, "id"), element.line, hosts, links, properties)


def _master_cluster(path: str | Path, clusters: list[_Cluster], master: str) -> _Cluster:
    homes = [cluster for cluster in clusters if cluster.has_role("master")]
    homes = homes or [cluster for cluster in clusters if master in cluster.hosts]
    if not homes:
        raise PlatformError(
            path,
            f"has no master host: give the <cluster> of one host the <prop> role=master, or name "
            f"its host '{master}'",
        )
    if len(homes) > 1 or len(homes[0].hosts) != 1:
        raise PlatformError(
            path, "must have one master host, in a <cluster> of its own", homes[-1].line
        )
    return homes[0]


def _refuse_twins(path: str | Path, hosts: list[str]) -> None:
    if len(set(hosts)) != len(hosts):
        twin = next(host for host in hosts if hosts.count(host) > 1)
        raise PlatformError(path, f"has more than one host '{twin}'")


def _radical(path: str | Path, element: Element) -> Iterator[int]:
    """Yield the numbers of a radical such as ``0-9,20-29``."""
    radical = _needed(path, element, "radical")
    ranges = []
    for part in radical.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            ranges.append(range(int(first), int(last if dash else first) + 1))
        except ValueError:
            ranges.append(range(0))
    if not all(ranges) or sum(map(len, ranges)) > MOST_HOSTS:
        raise PlatformError(
            path,
            f"radical '{radical}' must be numbers and ranges such as '0-9,20-29', of at most "
            f"{MOST_HOSTS} hosts",
            element.line,
        )
    return (number for numbers in ranges for number in numbers)


def _link(path: str | Path, element: Element) -> tuple[float, float]:
    return (
        _quantity(path, element, "latency", TIME),
        _quantity(path, element, "bandwidth", BANDWIDTH),
    )


def _routes(
    path: str | Path, zone: Element, links: Mapping[str, tuple[float, float]]
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Return the links between clusters, by the clusters' names, in the order of the way."""
    routes = {}
    for element in zone.named("zoneRoute", "ASroute"):
        way = []
        for step in element.children:
            name = step.attributes.get("id", "")
            if step.tag != "link_ctn" or name not in links:
                raise PlatformError(
                    path, f"<{step.tag} id='{name}'> names no <link> of the zone", step.line
                )
            way.append(links[name])
        ends = _needed(path, element, "src"), _needed(path, element, "dst")
        routes[ends] = way
        if element.attributes.get("symmetrical", "YES").upper() in ("YES", "TRUE", "1"):
            routes.setdefault((ends[1], ends[0]), way[::-1])
    return routes


def _route(
    path: str | Path,
    routes: Mapping[tuple[str, str], list[tuple[float, float]]],
    cluster: _Cluster,
    home: _Cluster,
) -> list[tuple[float, float]]:
    way = routes.get((cluster.name, home.name))
    if way is None:
        raise PlatformError(
            path,
            f"has no <zoneRoute> from '{cluster.name}' to the master's '{home.name}'",
            cluster.line,
        )
    return way


def _way(links: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the latency, summed in order, and the narrowest bandwidth."""
    latency = 0.0
    # Not sum(), which compensates from Python 3.12 on: the last bit must be plain addition's.
    for link_latency, _ in links:
        latency += link_latency
    return latency, min(bandwidth for _, bandwidth in links)


def _needed(path: str | Path, element: Element, attribute: str) -> str:
    try:
        return element.attributes[attribute]
    except KeyError:
        raise PlatformError(
            path, f"<{element.tag}> lacks the attribute '{attribute}'", element.line
        ) from None


def _quantity(path: str | Path, element: Element, attribute: str, units: dict[str, float]) -> float:
    try:
        value = parse_quantity(_needed(path, element, attribute), units)
    except PlatformError:
        raise
    except ValueError as error:
        raise PlatformError(path, f"{attribute}: {error}", element.line) from error
    if units is not TIME and value <= 0.0:
        raise PlatformError(path, f"{attribute} must be above 0", element.line)
    return value
