"""The command `log sacct-command`."""

import sys
from datetime import datetime
from typing import Annotated

from pred_aware.commands.options.groups import adding, flag, option
from pred_aware.errors import PredAwareError


def sacct_command(
    *,
    start: Annotated[str, option("DATE", "The first day, such as 2026-01-01.")],
    end: Annotated[str, option("DATE", "The end of the period: the first day that is left out.")],
    monthly: Annotated[bool, flag("Print a command for each month.")] = False,
    cluster: Annotated[
        str | None, option("NAME", "The cluster, if it is not the default cluster of sacct.")
    ] = None,
    own_limits: Annotated[
        bool,
        flag(
            "Also export AdminComment, where a prediction service stores estimates "
            "(pred=MINUTES) or the users' own limits (uw=MINUTES)."
        ),
    ] = False,
    submit_lines: Annotated[
        bool,
        flag(
            "Also export SubmitLine (Slurm 21.08 and later). Only SubmitLine shows --exclusive, "
            "tasks per node and other options. SubmitLine may contain private data."
        ),
    ] = False,
    partition: Annotated[
        list[str] | None, option("NAME", "Only jobs of this partition. Repeatable.")
    ] = None,
) -> None:
    """Print the sacct command that exports the data that `convert slurm` needs.

    Run the printed command on a machine of the cluster, as a user who may see the jobs of all
    users. The command exports every run of every job that was running or waiting between the two
    dates. To avoid unfinished jobs, the end date must be longer ago than the longest time limit.
    `--monthly` prints a command for each month, for sites whose database answers only short spans.
    `convert slurm` reads a job that is in two months only once.

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


def _date(option: str, text: str) -> datetime:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        date = None
    if date is None or date.tzinfo is not None:
        raise PredAwareError(
            f"{option} is '{text}'. Give a date such as 2026-01-01 or 2026-01-01T12:00:00"
        )
    return date


register = adding(sacct_command, page="how-to/logs-slurm.md")
