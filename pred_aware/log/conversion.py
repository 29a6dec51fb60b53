"""Conversion of a log to a workload or another log, with a report, a platform and keys."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.report.terminal import for_lines
from workload_tools.batsim.writer import machine_size, write_workload_to
from workload_tools.changes.anonymised import Key
from workload_tools.errors import LogError, WorkloadError
from workload_tools.files import written_whole
from workload_tools.job_store import StoredWorkload
from workload_tools.platform.writer import platform_text
from workload_tools.report import Report
from workload_tools.swf.writer import write_swf_to


def is_swf(path: Path) -> bool:
    """Return True if a file's name is that of a log in the Standard Workload Format."""
    return path.name.removesuffix(".gz").endswith(".swf")


def is_parquet(path: Path) -> bool:
    """Return True if a file's name is that of a Parquet table."""
    return path.name.endswith(".parquet")


@dataclass(frozen=True, slots=True)
class Conversion:
    """The files to write from a log, including keys that map pseudonyms to names."""

    output: Path
    platform: Path | None
    report: Path | None
    keys: Mapping[Path, Key]
    numbers: Key | None
    batsim: int = 4
    """The version of Batsim for which a workload is written."""

    def write(self, workload: StoredWorkload, counts: Report) -> None:
        """Write all files, or no file if one cannot be written."""
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
            # only after writing the jobs, the lost fields and the keys of numbers are known
            if report is not None:
                content = msgspec.json.format(msgspec.json.encode(counts.to_dict()))
                report.write(content + b"\n")
            for path, key_file in keys.items():
                self.keys[path].write_to(key_file)

    def _write_jobs(self, file: IO[bytes], workload: StoredWorkload) -> Counter[str]:
        """Write the jobs; return how many values of each field the format cannot hold."""
        if is_swf(self.output):
            return write_swf_to(file, workload, self.output, key=self.numbers)
        if is_parquet(self.output):
            # imported here, because it needs pyarrow
            from workload_tools.table.writer import write_parquet_to

            return write_parquet_to(file, workload, self.output)
        write_workload_to(file, workload, self.output, version=self.batsim)
        return Counter()


def print_counts(log: Path, workload: StoredWorkload, counts: Report, outputs: list[Path]) -> None:
    """Print how many jobs of the log were kept, changed or dropped, with reasons."""
    console = for_lines()
    size = machine_size(workload)
    guessed = " (guessed: the minimum for its jobs)" if workload.guessed else ""
    if not workload.processors:
        guessed = " (the largest job's size, because the log does not contain the machine's size)"
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
        (store.beyond_walltime, "kept, but ran longer than their walltimes"),
        (too_large, "kept, but larger than the machine"),
    ):
        if count:
            console.print(f"{count:>10}  {what}", style="yellow")
    for count, what_else in counts.left_out.shares():
        console.print(f"{count:>10}  kept, but not simulated: {what_else}", style="yellow")
    for field, count in sorted(counts.lost.items()):
        console.print(f"{count:>10}  values not in the written file: {field}", style="yellow")
    console.print(f"wrote {', '.join(map(str, outputs))}")
    for note in counts.notes:
        console.print(note)


def check_names(log: Path, outputs: list[Path], *, read_too: Sequence[Path] = ()) -> None:
    """Refuse to write a file over the log, another input, or another output.

    Raises
    ------
    PredAwareError
        A file is given twice, or an output is in a folder that is read.
    """
    read = {file.resolve() for path in (log, *read_too) for file in _files_read(path)} - {
        log.resolve()
    }
    for output in outputs:
        if output.resolve() in read:
            raise PredAwareError(f"{output} is an input file; give another name for the output")
    files = [path.resolve() for path in (log, *outputs)]
    for index, path in enumerate(files):
        if path in files[:index]:
            raise PredAwareError(
                f"{outputs[index - 1]} is given twice; each file needs its own name"
            )


def _files_read(path: Path) -> Sequence[Path]:
    """Return the files that a log consists of; the log may be a folder."""
    if not path.is_dir():
        return [path]
    from workload_tools.pbs.record import accounting_files
    from workload_tools.table.source.table_file import table_files

    files: list[Path] = []
    for files_of in (accounting_files, table_files):
        with suppress(LogError):  # the folder has the format of the other reader
            files += files_of(path)
    return files
