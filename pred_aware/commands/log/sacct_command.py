"""The command `log sacct-command`."""

import sys
from datetime import datetime
from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, flag, option
from pred_aware.errors import PredAwareError


def sacct_command(
    *,
    start: Annotated[str, option("DATE", "The first day, such as 2026-01-01.")],
    end: Annotated[str, option("DATE", "The end: the first day that is left out.")],
    monthly: Annotated[bool, flag("Print a command for each month.")] = False,
    cluster: Annotated[
        str | None, option("NAME", "The cluster, if it is not the one of the machine.")
    ] = None,
    own_limits: Annotated[
        bool,
        flag(
            "Ask for AdminComment, too, in which a bridge to a predictor notes users' own "
            "limits (uw=MINUTES)."
        ),
    ] = False,
    submit_lines: Annotated[
        bool,
        flag(
            "Ask for SubmitLine, too (Slurm 21.08 and later), which alone tells --exclusive, tasks "
            "a node and more; it may show what users would rather keep to themselves."
        ),
    ] = False,
    partition: Annotated[
        list[str] | None, option("NAME", "Ask for this partition only; may be repeated.")
    ] = None,
) -> None:
    """Print the sacct command that collects what `convert slurm` needs.

    Run it on a machine of the cluster, as somebody who may see all users' jobs. It asks for every
    run of every job that was running or waiting between the dates; such as began before or ended
    after are among them. To have none that is still running, let the end be as long ago as the
    longest time limit. With `--monthly` there is a command for each month, for sites where the
    database answers no longer spans; jobs that are in two months are put together by `convert
    slurm`.

    For example:

        pred-aware log sacct-command --start 2026-01-01 --end 2026-07-01

        pred-aware log sacct-command --start 2025-01-01 --end 2026-01-01 --monthly | ssh login sh > sacct.txt
    """  # noqa: E501 - an example is one line
    from workload_tools.slurm.sacct_command import sacct_commands

    first, last = _date("--start", start), _date("--end", end)
    if first >= last:
        raise PredAwareError(f"--start {start} must be before --end {end}")
    commands = sacct_commands(
        first, last, monthly=monthly, cluster=cluster, partitions=partition or (),
        own_limits=own_limits, submit_lines=submit_lines,
    )  # fmt: skip
    sys.stdout.write("\n".join(commands) + "\n")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, sacct_command, page="how-to/logs-slurm.md")


def _date(option: str, text: str) -> datetime:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        date = None
    if date is None or date.tzinfo is not None:
        raise PredAwareError(
            f"{option} is '{text}'; it must be a date such as 2026-01-01 or 2026-01-01T12:00:00"
        )
    return date
