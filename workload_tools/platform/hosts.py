"""Platforms of single hosts with a route for each pair of them."""

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
from workload_tools.platform.quantities import SPEED
from workload_tools.platform.xml_tree import Element

_ATTRIBUTES = {"id", "speed", "core", "pstate", "coordinates"}


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
        unknown = sorted(element.attributes.keys() - _ATTRIBUTES)
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
