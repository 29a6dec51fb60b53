"""The platform on which jobs are simulated: hosts, speeds and network routes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Route:
    """The network between two hosts: the delay and speed of a message."""

    latency: float
    """Time until the first byte arrives, in seconds."""
    bandwidth: float
    """Smallest bandwidth of the route's links, in bytes per second."""


NO_WAY = Route(0.0, 0.0)
"""Value for an unknown route."""


def route_through(links: Iterable[tuple[float, float]]) -> Route:
    """Return the route through links (latency in s, bandwidth in bytes/s) in the given order."""
    links = list(links)
    latency = 0.0
    # Not sum(), which corrects rounding errors since Python 3.12: all Python versions must give the
    # same last bit.
    for link_latency, _ in links:
        latency += link_latency
    return Route(latency, min(bandwidth for _, bandwidth in links))


@dataclass(frozen=True, slots=True)
class Platform:
    """The hosts, speeds and network routes of a platform."""

    hosts: tuple[str, ...]
    """Names of the compute hosts in Batsim's order, sorted as text: a0, a1, a10, a11, ..."""
    master: str
    """Name of the host on which Batsim and the scheduler run."""
    master_way: Route
    """The route from the master host to itself; `NO_WAY` if unknown."""
    host_ways: tuple[Route, ...] = field(repr=False)
    """The route from each compute host to the master host; empty if unknown.

    Hosts of the same cluster share one `Route` object.
    """
    speeds: tuple[float, ...] = field(repr=False)
    """Speed of each compute host, in floating-point operations per second."""
    properties: Mapping[str, Mapping[str, str]] = field(repr=False)
    """The properties of each compute host that Batsim sends to schedulers, always with `role`."""
    no_ways: str = field(default="", repr=False)
    """Reason why the routes are unknown; empty if they are known."""
    sha256: str = field(default="", repr=False, compare=False)
    """SHA-256 of the XML in hexadecimal digits; empty if the platform has no XML."""

    @classmethod
    def of(cls, processors: int) -> Self:
        """Return the platform of a cluster of equal hosts, as `pred-aware platform` writes it.

        Raises
        ------
        PlatformError
            The number of processors is below 1, or above ten million.

        Examples
        --------
        >>> Platform.of(3).hosts
        ('a0', 'a1', 'a2')
        """
        platform: Self = _of_equal_hosts(processors)  # type: ignore[assignment]
        return platform

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a platform from SimGrid's XML; see `workload_tools.platform.reader.read_platform`.

        Raises
        ------
        PlatformError
            The file cannot be read, or has unsupported elements.
        """
        from workload_tools.platform.reader import read_platform

        platform: Self = read_platform(path)  # type: ignore[assignment]
        return platform

    @property
    def processors(self) -> int:
        """The number of compute hosts. Each host is one processor of the simulation."""
        return len(self.hosts)

    def __repr__(self) -> str:
        """Return a short text with the number of processors."""
        return f"<{type(self).__name__} of {self.processors} processors>"

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling: replace read-only mappings, which cannot be pickled, by dicts."""
        shared: dict[int, dict[str, str]] = {}
        properties = {
            host: shared.setdefault(id(values), dict(values))
            for host, values in self.properties.items()
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
    """Return a platform from a cache, because creating many host names takes a long time."""
    from workload_tools.platform.reader import parse_platform
    from workload_tools.platform.writer import platform_text

    return parse_platform(platform_text(hosts=processors).encode(), "the platform")
