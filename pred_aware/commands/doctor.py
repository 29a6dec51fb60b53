"""The command `doctor`: check this installation, and say how to repair each problem."""

from pathlib import Path
from typing import Annotated

from pred_aware.commands.options.groups import adding, option
from pred_aware.commands.options.output import PrintOptions


def doctor(
    *,
    batsim: Annotated[
        Path | None, option("PROGRAM", "Batsim program, instead of `batsim` on the PATH.")
    ] = None,
    batsched: Annotated[
        Path | None, option("PROGRAM", "batsched program, instead of `batsched` on the PATH.")
    ] = None,
    folder: Annotated[Path, option("FOLDER", "Folder for output files.")] = Path(),
    port: Annotated[
        int, option("", "Port where decision processes listen.", min=1, max=65535)
    ] = 28000,
    timeout: Annotated[
        float, option("", "Seconds that a program may take to connect or to answer.", min=0.1)
    ] = 30.0,
    output: PrintOptions,
) -> None:
    """Check that everything that pred-aware needs is present and works.

    Checks Python, the packages, folders, sockets and the port. Looks for the optional programs
    Batsim and batsched, and tests each found program with a run of ten jobs. Says how to repair
    each problem. Takes some seconds.

    The exit code is 0 if everything required works, else 1. Batsim and batsched are required only
    if you name them with `--batsim` or `--batsched`.

    For example:

        pred-aware doctor

        pred-aware doctor --batsim /opt/batsim/bin/batsim --folder results

        pred-aware doctor --json
    """
    from pred_aware.health.examination import examine_all

    found = examine_all(batsim=batsim, batsched=batsched, folder=folder, port=port, timeout=timeout)
    output.print_findings(found, well="Everything that is required works.")


register = adding(doctor, page="how-to/batsim.md")
