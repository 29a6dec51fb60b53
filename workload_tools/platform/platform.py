"""What a simulation needs to know of a platform."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Way:
    """What a message goes through from one host to another.

    Parameters
    ----------
    latency
        How long it is under way before its first byte arrives, in seconds.
    bandwidth
        The narrowest on the way, in bytes per second.
    """

    latency: float
    bandwidth: float


def way_through(links: Iterable[tuple[float, float]]) -> Way:
    """Return the way through some links, given as latency and bandwidth, in their order."""
    links = list(links)
    latency = 0.0
    # Not sum(), which compensates from Python 3.12 on: the last bit must be plain addition's.
    for link_latency, _ in links:
        latency += link_latency
    return Way(latency, min(bandwidth for _, bandwidth in links))


@dataclass(frozen=True, slots=True)
class Platform:
    """What a simulation needs to know of a platform.

    Parameters
    ----------
    hosts
        Names of the compute hosts in Batsim's order, by name as text: a0, a1, a10, a11, ...
    master
        Name of the host on which Batsim and the scheduler run.
    master_way
        The way from the master host to itself.
    host_ways
        The way from each compute host to the master host; hosts of one cluster share one.
    speeds
        What each compute host computes, in floating-point operations per second.
    properties
        The properties of each compute host, as Batsim tells them to a scheduler: `role` is always
        among them.
    """

    hosts: tuple[str, ...]
    master: str
    master_way: Way
    host_ways: tuple[Way, ...] = field(repr=False)
    speeds: tuple[float, ...] = field(repr=False)
    properties: Mapping[str, Mapping[str, str]] = field(repr=False)
