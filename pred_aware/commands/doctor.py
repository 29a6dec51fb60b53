"""The command `doctor`: what works on this machine, and what to do about what does not."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, option
from pred_aware.commands.options.output import Told


def doctor(
    *,
    batsim: Annotated[
        Path | None, option("PROGRAM", "Batsim, in place of `batsim` on the PATH.")
    ] = None,
    batsched: Annotated[
        Path | None, option("PROGRAM", "batsched, in place of `batsched` on the PATH.")
    ] = None,
    folder: Annotated[Path, option("FOLDER", "Where output is to be written.")] = Path(),
    port: Annotated[int, option("", "Where decision processes listen.", min=1, max=65535)] = 28000,
    timeout: Annotated[
        float, option("", "Seconds that each side of a run may be silent.", min=0.1)
    ] = 30.0,
    output: Told,
) -> None:
    """Look whether everything that is needed is there and works.

    Looks at Python and the packages, folders, sockets and the port; at Batsim and batsched, which
    are not needed; and at a run of ten jobs with each side that is there. Says what to do about
    what does not work. Takes some seconds.

    The exit code is 0 when all that is needed works, and 1 otherwise. A program that is named with
    `--batsim` or `--batsched` is needed; one that is merely found on the PATH is not.

    For example:

        pred-aware doctor

        pred-aware doctor --batsim /opt/batsim/bin/batsim --folder results

        pred-aware doctor --json
    """
    from pred_aware.health.examination import examine_all

    found = examine_all(batsim=batsim, batsched=batsched, folder=folder, port=port, timeout=timeout)
    output.tell_findings(found, well="All that is needed works.")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, doctor, page="how-to/batsim.md")
