"""A platform as simulations need it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Way:
    """What a message goes through from one host to another."""

    latency: float
    """How long it is under way before its first byte arrives, in seconds."""
    bandwidth: float
    """The narrowest on the way, in bytes per second."""


NO_WAY = Way(0.0, 0.0)
"""Stands for a way that is unknown."""


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
    """What a simulation needs to know of a platform."""

    hosts: tuple[str, ...]
    """Names of the compute hosts in Batsim's order, by name as text: a0, a1, a10, a11, ..."""
    master: str
    """Name of the host on which Batsim and the scheduler run."""
    master_way: Way
    """The way from the master host to itself; `NO_WAY` where ways are unknown."""
    host_ways: tuple[Way, ...] = field(repr=False)
    """The way from each compute host to the master host; hosts of one cluster share one. Empty
    where ways are unknown."""
    speeds: tuple[float, ...] = field(repr=False)
    """What each compute host computes, in floating-point operations per second."""
    properties: Mapping[str, Mapping[str, str]] = field(repr=False)
    """The properties of each compute host, as Batsim tells them to a scheduler: `role` is always
    among them."""
    no_ways: str = field(default="", repr=False)
    """Why the ways are unknown; empty where they are known."""
    sha256: str = field(default="", repr=False, compare=False)
    """Of the XML, in hexadecimal digits; empty where the platform was made without any."""

    @classmethod
    def of(cls, processors: int) -> Self:
        """Make the platform of a cluster of so many equal hosts, as `pred-aware platform` does.

        Raises
        ------
        PlatformError
            There are none, or more than ten million.

        Examples
        --------
        >>> Platform.of(3).hosts
        ('a0', 'a1', 'a2')
        """
        made: Self = _of_equal_hosts(processors)  # type: ignore[assignment]
        return made

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a platform from SimGrid's XML; see `workload_tools.platform.reader.read_platform`.

        Raises
        ------
        PlatformError
            The file can't be read, or is not understood.
        """
        from workload_tools.platform.reader import read_platform

        made: Self = read_platform(path)  # type: ignore[assignment]
        return made

    @property
    def processors(self) -> int:
        """The number of compute hosts, each of which is a processor of the simulation."""
        return len(self.hosts)

    def __repr__(self) -> str:
        """Name its size, rather than all of its hosts."""
        return f"<{type(self).__name__} of {self.processors} processors>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it, though views of mappings can't be."""
        shared: dict[int, dict[str, str]] = {}
        properties = {
            host: shared.setdefault(id(own), dict(own)) for host, own in self.properties.items()
        }
        return (
            type(self),
            (
                self.hosts, self.master, self.master_way, self.host_ways, self.speeds, properties,
                self.no_ways, self.sha256,
            ),
        )  # fmt: skip


@lru_cache(maxsize=2)
def _of_equal_hosts(processors: int) -> Platform:
    """Make it once for all runs on it: the names of 93,312 hosts take as long as their jobs."""
    from workload_tools.platform.reader import parse_platform
    from workload_tools.platform.writer import platform_text

    return parse_platform(platform_text(hosts=processors).encode(), "the platform")
