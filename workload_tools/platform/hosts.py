"""Hosts and clusters of a platform, as their elements say them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from workload_tools.errors import PlatformError
from workload_tools.platform.elements import (
    Link,
    has_role,
    link,
    needed,
    properties,
    quantity,
    refuse_twins,
    routes,
)
from workload_tools.platform.platform import Platform, Way, way_through
from workload_tools.platform.quantities import BANDWIDTH, SPEED, TIME
from workload_tools.platform.writer import MOST_HOSTS
from workload_tools.platform.xml_tree import Element

_ATTRIBUTES = {
    "id", "prefix", "suffix", "radical", "speed", "bw", "lat", "bb_bw", "bb_lat", "core",
    "sharing_policy", "bb_sharing_policy", "router_id", "topology",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster: hosts that reach each other by their own links and a common backbone, if any."""

    name: str
    line: int
    hosts: list[str]
    speed: float
    links: list[Link]
    properties: dict[str, str]


def read_clusters(path: str | Path, zone: Element, master: str) -> Platform:
    """Read a zone of clusters; see `workload_tools.platform.reader.read_platform`."""
    clusters = [_cluster(path, element) for element in zone.named("cluster")]
    home = _master_cluster(path, clusters, master)
    computing = [
        cluster
        for cluster in clusters
        if cluster is not home and not has_role(cluster.properties, "storage")
    ]
    owners = {host: cluster for cluster in computing for host in cluster.hosts}
    hosts = sorted(host for cluster in computing for host in cluster.hosts)
    if not hosts:
        raise PlatformError(path, "has no compute hosts; add a <cluster> beside the master's")
    refuse_twins(path, [*hosts, *home.hosts])
    links = {
        element.attributes.get("id", ""): link(path, element) for element in zone.named("link")
    }
    known = routes(path, zone.named("zoneRoute", "ASroute"), links)
    # The sums are made in the order of the way, to which the last bit of a date can be due.
    ways = {
        cluster.name: way_through(
            [*_route(path, known, cluster, home), *cluster.links, *reversed(home.links)]
        )
        for cluster in computing
    }
    shared = {
        cluster.name: MappingProxyType({"role": "", **cluster.properties}) for cluster in computing
    }
    return Platform(
        hosts=tuple(hosts),
        master=home.hosts[0],
        master_way=way_through([*home.links, home.links[0]]),
        host_ways=tuple(ways[owners[host].name] for host in hosts),
        speeds=tuple(owners[host].speed for host in hosts),
        properties=MappingProxyType({host: shared[owners[host].name] for host in hosts}),
    )


def _cluster(path: str | Path, element: Element) -> _Cluster:
    attributes = element.attributes
    unknown = sorted(attributes.keys() - _ATTRIBUTES)
    if attributes.get("topology", "FLAT") != "FLAT":
        unknown.append("topology")
    if unknown or any(child.tag != "prop" for child in element.children):
        what = f"the attribute '{unknown[0]}'" if unknown else "what stands in it"
        raise PlatformError(path, f"<cluster>: {what} is not understood here", element.line)
    links = [(quantity(path, element, "lat", TIME), quantity(path, element, "bw", BANDWIDTH))]
    if "bb_bw" in attributes or "bb_lat" in attributes:
        backbone = quantity(path, element, "bb_lat", TIME)
        links.append((backbone, quantity(path, element, "bb_bw", BANDWIDTH)))
    prefix, suffix = attributes.get("prefix", ""), attributes.get("suffix", "")
    return _Cluster(
        needed(path, element, "id"),
        element.line,
        [f"{prefix}{number}{suffix}" for number in _radical(path, element)],
        quantity(path, element, "speed", SPEED),
        links,
        properties(element),
    )


def _master_cluster(path: str | Path, clusters: list[_Cluster], master: str) -> _Cluster:
    homes = [cluster for cluster in clusters if has_role(cluster.properties, "master")]
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


def _radical(path: str | Path, element: Element) -> Iterator[int]:
    """Yield the numbers of a radical such as ``0-9,20-29``."""
    radical = needed(path, element, "radical")
    ranges = []
    for part in radical.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low = int(first)
            # a range of which the length can't be counted is none
            ranges.append(range(low, min(int(last) if dash else low, low + MOST_HOSTS) + 1))
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


def _route(
    path: str | Path,
    routes: Mapping[tuple[str, str], list[Link]],
    cluster: _Cluster,
    home: _Cluster,
) -> list[Link]:
    way = routes.get((cluster.name, home.name))
    if way is None:
        raise PlatformError(
            path,
            f"has no <zoneRoute> from '{cluster.name}' to the master's '{home.name}'",
            cluster.line,
        )
    return way


_HOST_ATTRIBUTES = {"id", "speed", "core", "pstate", "coordinates"}


def read_hosts(path: str | Path, zone: Element, master: str) -> Platform:
    """Read a zone of hosts; see `workload_tools.platform.reader.read_platform`."""
    if zone.attributes.get("routing", "Full") != "Full":
        raise PlatformError(
            path,
            f"has routing '{zone.attributes['routing']}'; routes between hosts must be written "
            "out, with routing 'Full'",
            zone.line,
        )
    elements = {needed(path, element, "id"): element for element in zone.named("host")}
    refuse_twins(path, [element.attributes["id"] for element in zone.named("host")])
    known = {name: properties(element) for name, element in elements.items()}
    for element in elements.values():
        unknown = sorted(element.attributes.keys() - _HOST_ATTRIBUTES)
        if unknown or any(child.tag != "prop" for child in element.children):
            what = f"the attribute '{unknown[0]}'" if unknown else "what stands in it"
            raise PlatformError(path, f"<host>: {what} is not understood here", element.line)
    home = _master(path, known, master)
    hosts = sorted(
        name for name in elements if name != home and not has_role(known[name], "storage")
    )
    if not hosts:
        raise PlatformError(path, "has no compute hosts; add a <host> beside the master's")
    links = {
        element.attributes.get("id", ""): link(path, element) for element in zone.named("link")
    }
    ways = routes(path, zone.named("route"), links)
    return Platform(
        hosts=tuple(hosts),
        master=home,
        master_way=_way(path, ways, home, home),
        host_ways=tuple(_way(path, ways, host, home) for host in hosts),
        speeds=tuple(quantity(path, elements[host], "speed", SPEED) for host in hosts),
        properties=MappingProxyType(
            {host: MappingProxyType({"role": "", **known[host]}) for host in hosts}
        ),
    )


def _master(path: str | Path, known: dict[str, dict[str, str]], master: str) -> str:
    homes = [name for name, own in known.items() if has_role(own, "master")]
    if not homes and master in known:
        homes = [master]
    if len(homes) != 1:
        count = "more than one" if homes else "no"
        raise PlatformError(
            path,
            f"has {count} master host: give one <host> the <prop> role=master, or name it "
            f"'{master}'",
        )
    return homes[0]


def _way(
    path: str | Path, ways: dict[tuple[str, str], list[Link]], source: str, destination: str
) -> Way:
    links = ways.get((source, destination))
    if not links:
        raise PlatformError(path, f"has no <route> from '{source}' to '{destination}'")
    return way_through(links)
