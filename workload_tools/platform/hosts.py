"""Find the hosts of a platform in its zones, clusters and cabinets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workload_tools.errors import PlatformError
from workload_tools.platform.quantities import (
    SPEED,
    has_role,
    needed,
    properties,
    quantity,
    refuse_twins,
)
from workload_tools.platform.writer import MOST_HOSTS
from workload_tools.platform.xml_tree import Element

ZONES = ("zone", "AS")
NETWORK = frozenset(
    {
        "ASroute", "backbone", "bypassASroute", "bypassRoute", "bypassZoneRoute", "host_link",
        "link", "prop", "route", "router", "zoneRoute",
    }
)  # fmt: skip
"""Elements of a zone that contain no hosts, and are therefore skipped."""

_ATTRIBUTES = {
    "cluster": {
        "bb_bw", "bb_lat", "bb_sharing_policy", "bw", "core", "id", "lat", "limiter_link",
        "loopback_bw", "loopback_lat", "prefix", "radical", "router_id", "sharing_policy", "speed",
        "suffix", "topo_parameters", "topology",
    },
    "cabinet": {"bw", "id", "lat", "prefix", "radical", "speed", "suffix"},
    "host": {"coordinates", "core", "id", "pstate", "speed"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostGroup:
    """A single host, or the hosts of a cluster or cabinet, which differ only in their names."""

    element: Element
    hosts: list[str]
    speed: float
    properties: dict[str, str]

    @property
    def name(self) -> str:
        """The name of the host, cluster or cabinet."""
        return self.element.attributes["id"]


@dataclass(frozen=True, slots=True)
class Hosts:
    """The master host and the compute hosts of a platform."""

    master: str
    home: HostGroup
    """The group to which the master host belongs."""
    computing: dict[str, HostGroup]
    """For each compute host, the group to which it belongs."""


def find_hosts(path: str | Path, zone: Element, master: str) -> Hosts:
    """Return the hosts in a zone and its inner zones; see `read_platform`."""
    groups = [*_groups(path, zone)]
    refuse_twins(path, [host for group in groups for host in group.hosts])
    home, master = _master(path, groups, master)
    computing = {
        host: group
        for group in groups
        if not has_role(group.properties, "storage")
        for host in group.hosts
        if host != master
    }
    if not computing:
        raise PlatformError(path, "has no compute hosts; add a <cluster> besides the master host")
    return Hosts(master, home, computing)


def _groups(path: str | Path, zone: Element) -> Iterator[HostGroup]:
    for element in zone.children:
        if element.tag in ZONES:
            yield from _groups(path, element)
        elif element.tag in _ATTRIBUTES:
            yield _group(path, element)
        elif element.tag not in NETWORK:
            raise not_understood(path, element)


def _group(path: str | Path, element: Element) -> HostGroup:
    tag, attributes = element.tag, element.attributes
    unknown = sorted(attributes.keys() - _ATTRIBUTES[tag])
    if unknown or any(child.tag != "prop" for child in element.children):
        what = f"the attribute '{unknown[0]}'" if unknown else "its child element"
        raise PlatformError(path, f"<{tag}>: {what} is not supported", element.line)
    hosts = [needed(path, element, "id")]
    if tag != "host":
        prefix, suffix = attributes.get("prefix", ""), attributes.get("suffix", "")
        hosts = [f"{prefix}{number}{suffix}" for number in _radical(path, element)]
    return HostGroup(element, hosts, quantity(path, element, "speed", SPEED), properties(element))


def _master(path: str | Path, groups: Sequence[HostGroup], name: str) -> tuple[HostGroup, str]:
    """Return the group and the name of the master host, found by its role or its name."""
    homes = [group for group in groups if has_role(group.properties, "master")]
    if not homes:
        for group in groups:
            # SimGrid appends a number to the name of a cluster's only host
            for host in (name, f"{name}0"):
                if host in group.hosts:
                    return group, host
        raise PlatformError(
            path,
            "has no master host. Choose one <host>, or a <cluster> of one host; give it the <prop> "
            f"role=master or the name '{name}'",
        )
    if len(homes) > 1 or len(homes[0].hosts) > 1:
        raise PlatformError(
            path, "must have one master host, in a <cluster> of its own", homes[-1].element.line
        )
    return homes[0], homes[0].hosts[0]


def _radical(path: str | Path, element: Element) -> Iterable[int]:
    """Yield the host numbers of the attribute ``radical``, such as ``0-9,20-29``."""
    radical = needed(path, element, "radical")
    ranges = []
    for part in radical.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low = int(first)
            # limit the range, because Python cannot compute the length of a huge range
            ranges.append(range(low, min(int(last) if dash else low, low + MOST_HOSTS) + 1))
        except ValueError:
            ranges.append(range(0))
    if not all(ranges) or sum(map(len, ranges)) > MOST_HOSTS:
        raise PlatformError(
            path,
            f'the attribute radical="{radical}" must list host numbers and ranges, such as '
            f"'0-9,20-29', of at most {MOST_HOSTS} hosts",
            element.line,
        )
    return (number for numbers in ranges for number in numbers)


def not_understood(path: str | Path, element: Element) -> PlatformError:
    """Return the error for an unsupported element."""
    known = "zones of <host>s, <cluster>s, <cabinet>s, links and routes"
    return PlatformError(
        path,
        f"<{element.tag}> is not supported; a platform is one <zone>: {known}",
        element.line,
    )
