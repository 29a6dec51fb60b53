"""The command `convert`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from workload_tools.job import Workload
    from workload_tools.report import Report

SWF_HELP = """Convert a log in the Standard Workload Format, plain or gzip.

Writes a workload for `run`, `batsim` and the real Batsim, in which each job keeps its user, queue,
executable and whatever else the log tells; times begin with the first submission. Says what
became of every job of the log.

A job without a size, or with a run time of 0 or less, is dropped. A job that ran beyond its
walltime stays (the simulator kills it), and so does one that is larger than the machine (a
scheduler rejects it). A walltime is never made from the run time. Without the machine's size in
the log or in --processors, the workload is for a machine as large as its largest job.

Examples:

    pred-aware convert swf KTH-SP2-1996-2.1-cln.swf.gz -o kth.json --platform kth.xml

    pred-aware convert swf wagap-2013.swf.gz -o wagap.json.gz --processors 2176

    pred-aware convert swf LOG.swf -o LOG.json --missing-walltime 86400 --report LOG.report.json
"""


class ProcessorsFrom(StrEnum):
    """Where a job's size is taken from."""

    requested = "requested"
    allocated = "allocated"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    convert = typer.Typer(
        name="convert",
        help="Convert a job log to a Batsim workload.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
    )
    convert.command(name="swf", help=SWF_HELP)(swf)
    app.add_typer(convert)


def swf(  # noqa: PLR0913 - each is an option of the command
    log: Annotated[Path, typer.Argument(help="The log to convert.")],
    *,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="WORKLOAD",
            help="The workload to write, compressed if its name ends in .gz.",
        ),
    ],
    platform: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a platform of the machine's size, too."),
    ] = None,
    processors: Annotated[
        int | None,
        typer.Option(min=1, help="The machine's size.  [default: what the log's header says]"),
    ] = None,
    processors_from: Annotated[
        ProcessorsFrom,
        typer.Option(help="Which size a job takes, if the log has both; else the other."),
    ] = ProcessorsFrom.requested,
    missing_walltime: Annotated[
        str,
        typer.Option(
            metavar="keep|drop|SECONDS",
            help="What becomes of a job without a walltime: kept so, dropped, or given this one.",
        ),
    ] = "keep",
    strict: Annotated[
        bool, typer.Option("--strict", help="Make the first job to be dropped an error.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the counts of what became of the jobs, as JSON."),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
) -> None:
    """Convert a log in the Standard Workload Format."""
    from workload_tools.swf import read_swf  # noqa: PLC0415 - not for --help

    outputs = [path for path in (output, platform, report) if path is not None]
    _check_names(log, outputs)
    workload, counts = read_swf(
        log,
        strict=strict,
        processors_from=processors_from.value,
        missing_walltime=_missing_walltime(missing_walltime),
        machine_processors=processors,
    )
    _write(log, workload, counts, output=output, platform=platform, report=report)
    if not quiet:
        _print(log, workload, counts, outputs)


def _missing_walltime(text: str) -> Literal["keep", "drop"] | float:
    """Return what the option says, its seconds as a number."""
    if text in ("keep", "drop"):
        return text  # type: ignore[return-value] # mypy does not narrow a str so
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise PredAwareError(
            f"--missing-walltime is '{text}'; it must be keep, drop or a number of seconds above 0"
        )
    return seconds


def _check_names(log: Path, outputs: list[Path]) -> None:
    """Refuse to write a file over the log or over another output."""
    files = [path.resolve() for path in (log, *outputs)]
    for index, path in enumerate(files):
        if path in files[:index]:
            raise PredAwareError(f"{outputs[index - 1]} is named twice; each file needs its own")


def _write(
    log: Path,
    workload: "Workload",
    counts: "Report",
    *,
    output: Path,
    platform: Path | None,
    report: Path | None,
) -> None:
    """Write all files, or none if one can't be."""
    from contextlib import ExitStack  # noqa: PLC0415 - as below

    import msgspec  # noqa: PLC0415 - not for --help

    from workload_tools.batsim_json import write_workload_to  # noqa: PLC0415 - as above
    from workload_tools.errors import LogError, WorkloadError  # noqa: PLC0415 - as above
    from workload_tools.files import written_whole  # noqa: PLC0415 - as above
    from workload_tools.platform_writer import platform_text  # noqa: PLC0415 - as above

    if not workload.jobs:
        reasons = ", ".join(f"{reason}: {count}" for reason, count in counts.dropped.items())
        raise LogError(log, f"none of its {counts.read} jobs can be simulated ({reasons})")
    with ExitStack() as files:
        if platform is not None:
            if workload.processors is None:
                raise LogError(
                    log, "has no MaxProcs, so a platform needs the machine's size: --processors N"
                )
            text = platform_text(platform, hosts=workload.processors)
            files.enter_context(written_whole(platform)).write(text.encode())
        if report is not None:
            content = msgspec.json.format(msgspec.json.encode(counts.to_dict()))
            files.enter_context(written_whole(report)).write(content + b"\n")
        workload_file = files.enter_context(written_whole(output, WorkloadError))
        write_workload_to(workload_file, workload, output)


def _print(log: Path, workload: "Workload", counts: "Report", outputs: list[Path]) -> None:
    """Tell what became of the log's jobs."""
    from rich.console import Console  # noqa: PLC0415 - heavy

    from workload_tools.batsim_json import machine_size  # noqa: PLC0415 - not for --help

    console = Console(highlight=False, soft_wrap=True, markup=False)
    size = machine_size(workload)
    guessed = "" if workload.processors else ", the largest job's size: the log does not tell"
    console.print(f"{log.name}: {counts.read} jobs for {size} processors{guessed}")
    missing = sum(job.walltime is None for job in workload.jobs)
    too_large = sum(job.processors > size for job in workload.jobs)
    lines = [
        (counts.kept, "kept", "green"),
        *((count, f"dropped: {reason}", "red") for reason, count in sorted(counts.dropped.items())),
        *(
            (n, f"kept, repaired: {reason}", "yellow")
            for reason, n in sorted(counts.repaired.items())
        ),
        (missing, "kept without a walltime", "yellow"),
        (too_large, "kept, but larger than the machine", "yellow"),
    ]
    for count, what, colour in lines:
        if count or what == "kept":
            console.print(f"{count:>10}  {what}", style=colour)
    console.print(f"wrote {', '.join(map(str, outputs))}")
