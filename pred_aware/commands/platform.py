"""The command `platform`."""

from pathlib import Path
from typing import Annotated, get_args, get_type_hints

from pred_aware.commands.options.groups import adding, option
from pred_aware.commands.options.output import QuietOption
from pred_aware.commands.options.parts import parse_policy_options
from pred_aware.errors import PredAwareError
from workload_tools.hints import did_you_mean
from workload_tools.platform.writer import DEFAULTS, PlatformParameters, write_platform

QUANTITIES = {
    name: f"{get_args(hint)[1]} Default: {DEFAULTS[name]}."
    for name, hint in get_type_hints(PlatformParameters, include_extras=True).items()
}

HELP = f"""Write the platform of a cluster of equal hosts, for `run`, `batsim` and the real Batsim.

The network's defaults are those of Batsim's own cluster platforms. The network only matters in
simulations with Batsim's delays. Quantities have SimGrid's units, such as 50us, 125MBps, 1Gf.

{"".join(f"    {name:19} {text}{chr(10) * 2}" for name, text in QUANTITIES.items())}
For example:

    pred-aware platform -n 512 -o cluster512.xml

    pred-aware platform -n 15680 -o marconi.xml -O latency=1us -O bandwidth=12.5GBps
"""


def platform(
    *,
    hosts: Annotated[
        int, option("N", "Number of compute hosts, each one processor.", "-n", "--hosts")
    ],
    output: Annotated[Path, option("FILE", "The XML file to write.", "-o", "--output")],
    options: Annotated[
        list[str] | None,
        option("NAME=VALUE", "One of the options listed above. Repeatable.", "-O", "--options"),
    ] = None,
    printing: QuietOption,
) -> None:
    """Write the platform of a cluster; `HELP` is the help text."""
    parameters = {name: str(value) for name, value in parse_policy_options(options).items()}
    for name in parameters:
        if name not in QUANTITIES:
            raise PredAwareError(f"-O {name}: {did_you_mean(name, QUANTITIES)}")
    write_platform(output, hosts=hosts, **parameters)
    printing.print_lines([f"wrote {output}: {hosts:,} hosts"])


register = adding(platform, page="how-to/batsim.md", options={"help": HELP})
