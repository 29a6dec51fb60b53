"""The command `convert slurm`."""

from enum import StrEnum
from pathlib import Path
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
    from workload_tools.slurm import SlurmLog

HELP = """Convert what Slurm's `sacct` printed, as text or as JSON, plain or gzip.

`pred-aware sacct-command` prints the sacct command that collects what is needed. Any
`--parsable2`, `--parsable` or `--json` output will do that has at least JobIDRaw, State, Submit,
Start, ElapsedRaw and AllocCPUS, in any order, with steps or without.

A job runs for its elapsed time, in which it was not suspended, and waits from its submission to its
start. Jobs that never started, have not ended or ran for 0 s are dropped and counted by their
state. A job that runs beyond its time limit stays (the simulator kills it); one without a limit is
left out unless `--missing-walltime` gives it one. Of a job that was requeued the last run counts.
docs/logs-slurm.md has the rest.

Examples:

    pred-aware convert slurm sacct.txt -o jobs.json --time-zone Europe/Paris --processors 4096

    pred-aware convert slurm sacct.txt -o jobs.json --unit cores --slurm-conf slurm.conf

    pred-aware convert slurm jobs.txt -o jobs.json --format JobIDRaw,State,Submit,Start,ElapsedRaw,AllocCPUS,User
"""  # noqa: E501 - an example is one line


class Unit(StrEnum):
    """What a processor of the simulated machine stands for."""

    cpus = "cpus"
    cores = "cores"
    nodes = "nodes"
    gpus = "gpus"


class ProcessorsFrom(StrEnum):
    """Where a job's size is taken from."""

    allocated = "allocated"
    requested = "requested"


class SubmitTime(StrEnum):
    """Which date a job comes at."""

    submit = "submit"
    eligible = "eligible"


class Requeues(StrEnum):
    """What counts of a job that was requeued."""

    last = "last"
    each = "each"


def slurm(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    platform: PlatformOption = None,
    time_zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            help="The machine's IANA time zone, such as Europe/Paris.  [default: UTC]",
        ),
    ] = None,
    unit: Annotated[
        Unit, typer.Option(help="What a processor stands for; cpus are Slurm's.")
    ] = Unit.cpus,
    processors: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The machine's size.  [default: that of --slurm-conf, or the most busy at once]",
        ),
    ] = None,
    slurm_conf: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The cluster's slurm.conf: nodes, cores, size."),
    ] = None,
    threads_per_core: Annotated[
        int | None,
        typer.Option(min=1, help="How many of Slurm's CPUs a core has, for --unit cores."),
    ] = None,
    processors_from: Annotated[
        ProcessorsFrom,
        typer.Option(help="Whether a job takes the CPUs that it got or asked for."),
    ] = ProcessorsFrom.allocated,
    partition: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Take this partition's jobs only; may be repeated."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The cluster to take, of a log that has several."),
    ] = None,
    submit_time: Annotated[
        SubmitTime, typer.Option(help="Whether a job comes when submitted, or when it could run.")
    ] = SubmitTime.submit,
    requeues: Annotated[
        Requeues, typer.Option(help="Which runs of a requeued job become jobs.")
    ] = Requeues.last,
    format_: Annotated[
        str | None,
        typer.Option("--format", metavar="FIELDS", help="The fields of a log without a header."),
    ] = None,
    delimiter: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What stands between fields.  [default: as the header]"),
    ] = None,
    missing_walltime: MissingWalltimeOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Make the first unreadable record an error.")
    ] = False,
    clean: CleanOption = None,
    anonymise: AnonymiseOption = None,
    shift_dates: ShiftDatesOption = False,
    numbers: NumbersOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a dump of sacct."""
    from workload_tools.slurm import SlurmLog

    reader = SlurmLog(
        log,
        format=format_,
        delimiter=delimiter,
        time_zone=time_zone,
        unit=unit.value,
        processors_from=processors_from.value,
        submit_time_from=submit_time.value,
        requeues=requeues.value,
        cluster=cluster,
        partitions=partition or (),
        threads_per_core=threads_per_core,
        slurm_conf=slurm_conf,
        machine_processors=processors,
        strict=strict,
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
        read_too=[] if slurm_conf is None else [slurm_conf],
    )
    if not quiet and processors is None and slurm_conf is None:
        _print_seen(reader)


def _print_seen(reader: "SlurmLog") -> None:
    """Say where the machine's size comes from, which the log does not tell."""
    from pred_aware.report.terminal import for_lines

    how = "used" if reader.sizes.nodes_seen else "busy at once"
    for_lines().print(
        f"seen of the machine: {reader.seen()} {reader.sizes.unit} {how}; "
        "--processors or --slurm-conf tell its size"
    )
