"""The command `convert`."""

from enum import StrEnum
from typing import Annotated

import typer

from pred_aware.commands.convert_m100 import HELP as M100_HELP
from pred_aware.commands.convert_m100 import m100
from pred_aware.commands.convert_pbs import HELP as PBS_HELP
from pred_aware.commands.convert_pbs import pbs
from pred_aware.commands.convert_slurm import HELP as SLURM_HELP
from pred_aware.commands.convert_slurm import slurm
from pred_aware.commands.convert_table import HELP as TABLE_HELP
from pred_aware.commands.convert_table import table
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
from pred_aware.commands.log_options import FormatOption, ProcessorsOption, TimeZoneOption
from pred_aware.commands.missing_walltime import (
    MissingWalltimeOption,
    missing_walltime_of,
    reader_options,
)
from pred_aware.commands.panels import see
from pred_aware.commands.recipes import HELP as RECIPES_HELP
from pred_aware.commands.recipes import recipes

SWF_HELP = """Convert a log in the Standard Workload Format, plain or gzip.

Writes a workload for `run`, `batsim` and the real Batsim (or an SWF again, if the output's name
ends in .swf), in which each job keeps its user, queue,
executable and whatever else the log tells; times begin with the first submission. Says what
became of every job of the log.

A job without a size, or with a run time of 0 or less, is dropped. A job that ran beyond its
walltime stays (the simulator kills it), and so does one that is larger than the machine (a
scheduler rejects it). A walltime is never made from the run time. Without the machine's size in
the log or in --processors, the workload is for a machine as large as its largest job.

Examples:

    pred-aware convert swf KTH-SP2-1996-2.1-cln.swf.gz -o kth.json --platform kth.xml

    pred-aware convert swf CEA-Curie-2011-2.1-cln.swf.gz -o curie.json --clean paper000-curie

    pred-aware convert swf LOG.swf -o cleaned.swf --clean 'user=2 and job<=5000' --clean 'run>7d'

    pred-aware convert swf LOG.swf -o LOG.json --missing-walltime 86400 --report LOG.report.json
"""

ANY_HELP = """Convert a log of any format that is installed, with that format's defaults.

The format is told by how the log begins. So a Batsim workload can be cleaned or turned into an SWF,
and logs in formats of other packages can be read (entry points of the group `pred_aware.logs`).

Examples:

    pred-aware convert any kth.json -o kth.swf

    pred-aware convert any jobs.json.gz -o public.swf.gz --anonymise key.json --shift-dates
"""


class ProcessorsFrom(StrEnum):
    """Where a job's size is taken from."""

    requested = "requested"
    allocated = "allocated"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    convert = typer.Typer(
        name="convert",
        help="Convert a job log to a Batsim workload, or to an SWF.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
    )
    convert.command("any", help=ANY_HELP, epilog=see("logs-table.md"))(any_format)
    convert.command("swf", help=SWF_HELP, epilog=see("logs-swf.md"))(swf)
    convert.command("slurm", help=SLURM_HELP, epilog=see("logs-slurm.md"))(slurm)
    convert.command("pbs", help=PBS_HELP, epilog=see("logs-pbs.md"))(pbs)
    convert.command("m100", help=M100_HELP, epilog=see("logs-m100.md"))(m100)
    convert.command("table", help=TABLE_HELP, epilog=see("logs-table.md"))(table)
    convert.command("recipes", help=RECIPES_HELP, epilog=see("cleaning.md"))(recipes)
    app.add_typer(convert)


def swf(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    platform: PlatformOption = None,
    processors: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The machine's size.  [default: what the log's header, or LOG.machines, says]",
        ),
    ] = None,
    processors_from: Annotated[
        ProcessorsFrom,
        typer.Option(help="Which size a job takes, if the log has both; else the other."),
    ] = ProcessorsFrom.requested,
    missing_walltime: MissingWalltimeOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Make the first job to be dropped an error.")
    ] = False,
    clean: CleanOption = None,
    anonymise: AnonymiseOption = None,
    shift_dates: ShiftDatesOption = False,
    numbers: NumbersOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a log in the Standard Workload Format."""
    from workload_tools.swf.log import SwfLog

    reader = SwfLog(
        log,
        strict=strict,
        processors_from=processors_from.value,
        machine_processors=processors,
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


def any_format(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    format_name: FormatOption = None,
    processors: ProcessorsOption = None,
    time_zone: TimeZoneOption = None,
    missing_walltime: MissingWalltimeOption = None,
    platform: PlatformOption = None,
    clean: CleanOption = None,
    anonymise: AnonymiseOption = None,
    shift_dates: ShiftDatesOption = False,
    numbers: NumbersOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a log of any format that is installed."""
    from workload_tools.formats import open_log

    convert_log(
        log,
        open_log(
            log,
            format=format_name,
            options=reader_options({}, missing_walltime, output=output),
            processors=processors,
            time_zone=time_zone,
        ),
        output=output,
        platform=platform,
        report=report,
        quiet=quiet,
        changes=Changes(clean, anonymise, shift_dates, numbers),
    )
