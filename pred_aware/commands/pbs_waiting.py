"""The command `pbs-waiting`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, argument, flag, option
from pred_aware.commands.options.output import Quietly
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say
from pred_aware.report.plural import counted

HELP = """Predict the waiting jobs of a PBS server anew, as jobs end and more is known.

Asks the service at SOCKET about each job that waits, every minute, and gives those whose estimate
has changed by a tenth or more a new soft walltime: with one `qalter` for many jobs, four times a
round at most. Runs as a manager of PBS, until it is stopped. A job to which somebody else has given
another soft walltime is left alone, as are all that the hook leaves alone. Jobs that run are never
changed.

Examples:

    pred-aware pbs-waiting /run/pred-aware/socket --dry-run --once

    pred-aware pbs-waiting /run/pred-aware/socket --except-queue debug
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, pbs_waiting, page="production.md", help=HELP, no_args_is_help=True)


def pbs_waiting(
    socket: Annotated[Path, argument("SOCKET", "The service's socket.")],
    *,
    every: Annotated[float, option("SECONDS", "How long a round lasts at least.", min=30.0)] = 60.0,
    except_queue: Annotated[
        list[str] | None, option("NAME", "Leave this queue's jobs alone; may be repeated.")
    ] = None,
    except_user: Annotated[
        list[str] | None, option("NAME", "Leave this user's jobs alone; may be repeated.")
    ] = None,
    dry_run: Annotated[bool, flag("Only say what would be changed.")] = False,
    once: Annotated[bool, flag("End after one round.")] = False,
    told: Quietly,
) -> None:
    """Predict waiting jobs anew."""
    from pred_aware.production.pbs_waiting import WaitingJobs

    waiting = WaitingJobs(
        socket, except_queues=except_queue or (), except_users=except_user or (), dry=dry_run
    )
    while True:
        try:
            changed = waiting.round()
        except PredAwareError as error:
            if once:
                raise
            # the next round may have what this one lacked
            say(f"pred-aware: {error}", error=True)
            changed = {}
        what = "would set" if dry_run else "set"
        told.say(
            f"{what} soft_walltime={soft} for {counted(len(jobs), 'job')}: {' '.join(jobs)}"
            for soft, jobs in changed.items()
        )
        if once:
            return
        time.sleep(every)
