"""The command `platform`."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.outputs import QuietOption
from pred_aware.commands.options.panels import see

HELP = """Write the platform of a cluster of equal hosts, for `run`, `batsim` and the real Batsim.

The defaults of the network are those of Batsim's own cluster platforms; they matter only to a
simulation with Batsim's delays. Quantities have SimGrid's units, such as 50us, 125MBps, 1Gf.

Examples:

    pred-aware platform -n 512 -o cluster512.xml

    pred-aware platform -n 15680 -o marconi.xml --latency 1us --bandwidth 12.5GBps
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("batsim.md")
    app.command("platform", help=HELP, epilog=epilog, no_args_is_help=True)(platform)


def platform(  # noqa: PLR0913 - each is an option of the command
    *,
    hosts: Annotated[
        int,
        typer.Option(
            "-n", "--hosts", metavar="N", help="Number of compute hosts, each one processor."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The XML file to write.")
    ],
    speed: Annotated[str, typer.Option(help="Speed of a host.")] = "1Gf",
    bandwidth: Annotated[str, typer.Option(help="Bandwidth of a host's link.")] = "125MBps",
    latency: Annotated[str, typer.Option(help="Latency of a host's link.")] = "50us",
    cluster_bandwidth: Annotated[
        str, typer.Option(help="Bandwidth of the network in a cluster.")
    ] = "2.25GBps",
    cluster_latency: Annotated[
        str, typer.Option(help="Latency of the network in a cluster.")
    ] = "500us",
    backbone_bandwidth: Annotated[
        str, typer.Option(help="Bandwidth of the link between the hosts' and the master's cluster.")
    ] = "1.25GBps",
    backbone_latency: Annotated[
        str, typer.Option(help="Latency of the link between the hosts' and the master's cluster.")
    ] = "500us",
    prefix: Annotated[str, typer.Option(help="What the hosts' names begin with.")] = "a",
    master: Annotated[str, typer.Option(help="What the master host's name begins with.")] = (
        "master_host"
    ),
    quiet: QuietOption = False,
) -> None:
    """Write a platform."""
    from pred_aware.report.lines import say
    from workload_tools.platform.writer import write_platform

    write_platform(
        output,
        hosts=hosts,
        speed=speed,
        bandwidth=bandwidth,
        latency=latency,
        cluster_bandwidth=cluster_bandwidth,
        cluster_latency=cluster_latency,
        backbone_bandwidth=backbone_bandwidth,
        backbone_latency=backbone_latency,
        prefix=prefix,
        master=master,
    )
    if not quiet:
        say(f"wrote {output}: {hosts:,} hosts")
