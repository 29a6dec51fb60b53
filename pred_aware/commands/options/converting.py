"""Options of a conversion: output files, changes of jobs, reports."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pred_aware.commands.options.groups import CHANGES, OUTPUT, flag, option
from pred_aware.commands.options.reading import CleanOption, cleaned, no_jobs
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workload_tools.log import Log

_WEEK = 604800.0
# shift by one to ten years, so that shifted dates differ clearly from the true dates
_FEWEST_WEEKS = 52
_MOST_WEEKS = 520


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadOptions:
    """The files that a conversion writes."""

    PANEL: ClassVar = OUTPUT
    output: Annotated[
        Path,
        option(
            "WORKLOAD",
            "The output file. Its format is SWF if the name ends in .swf, a table of jobs if it "
            "ends in .parquet, else Batsim's JSON. A further .gz compresses SWF and JSON.",
            "-o",
            "--output",
        ),
    ]
    batsim: Annotated[
        Literal["4", "5"], option("", "The version of Batsim that reads the JSON.")
    ] = "4"
    platform: Annotated[
        Path | None, option("FILE", "Also write a platform of the machine's size.")
    ] = None
    report: Annotated[
        Path | None,
        option("FILE", "Write the counts of kept, repaired and dropped jobs as JSON."),
    ] = None
    quiet: Annotated[bool, flag("Print only errors.", "-q", "--quiet")] = False

    @property
    def files(self) -> list[Path]:
        """Return the files to write."""
        return [file for file in (self.output, self.platform, self.report) if file is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes to a log during the conversion."""

    PANEL: ClassVar = CHANGES
    clean: CleanOption = None
    anonymise: Annotated[
        Path | None,
        option(
            "KEY",
            "Replace ids and names by numbers. The file KEY gets the list of names and numbers. "
            "An existing KEY is used and extended. Keep KEY secret.",
        ),
    ] = None
    shift_dates: Annotated[
        bool,
        flag("With --anonymise: shift all dates by a number of weeks that only KEY contains."),
    ] = False
    numbers: Annotated[
        Path | None,
        option(
            "KEY",
            "For SWF output, where numbers replace names: write the list of names and numbers.",
        ),
    ] = None

    @property
    def files(self) -> list[Path]:
        """Return the files that will contain the names and their numbers."""
        return [file for file in (self.anonymise, self.numbers) if file is not None]


def convert_log(
    path: Path,
    log: "Log",
    *,
    to: WorkloadOptions,
    changes: Changes | None = None,
    read_too: "Sequence[Path]" = (),
) -> None:
    """Convert a log to a workload, write the requested files, and print a summary.

    Memory use is bounded, however long the log is.

    Parameters
    ----------
    path
        The log's path. No output may have the same path.
    log
        The log, opened but not yet read, with the option for jobs without a walltime applied.
    to
        Files to write. If one cannot be written, none is.
    changes
        Changes to apply while the log is read.
    read_too
        Other input files and folders, which no output may replace.

    Raises
    ------
    PredAwareError, InputError
        A file is named twice, options contradict each other, a recipe is invalid, the log or a key
        cannot be read, the log has no job, or a file cannot be written.
    """
    import secrets

    from pred_aware.log.conversion import Conversion, check_names, is_swf, print_counts
    from workload_tools.changes.anonymised import Anonymised, Key
    from workload_tools.errors import LogError, WorkloadError
    from workload_tools.job_store import JobStore, stored

    changes = changes or Changes()
    outputs = to.files + changes.files
    check_names(path, outputs, read_too=read_too)
    if changes.numbers is not None and not is_swf(to.output):
        raise PredAwareError(f"--numbers is only for SWF output; {to.output} keeps the names")
    # report a missing folder before a long log is read
    if not to.output.parent.is_dir():
        raise WorkloadError(to.output, "cannot be written: its folder does not exist")
    source = cleaned(log, changes.clean, folder=to.output.parent)
    keys = {path: Key.read(path) for path in changes.files}
    if changes.anonymise is not None:
        key = keys[changes.anonymise]
        if changes.shift_dates and key.date_shift is None:
            # a shift by whole weeks keeps the weekdays
            weeks = _FEWEST_WEEKS + secrets.randbelow(_MOST_WEEKS - _FEWEST_WEEKS + 1)
            key.date_shift = -_WEEK * weeks
        source = Anonymised(source, key)
    elif changes.shift_dates:
        raise PredAwareError("--shift-dates needs --anonymise KEY, because KEY stores the shift")
    numbers = None if changes.numbers is None else keys[changes.numbers]
    with JobStore(to.output.parent) as store:
        workload = stored(source, store)
        if not workload.jobs:
            raise no_jobs(path, log.report)
        if to.platform is not None and workload.processors is None:
            raise LogError(
                path,
                "does not contain the machine's size, which a platform needs: give --processors N",
            )
        written = Conversion(to.output, to.platform, to.report, keys, numbers, int(to.batsim))
        written.write(workload, log.report)
        if not to.quiet:
            print_counts(path, workload, log.report, outputs)
