"""The command `service-files`: what the service and the hook are installed with."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, argument, option
from pred_aware.commands.options.output import Quietly

HELP = """Write the files with which the service and the hook are installed beside a PBS server.

The unit of systemd with its commented settings, the user that it runs as, the rights by which it
may read the accounting files, and the hook with its settings, which are those of a dry run. Nothing
is overwritten or installed: it says what to type next.

Example:

    pred-aware service-files pred-aware-files
"""


def service_files(
    folder: Annotated[Path, argument("DIR", "The folder to write.")],
    *,
    pbs_home: Annotated[
        Path | None,
        option("FOLDER", "PBS_HOME, if it is not that of /etc/pbs.conf or /var/spool/pbs."),
    ] = None,
    told: Quietly,
) -> None:
    """Write the files of the service and of the hook."""
    from pred_aware.production.installing import HIDDEN, next_steps, write_service_files
    from pred_aware.production.pbs_places import PbsPlaces, pbs_places

    program = Path(sys.prefix) / "bin" / "pred-aware"
    home = pbs_home or (pbs_places() or PbsPlaces()).home
    names = write_service_files(folder, program=program, pbs_home=home)
    told.say([f"{folder} has {', '.join(names)}."])
    if program.as_posix().startswith(HIDDEN):
        hidden = f"The unit hides {program} from the service (ProtectHome)"
        told.say([f"{hidden}: install pred-aware in /opt."])
    told.say(
        [
            "Read them, change what is to be changed, and then, as root on the PBS server:",
            "",
            *(f"    {line}" for line in next_steps(folder, program)),
        ]
    )


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, service_files, page="production.md", help=HELP, no_args_is_help=True)
