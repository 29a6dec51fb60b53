"""Write the platform of a homogeneous cluster."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, TypedDict, Unpack

from workload_tools.errors import PlatformError
from workload_tools.files import written_whole
from workload_tools.platform.quantities import BANDWIDTH, SPEED, TIME, parse_quantity

MOST_HOSTS = 10_000_000

_UNITS: Mapping[str, dict[str, float]] = MappingProxyType(
    {
        "speed": SPEED,
        "bandwidth": BANDWIDTH,
        "latency": TIME,
        "cluster_bandwidth": BANDWIDTH,
        "cluster_latency": TIME,
        "backbone_bandwidth": BANDWIDTH,
        "backbone_latency": TIME,
    }
)

_SPECIAL = frozenset('&<>"\t\n\r')

# SimGrid expects this address in the document type, but never opens it
_TEMPLATE = """\
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd">
<platform version="4.1">
  <zone id="AS0" routing="Full">
    <!-- the compute hosts: {first} to {last} -->
    <cluster id="compute" prefix={prefix} suffix="" radical="0-{highest}"
             {links}/>

    <!-- the host of the simulator and the scheduler -->
    <cluster id="master" prefix={master} suffix="" radical="0-0"
             {links}>
      <prop id="role" value="master"/>
    </cluster>

    <link id="backbone" bandwidth={backbone_bandwidth} latency={backbone_latency}/>
    <zoneRoute src="compute" dst="master" gw_src={compute_router} gw_dst={master_router}>
      <link_ctn id="backbone"/>
    </zoneRoute>
  </zone>
</platform>
"""


class PlatformParameters(TypedDict, total=False):
    """Names and quantities of a platform. All have defaults; see `write_platform`."""

    speed: Annotated[str, "Speed of each host."]
    bandwidth: Annotated[str, "Bandwidth of each host's link."]
    latency: Annotated[str, "Latency of each host's link."]
    cluster_bandwidth: Annotated[str, "Bandwidth of the network in a cluster."]
    cluster_latency: Annotated[str, "Latency of the network in a cluster."]
    backbone_bandwidth: Annotated[
        str, "Bandwidth of the link between the hosts' and the master's cluster."
    ]
    backbone_latency: Annotated[
        str, "Latency of the link between the hosts' and the master's cluster."
    ]
    prefix: Annotated[str, "Start of the hosts' names."]
    master: Annotated[str, "Start of the master host's name."]


DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "prefix": "a",
        "master": "master_host",
        "speed": "1Gf",
        "bandwidth": "125MBps",
        "latency": "50us",
        "cluster_bandwidth": "2.25GBps",
        "cluster_latency": "500us",
        "backbone_bandwidth": "1.25GBps",
        "backbone_latency": "500us",
    }
)
"""Default names and quantities of a platform."""


def platform_text(
    path: str | Path = "the platform", *, hosts: int, **parameters: Unpack[PlatformParameters]
) -> str:
    """Return the XML of a cluster of equal hosts and a master host; see :func:`write_platform`.

    Raises
    ------
    PlatformError
        The number of hosts or a quantity is invalid. The message names `path`.
    """
    if not 1 <= hosts <= MOST_HOSTS:
        raise PlatformError(path, f"needs between 1 and {MOST_HOSTS} hosts, not {hosts}")
    said: dict[str, str] = {**DEFAULTS, **parameters}  # type: ignore[dict-item] # all are texts
    prefix, master = said["prefix"], said["master"]
    master_host = f"{master}0"
    if master_host.startswith(prefix) and master_host.removeprefix(prefix).isdecimal():
        raise PlatformError(
            path, f"hosts '{prefix}...' cannot have the name of the master host, {master_host}"
        )
    for name in _UNITS:
        _check(path, name, said[name])
    quoted = {name: _quoted(said[name]) for name in _UNITS}
    links = (
        f"speed={quoted['speed']} bw={quoted['bandwidth']} lat={quoted['latency']}"
        f" bb_bw={quoted['cluster_bandwidth']} bb_lat={quoted['cluster_latency']}"
    )
    return _TEMPLATE.format(
        first=f"{_comment(prefix)}0",
        last=f"{_comment(prefix)}{hosts - 1}",
        highest=hosts - 1,
        prefix=_quoted(prefix),
        master=_quoted(master),
        links=links,
        backbone_bandwidth=quoted["backbone_bandwidth"],
        backbone_latency=quoted["backbone_latency"],
        # SimGrid builds the routers' names from the prefix, the cluster's name and the suffix
        compute_router=_quoted(f"{prefix}compute_router"),
        master_router=_quoted(f"{master}master_router"),
    )


def write_platform(
    path: str | Path, *, hosts: int, **parameters: Unpack[PlatformParameters]
) -> None:
    """Write the platform of a cluster of equal hosts, with a master host.

    The defaults are those of Batsim's own cluster platforms. The compute hosts and the master are
    in two clusters. A message from a compute host to the master passes the host's link, its
    cluster's network, the backbone between the clusters, the master's network and its link.

    Parameters
    ----------
    path
        The XML file, which is written completely or not at all.
    hosts
        Number of compute hosts. Each host is one processor of the simulation.
    **parameters
        Quantities with SimGrid's units: `speed` of a host (1Gf), `bandwidth` (125MBps) and
        `latency` (50us) of a host's link, `cluster_bandwidth` (2.25GBps) and `cluster_latency`
        (500us) of the network in a cluster, `backbone_bandwidth` (1.25GBps) and `backbone_latency`
        (500us) of the link between the clusters. The names of hosts begin with `prefix` (a); the
        name of the master is `master` (master_host), to which SimGrid appends a 0.

    Raises
    ------
    PlatformError
        The number of hosts or a quantity is invalid, or the file cannot be written.
    """
    text = platform_text(path, hosts=hosts, **parameters)
    with written_whole(path, PlatformError) as file:
        file.write(text.encode())


def _check(path: str | Path, name: str, text: str) -> None:
    units = _UNITS[name]
    try:
        value = parse_quantity(text, units)
    except ValueError as error:
        raise PlatformError(path, f"{name}: {error}") from error
    if value <= 0.0 and units is not TIME:
        raise PlatformError(path, f"{name} must be above 0, not '{text}'")


def _quoted(text: str) -> str:
    """Return a text in quotes as an XML attribute."""
    if not _SPECIAL.intersection(text):
        return f'"{text}"'
    # this import is slow, so only done if needed
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


def _comment(text: str) -> str:
    return text.replace("-", "_")
