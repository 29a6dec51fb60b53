"""What the commands under `convert` have in common: options, files written, what is told."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from workload_tools.job import Workload
    from workload_tools.log import Log
    from workload_tools.report import Report

LogArgument: TypeAlias = Annotated[
    Path, typer.Argument(help="The log to convert.", show_default=False)
]
OutputOption: TypeAlias = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="WORKLOAD",
        help="The workload to write, compressed if its name ends in .gz.",
        show_default=False,
    ),
]
PlatformOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a platform of the machine's size, too."),
]
ReportOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the counts of what became of the jobs, as JSON."),
]
QuietOption: TypeAlias = Annotated[
    bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")
]


def convert_log(
    path: Path,
    log: "Log",
    *,
    output: Path,
    platform: Path | None,
    report: Path | None,
    quiet: bool,
) -> None:
    """Make a workload of a log, write it and what was asked for beside it, and tell about it.

    Parameters
    ----------
    path
        The log's name, which no output may have.
    log
        The log, of which nothing was read yet.
    output, platform, report
        Files to write: all of them, or none if one can't be.
    quiet
        Whether to say nothing.

    Raises
    ------
    PredAwareError, InputError
        A file is named twice, the log can't be read or has no job, or a file can't be written.
    """
    from workload_tools.log import gather  # noqa: PLC0415 - not for --help

    outputs = [file for file in (output, platform, report) if file is not None]
    _check_names(path, outputs)
    workload = gather(log)
    _write(path, workload, log.report, output=output, platform=platform, report=report)
    if not quiet:
        _print(path, workload, log.report, outputs)


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
