"""The command `doctor`: check this machine, and say how to repair what does not work."""

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
        float, option("", "Longest silence of each side of a run, in seconds.", min=0.1)
    ] = 30.0,
    output: PrintOptions,
) -> None:
    """Check that everything needed is present and works.

    Checks Python, the packages, folders, sockets and the port. Looks for Batsim and batsched, which
    are optional. Compares a run of ten jobs with each of them that it finds. Says how to repair
    each problem. Takes some seconds.

    The exit code is 0 if everything needed works, else 1. A program that you name with `--batsim`
    or `--batsched` is needed. A program on the PATH is not.

    For example:

        pred-aware doctor

        pred-aware doctor --batsim /opt/batsim/bin/batsim --folder results

        pred-aware doctor --json
    """
    from pred_aware.health.examination import examine_all

    found = examine_all(batsim=batsim, batsched=batsched, folder=folder, port=port, timeout=timeout)
    output.print_findings(found, well="Everything that is needed works.")


register = adding(doctor, page="how-to/batsim.md")
