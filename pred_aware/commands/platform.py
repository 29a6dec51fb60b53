"""The command `platform`."""

from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer

from pred_aware.commands.options.groups import MadeOf, add, option, parameter
from pred_aware.commands.options.output import Quietly
from workload_tools.platform.writer import DEFAULTS, PlatformParameters, write_platform

HELP = """Write the platform of a cluster of equal hosts, for `run`, `batsim` and the real Batsim.

The defaults of the network are those of Batsim's own cluster platforms; they matter only to a
simulation with Batsim's delays. Quantities have SimGrid's units, such as 50us, 125MBps, 1Gf.

Examples:

    pred-aware platform -n 512 -o cluster512.xml

    pred-aware platform -n 15680 -o marconi.xml --latency 1us --bandwidth 12.5GBps
"""


def _parameters() -> MadeOf:
    """Return an option for each name and quantity of a platform."""
    told = get_type_hints(PlatformParameters, include_extras=True)
    return MadeOf(
        tuple(
            parameter(name, str, option("", get_args(hint)[1]), default=DEFAULTS[name])
            for name, hint in told.items()
        )
    )


def platform(
    *,
    hosts: Annotated[
        int, option("N", "Number of compute hosts, each one processor.", "-n", "--hosts")
    ],
    output: Annotated[Path, option("FILE", "The XML file to write.", "-o", "--output")],
    parameters: Annotated[dict[str, Any], _parameters()],
    told: Quietly,
) -> None:
    """Write a platform."""
    write_platform(output, hosts=hosts, **parameters)
    told.say([f"wrote {output}: {hosts:,} hosts"])


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, platform, page="how-to/batsim.md", help=HELP)
