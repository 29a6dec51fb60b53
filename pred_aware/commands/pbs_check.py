"""The command `pbs-check`: whether the hook and the service work on this PBS server."""

from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, option
from pred_aware.commands.options.output import Told

HELP = """Look, on a PBS server and as root, whether its jobs get soft walltimes.

Looks at the hook (there, enabled, events, alarm, version, settings), at the service, asked as the
hook asks it, at the accounting files, read as the service's user, and at what the scheduler plans
with. Says by which command each thing is mended. Nothing is changed.

The exit code is 0 when all is well, and 1 otherwise.

Examples:

    pred-aware pbs-check

    pred-aware pbs-check --hook soft --json
"""


def pbs_check(
    *,
    hook: Annotated[str, option("NAME", "The hook.")] = "pred_aware",
    user: Annotated[str, option("NAME", "Who runs the service.")] = "pred-aware",
    output: Told,
) -> None:
    """Look whether jobs get soft walltimes."""
    import os

    from pred_aware.errors import PredAwareError
    from pred_aware.production.pbs_check import check_pbs
    from pred_aware.production.pbs_places import CONFIGURATION, pbs_places

    places = pbs_places()
    if places is None:
        raise PredAwareError(f"there is no {CONFIGURATION}: run this on the PBS server")
    if os.geteuid() != 0:
        raise PredAwareError("only root can look at hooks: run this as root")
    if not hook.replace("_", "").replace("-", "").isalnum():
        raise PredAwareError(f"--hook {hook}: is no name of a hook")
    output.tell_findings(check_pbs(places, hook=hook, user=user), well="All is well.")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, pbs_check, page="production.md", help=HELP)
