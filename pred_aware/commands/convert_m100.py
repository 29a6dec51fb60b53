"""The command `convert m100`."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from pred_aware.commands.converting import (
    AnonymiseOption,
    Changes,
    CleanOption,
    LogArgument,
    NumbersOption,
    OutputOption,
    PlatformOption,
    QuietOption,
    ReportOption,
    ShiftDatesOption,
    convert_log,
)
from pred_aware.commands.missing_walltime import MissingWalltimeOption, missing_walltime_of
from pred_aware.errors import PredAwareError

HELP = """Convert the public job table of Marconi100 (CINECA), as parquet or CSV.

LOG is a file, CSV also packed with gzip, or a folder in which all are read. Needed are the columns
tres_req_str, user_id, qos, time_limit (minutes), run_time (seconds), partition, job_state and
submit_time; others are used where they are there.

--paper001 prepares the table as paper 001 does: completed jobs of the partition m100_usr_prod
without a missing value, the last 24 hours of them, none with more than 256 processors. Each of
these steps is an option of its own, which goes before --paper001, and a line of what is printed.
Without them all jobs are kept that have ended, have a size and a run time above 0.

docs/logs-m100.md says what becomes of each column.

Examples:

    pred-aware convert m100 job_table.parquet -o day.json --paper001 --processors 512

    pred-aware convert m100 job_table.parquet -o train.json --paper001 --window-part before

    pred-aware convert m100 job_table.parquet -o all.json --state COMPLETED --state TIMEOUT
"""


class WindowPart(StrEnum):
    """Which part of the table is kept."""

    last = "last"
    before = "before"


def m100(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    paper001: Annotated[
        bool, typer.Option("--paper001", help="Take the steps of paper 001.")
    ] = False,
    state: Annotated[
        list[str] | None,
        typer.Option(metavar="STATE", help="Keep this job_state; may be given again."),
    ] = None,
    partition: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep this partition only.")
    ] = None,
    complete: Annotated[
        bool,
        typer.Option("--complete", help="Drop jobs of which a column of paper 001 has no value."),
    ] = False,
    window: Annotated[
        float | None,
        typer.Option(metavar="HOURS", help="Keep what was submitted in the last HOURS."),
    ] = None,
    window_part: Annotated[
        WindowPart, typer.Option(help="Keep the window, or what was submitted before it.")
    ] = WindowPart.last,
    largest: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Cut larger jobs to N processors.")
    ] = None,
    platform: PlatformOption = None,
    processors: Annotated[
        int | None,
        typer.Option(min=1, help="The machine's size.  [default: that of the largest job]"),
    ] = None,
    missing_walltime: MissingWalltimeOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Make the first row that can't be used an error.")
    ] = False,
    clean: CleanOption = None,
    anonymise: AnonymiseOption = None,
    shift_dates: ShiftDatesOption = False,
    numbers: NumbersOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert the job table of Marconi100."""
    from workload_tools.m100.log import PAPER_001, M100Log

    asked: dict[str, Any] = {
        "states": tuple(state or ()),
        "partition": partition,
        "complete": complete or None,
        "window_hours": window,
        "largest": largest,
    }
    given = {name: value for name, value in asked.items() if value not in (None, ())}
    steps = {**(PAPER_001 if paper001 else {}), **given}
    if not steps.get("window_hours", 1.0) > 0.0:
        raise PredAwareError(f"--window is {window:g}; it must be a number of hours above 0")
    if window_part is WindowPart.before and "window_hours" not in steps:
        raise PredAwareError("--window-part before needs --window or --paper001")
    reader = M100Log(
        log,
        strict=strict,
        window_part=window_part.value,
        machine_processors=processors,
        **steps,
    )
    convert_log(
        log,
        reader,
        output=output,
        platform=platform,
        report=report,
        quiet=quiet,
        missing_walltime=missing_walltime_of(missing_walltime, output=output),
        changes=Changes(clean, anonymise, shift_dates, numbers),
    )
