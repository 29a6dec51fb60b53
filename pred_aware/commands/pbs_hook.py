"""The command `pbs-hook`: the hook for a PBS server, as a file to install."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, option
from pred_aware.commands.options.output import Quietly

HELP = """Write the hook that asks the service for soft walltimes, for a PBS server.

It is one file for Python 3.6 and later that needs no package, and is to be read before it is
installed. `service-files` writes it with all that belongs to it, and says what to type then.

Example:

    pred-aware pbs-hook -o pred_aware_hook.py
"""


def pbs_hook(
    *,
    output: Annotated[Path, option("FILE.py", "The file to write.", "-o", "--output")],
    told: Quietly,
) -> None:
    """Write the hook."""
    from pred_aware.production import pbs_hook as hook
    from workload_tools.files import written_whole

    told.check({}, output=output)
    with written_whole(output) as file:
        file.write(Path(hook.__file__).read_bytes())
    told.say([f"the hook is in {output}"])


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, pbs_hook, page="production.md", help=HELP)
