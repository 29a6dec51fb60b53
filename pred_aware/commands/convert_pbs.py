"""The command `convert pbs`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from workload_tools.pbs import PbsLog

HELP = """Convert an accounting log of PBS Professional, OpenPBS or Torque.

LOG is a file, plain or gzip, or the folder of daily files that the server keeps
(`server_priv/accounting`), which are read in the order of their names. Jobs that end in another
file than they began in are put together.

Each job is in the workload or counted with the reason why it is not: deleted while it waited, no
end in the log, a run time of 0. The run time is what PBS reports (`resources_used.walltime`), the
walltime what was asked for. The log does not tell the machine's size; without --processors it is
what was seen of it: the hosts' slots, or the processors that were busy at once.

docs/logs-pbs.md says what becomes of each field.

Examples:

    pred-aware convert pbs /var/spool/torque/server_priv/accounting -o site.json

    pred-aware convert pbs 20171001.gz -o day.json --processors 576 --submit-time etime
"""


class ProcessorsFrom(StrEnum):
    """Where a job's size is taken from."""

    requested = "requested"
    allocated = "allocated"


class RunTimeFrom(StrEnum):
    """Where a job's run time is taken from."""

    used = "used"
    dates = "dates"


class SubmitTime(StrEnum):
    """Which date is a job's submission."""

    ctime = "ctime"
    qtime = "qtime"
    etime = "etime"


def pbs(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    platform: PlatformOption = None,
    processors: Annotated[
        int | None,
        typer.Option(min=1, help="The machine's size.  [default: what was seen of it]"),
    ] = None,
    processors_from: Annotated[
        ProcessorsFrom,
        typer.Option(help="Which size a job takes, if the log has both; else the other."),
    ] = ProcessorsFrom.requested,
    run_time: Annotated[
        RunTimeFrom,
        typer.Option(help="resources_used.walltime, or the time between start and end."),
    ] = RunTimeFrom.used,
    submit_time: Annotated[
        SubmitTime,
        typer.Option(help="When a job was made, came into its last queue, or could run."),
    ] = SubmitTime.ctime,
    time_zone: Annotated[
        str | None,
        typer.Option(metavar="ZONE", help="The machine's time zone, such as Europe/Paris."),
    ] = None,
    missing_walltime: MissingWalltimeOption = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Make the first record that can't be used an error."),
    ] = False,
    clean: CleanOption = None,
    anonymise: AnonymiseOption = None,
    shift_dates: ShiftDatesOption = False,
    numbers: NumbersOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert an accounting log of PBS or Torque."""
    from workload_tools.pbs import PbsLog

    reader = PbsLog(
        log,
        strict=strict,
        processors_from=processors_from.value,
        run_time_from=run_time.value,
        submit_time_from=submit_time.value,
        machine_processors=processors,
        time_zone=time_zone,
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
    if not quiet:
        _print_seen(reader)


def _print_seen(reader: "PbsLog") -> None:
    """Say what was seen of the machine, which the log does not describe."""
    from pred_aware.report.terminal import for_lines

    size = reader.size
    slots = f", {size.slots} slots on them" if size.slots else ""
    for_lines().print(
        f"seen of the machine: {size.hosts} hosts{slots}, {size.peak()} processors busy at once"
    )
