"""The commands under `store`, which keeps ended jobs for the prediction service."""

import math
import time
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pred_aware.commands.options.groups import adding, adding_group, argument, has, option
from pred_aware.commands.options.output import JsonOption, PrintOptions, QuietOption
from pred_aware.commands.options.reading import LogArgument, ReadingOptions
from pred_aware.errors import PredAwareError
from pred_aware.report.clock import in_utc
from pred_aware.report.plural import counted

DAY = 86400.0
MOST_JOBS = 2**53
"""A number of jobs that no store reaches."""

StoreArgument: TypeAlias = Annotated[
    str, argument("STORE", "The store: a file, or postgresql://user@host/name.")
]


def info(store: StoreArgument, *, output: JsonOption) -> None:
    """Show the numbers of jobs and users in a store, and the period of their ends."""
    from dataclasses import asdict

    with _opened(store) as opened:
        found = opened.contents()
    lines = [
        f"{counted(found.jobs, 'job')} of {counted(found.users, 'user')}",
        f"{found.killed:,} killed at their walltime",
    ]
    if found.first_end is not None and found.last_end is not None:
        lines.append(f"ended from {in_utc(found.first_end)} to {in_utc(found.last_end)}")
    output.print_result(asdict(found), lines)


def add(
    store: StoreArgument,
    log: LogArgument,
    *,
    reading: Annotated[ReadingOptions, has("reader", "time_zone")],
    output: PrintOptions,
) -> None:
    """Add the jobs of a log to a store. Create the store if necessary."""
    from pred_aware.production.errors import require_service

    require_service()
    from pred_aware.production.exporting import add_log
    from workload_tools.formats import open_log

    opened = open_log(log, options=reading.options, **reading.open_options)
    added = add_log(store, opened, log)
    lines = [f"{counted(added.new, 'job')} added, {added.known:,} were already there"]
    lines += [f"{counted(number, 'job')} refused: {why}" for why, number in added.refused.items()]
    output.print_result(
        {"new": added.new, "known": added.known, "refused": dict(added.refused)}, lines
    )


def export(
    store: StoreArgument,
    *,
    output: Annotated[Path, option("FILE.json", "The Batsim workload to write.", "-o", "--output")],
    printing: QuietOption,
) -> None:
    """Write the jobs of a store as a Batsim workload, for `predict` and `--history`."""
    from pred_aware.production.errors import require_service

    require_service()
    from pred_aware.production.exporting import export as write

    printing.check({"the store": Path(store)}, output=output)
    with _opened(store) as opened:
        number = write(opened, output)
    printing.print_lines([f"{counted(number, 'job')} in {output}"])


def prune(
    store: StoreArgument,
    *,
    days: Annotated[
        float | None, option("DAYS", "Remove jobs that ended more than DAYS days ago.", min=0.0)
    ] = None,
    jobs_a_user: Annotated[
        int | None,
        option("N", "Of each user, keep only the last N jobs.", min=0, max=MOST_JOBS),
    ] = None,
    printing: QuietOption,
) -> None:
    """Remove old jobs from a store."""
    if days is None and jobs_a_user is None:
        raise PredAwareError("state what to remove: give --days, --jobs-a-user or both")
    if days is not None and not math.isfinite(days):
        raise PredAwareError(f"--days {days}: give a number of days")
    with _opened(store) as opened:
        ended_before = None if days is None else time.time() - days * DAY
        removed = opened.prune(ended_before=ended_before, jobs_a_user=jobs_a_user)
    printing.print_lines([f"{counted(removed, 'job')} removed"])


def forget(
    store: StoreArgument,
    user: Annotated[str, argument("USER", "The user's name.")],
    *,
    printing: QuietOption,
) -> None:
    """Remove all data of a user from a store."""
    with _opened(store) as opened:
        removed = opened.forget(user)
    printing.print_lines([f"{counted(removed, 'job')} of '{user}' removed"])


def backup(
    store: StoreArgument,
    file: Annotated[Path, argument("FILE", "The new copy.")],
    *,
    printing: QuietOption,
) -> None:
    """Copy an SQLite store. The service may write to the store at the same time."""
    with _opened(store) as opened:
        opened.backup(file)
    printing.print_lines([f"copied {store} to {file}"])


def _opened(name: str) -> Any:  # noqa: ANN401 - a Store, loaded late
    from pred_aware.production.errors import require_service

    require_service()
    from pred_aware.production.store import JobDatabase

    return JobDatabase(name, create=False)


register = adding_group(
    "store",
    "Keep ended jobs, from which the prediction service learns.",
    adding(info, add, export, prune, forget, backup),
)
