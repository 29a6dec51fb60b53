"""What the commands under `convert` have in common: options, files written, what is told."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pred_aware.commands.options.log_changes import (
    AnonymiseOption,
    Changes,
    CleanOption,
    NumbersOption,
    ShiftDatesOption,
    changed,
)
from pred_aware.commands.options.log_options import LogArgument
from pred_aware.commands.options.missing_walltime import is_parquet, is_swf
from pred_aware.commands.options.outputs import QuietOption
from pred_aware.commands.options.panels import OUTPUT
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from typing import IO

    from workload_tools.changes.key import Key
    from workload_tools.job_store import StoredWorkload
    from workload_tools.log import Log
    from workload_tools.missing_walltime import MissingWalltime
    from workload_tools.report import Report

__all__ = [
    "AnonymiseOption",
    "Changes",
    "CleanOption",
    "LogArgument",
    "NumbersOption",
    "OutputOption",
    "PlatformOption",
    "QuietOption",
    "ReportOption",
    "ShiftDatesOption",
    "check_names",
    "convert_log",
    "no_jobs",
]

OutputOption: TypeAlias = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="WORKLOAD",
        help="The workload to write: an SWF if its name ends in .swf, a table of jobs if in "
        ".parquet, else Batsim's JSON; the first and last compressed if it ends in .gz, too.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
PlatformOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a platform of the machine's size, too.",
        rich_help_panel=OUTPUT,
    ),
]
ReportOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the counts of what became of the jobs, as JSON.",
        rich_help_panel=OUTPUT,
    ),
]


_NO_CHANGES = Changes()


def convert_log(  # noqa: PLR0913 - what all convert commands have
    path: Path,
    log: "Log",
    *,
    output: Path,
    platform: Path | None,
    report: Path | None,
    quiet: bool,
    missing_walltime: "MissingWalltime | None" = "keep",
    changes: Changes = _NO_CHANGES,
    read_too: "Sequence[Path]" = (),
) -> None:
    """Make a workload of a log, write it and what was asked for beside it, and tell about it.

    However long the log is, a bounded number of its jobs is in memory.

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
    missing_walltime
        What becomes of jobs without a walltime, before anything else is done; where it was decided
        when the log was opened, the jobs are kept as they come.
    changes
        What is done to the log on the way.
    read_too
        Other files and folders that are read, of which no output may be one.

    Raises
    ------
    PredAwareError, InputError
        A file is named twice, the log can't be read or has no job, or a file can't be written.
    """
    from workload_tools.job_store import JobStore, stored
    from workload_tools.missing_walltime import WithWalltimes

    outputs = [file for file in (output, platform, report) if file is not None] + changes.files
    check_names(path, outputs, read_too=read_too)
    if changes.numbers is not None and not is_swf(output):
        raise PredAwareError(f"--numbers is for an SWF; {output} keeps the names")
    _check_folder(output)
    decided = WithWalltimes(log, missing_walltime=missing_walltime, path=path)
    change = changed(decided, changes, folder=output.parent)
    with JobStore(output.parent) as store:
        workload = stored(change.log, store)
        if not workload.jobs:
            raise no_jobs(path, log.report)
        if platform is not None and workload.processors is None:
            raise _no_size(path)
        written = _Outputs(output, platform, report, change.keys, change.numbers)
        written.write(workload, log.report)
        if not quiet:
            _print(path, workload, log.report, outputs)


def check_names(log: Path, outputs: list[Path], *, read_too: "Sequence[Path]" = ()) -> None:
    """Refuse to write a file over the log, over another that is read, or over another output.

    Raises
    ------
    PredAwareError
        A file is named twice, or is one of a folder that is read.
    """
    read = {file.resolve() for path in (log, *read_too) for file in _files_read(path)} - {
        log.resolve()
    }
    for output in outputs:
        if output.resolve() in read:
            raise PredAwareError(f"{output} is read, so it can't be written; name another file")
    files = [path.resolve() for path in (log, *outputs)]
    for index, path in enumerate(files):
        if path in files[:index]:
            raise PredAwareError(f"{outputs[index - 1]} is named twice; each file needs its own")


def _files_read(path: Path) -> "Sequence[Path]":
    """Return the files that are read of a log, which may be a folder."""
    if not path.is_dir():
        return [path]
    from contextlib import suppress

    from workload_tools.errors import LogError
    from workload_tools.m100.table import table_files
    from workload_tools.pbs.files import accounting_files

    files: list[Path] = []
    for files_of in (accounting_files, table_files):
        with suppress(LogError):  # the folder is of the other format
            files += files_of(path)
    return files


def _check_folder(output: Path) -> None:
    """Find out that a folder is missing before a long log is read."""
    from workload_tools.errors import WorkloadError

    if not output.parent.is_dir():
        raise WorkloadError(output, "can't be written: its folder does not exist")


def no_jobs(log: Path, counts: "Report") -> Exception:
    """Return the error that no job of a log is left, with the reasons."""
    from workload_tools.errors import LogError

    reasons = ", ".join(f"{reason}: {count}" for reason, count in counts.dropped.items())
    return LogError(log, f"none of its {counts.read} jobs can be simulated ({reasons})")


def _no_size(log: Path) -> Exception:
    from workload_tools.errors import LogError

    return LogError(log, "does not tell the machine's size, which a platform needs: --processors N")


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The files of a conversion."""

    output: Path
    platform: Path | None
    report: Path | None
    keys: "dict[Path, Key]"
    numbers: "Key | None"

    def write(self, workload: "StoredWorkload", counts: "Report") -> None:
        """Write all files, or none if one can't be."""
        from contextlib import ExitStack

        import msgspec

        from workload_tools.errors import WorkloadError
        from workload_tools.files import written_whole
        from workload_tools.platform.writer import platform_text

        with ExitStack() as files:
            if self.platform is not None:
                assert workload.processors is not None
                text = platform_text(self.platform, hosts=workload.processors)
                files.enter_context(written_whole(self.platform)).write(text.encode())
            report = None
            if self.report is not None:
                report = files.enter_context(written_whole(self.report))
            keys = {
                path: files.enter_context(written_whole(path, private=True)) for path in self.keys
            }
            file = files.enter_context(written_whole(self.output, WorkloadError))
            counts.lost.update(self._write_jobs(file, workload))
            # what can't be held, and which number stands for whom, is known only now
            if report is not None:
                content = msgspec.json.format(msgspec.json.encode(counts.to_dict()))
                report.write(content + b"\n")
            for path, key_file in keys.items():
                self.keys[path].write_to(key_file)

    def _write_jobs(self, file: "IO[bytes]", workload: "StoredWorkload") -> "Counter[str]":
        """Write the workload; return what its form can't hold."""
        if is_swf(self.output):
            from workload_tools.swf.writer import write_swf_to

            return write_swf_to(file, workload, self.output, key=self.numbers)
        if is_parquet(self.output):
            from workload_tools.table.writer import write_parquet_to

            return write_parquet_to(file, workload, self.output)
        from collections import Counter

        from workload_tools.batsim.writer import write_workload_to

        write_workload_to(file, workload, self.output)
        return Counter()


def _print(log: Path, workload: "StoredWorkload", counts: "Report", outputs: list[Path]) -> None:
    """Tell what became of the log's jobs."""
    from pred_aware.report.terminal import for_lines
    from workload_tools.batsim.writer import machine_size

    console = for_lines()
    size = machine_size(workload)
    guessed = ", a guess: at least so many the jobs show" if workload.guessed else ""
    if not workload.processors:
        guessed = ", the largest job's size: the log does not tell"
    console.print(f"{log.name}: {counts.read} records, for {size} processors{guessed}")
    store = workload.jobs.store
    too_large = sum(number for processors, number in store.sizes.items() if processors > size)
    console.print(f"{counts.kept:>10}  kept", style="green")
    for what, colour, reasons in (
        ("dropped", "red", counts.dropped),
        ("kept, repaired", "yellow", counts.repaired),
        ("kept, marked", "yellow", counts.marked),
    ):
        for reason, count in sorted(reasons.items()):
            console.print(f"{count:>10}  {what}: {reason}", style=colour)
    for count, what in (
        (store.without_walltime, "kept without a walltime"),
        (store.beyond_walltime, "kept, but ran beyond its walltime"),
        (too_large, "kept, but larger than the machine"),
    ):
        if count:
            console.print(f"{count:>10}  {what}", style="yellow")
    for field, count in sorted(counts.lost.items()):
        console.print(f"{count:>10}  not in the file written: {field}", style="yellow")
    console.print(f"wrote {', '.join(map(str, outputs))}")
    for note in counts.notes:
        console.print(note)
