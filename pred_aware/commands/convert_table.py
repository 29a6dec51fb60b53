"""The command `convert table`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

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

HELP = """Convert a table of jobs (CSV, TSV, Parquet) through a map of what its columns mean.

LOG is a file (CSV also packed with gzip), a folder in which all such files are read, or a glob in
quotes. The map is a file in TOML, or one that comes with pred-aware (`pred-aware map list`).
Without --map the file LOG.map.toml beside the log is taken, or map.toml in its folder; else the
shipped map whose columns the table has. `pred-aware map suggest LOG` writes a first map for a table
of your own. A map of ten lines is enough:

    [machine]
    nodes = 64
    time_zone = "Europe/Berlin"

    [columns]
    id = "job"
    user = "user"
    submit_time = "submitted"
    run_time = { from = "elapsed", unit = "minutes" }
    walltime = { from = "limit", unit = "d-hh:mm:ss" }
    processors = "nodes"

docs/logs-table.md has every key, and what is counted of the rows that make no job.

Examples:

    pred-aware convert table jobs.csv -o jobs.json --map mine.toml --platform machine.xml

    pred-aware convert table 'jobs-2024-*.parquet' -o jobs.json --size cores --processors 4096
"""


class Size(StrEnum):
    """What jobs are counted in."""

    nodes = "nodes"
    cores = "cores"
    gpus = "gpus"


def table(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    table_map: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FILE|NAME",
            help="What the columns mean.  [default: told by the columns]",
        ),
    ] = None,
    size: Annotated[
        Size | None,
        typer.Option(help="What jobs are counted in.  [default: the map's first that is there]"),
    ] = None,
    time_zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE", help="Of dates without an offset.  [default: what the map says, or UTC]"
        ),
    ] = None,
    platform: PlatformOption = None,
    processors: Annotated[
        int | None,
        typer.Option(min=1, help="The machine's size.  [default: what the map says]"),
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
    """Convert a table of jobs."""
    from workload_tools.table.log import TableLog

    reader = TableLog(
        log,
        map=table_map,
        strict=strict,
        size=None if size is None else size.value,
        time_zone=time_zone,
        machine_processors=processors,
    )
    named = [] if table_map is None or not Path(table_map).is_file() else [Path(table_map)]
    convert_log(
        log,
        reader,
        output=output,
        platform=platform,
        report=report,
        quiet=quiet,
        missing_walltime=missing_walltime_of(missing_walltime, output=output),
        changes=Changes(clean, anonymise, shift_dates, numbers),
        read_too=[*reader.files(), *named],
    )
