"""Reading the public job table of Marconi100 (CINECA).

The table is the one of A. Borghesi et al., "M100 ExaData: a data collection campaign on the
CINECA's Marconi100 Tier-0 supercomputer", Scientific Data 10 (2023), prepared as in paper 001 ("Job
runtime prediction and runtime-aware scheduling in HPC systems", "Dataset" and "Data preparation").
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.log import Machine
from workload_tools.m100.job_maker import (
    COLUMNS,
    DAMAGED_TRES,
    NO_RUN_TIME,
    NO_SIZE,
    NO_SUBMIT_TIME,
    REQUIRED,
    ZERO_RUN_TIME,
    PreparationSteps,
    Window,
    WindowPart,
    read_job,
)
from workload_tools.m100.table import column_names, read_rows, table_files
from workload_tools.packed import PARQUET_MAGIC
from workload_tools.report import Report

PAPER_001: Mapping[str, Any] = MappingProxyType(
    {
        "states": ("COMPLETED",),
        "partition": "m100_usr_prod",
        "complete": True,
        "window_hours": 24.0,
        "largest": 256,
    }
)
"""The options of `M100Log` for the workload of paper 001, which it takes with `paper001`."""

DAMAGED_LINE = "line with another number of fields than the first"
SAME_JOB = "same job_id and submission as a row above"
NUMBER_USED = "job_id used before: a suffix added"

_FAULTS = frozenset(
    (DAMAGED_LINE, DAMAGED_TRES, NO_RUN_TIME, ZERO_RUN_TIME, NO_SUBMIT_TIME, NO_SIZE)
)
_ENOUGH = (b"tres_req_str", b"run_time", b"submit_time")


class M100Log:
    r"""The public job table of Marconi100 (CINECA), as parquet or CSV.

    It is a file, CSV also packed with gzip, or a folder in which all are read. Needed are the
    columns tres_req_str, user_id, qos, time_limit (minutes), run_time (seconds), partition,
    job_state and submit_time; others are used where they are there.

    Each step of the preparation of paper 001 is an option of its own; `paper001` takes them all:
    completed jobs of the partition m100_usr_prod without a missing value, the last 24 hours of
    them, none with more than 256 processors. Without them all jobs are kept that have ended, have a
    size and a run time above 0. Dates are Unix dates.

    Parameters
    ----------
    path
        A file or a folder.
    paper001
        Take the steps of paper 001; those that are given besides go before them.
    strict
        Make the first row an error that lacks a size or a time, or is damaged. What the steps
        leave out is none.
    states
        Keep these values of ``job_state`` only.
    partition
        Keep this ``partition`` only.
    complete
        Drop jobs without cpu, mem, node or gres/gpu in ``tres_req_str``, ``user_id``, ``qos`` or
        ``time_limit``.
    window_hours
        Keep what was submitted in so many hours before the last submission of all jobs that the
        other steps keep; the table is read twice for it.
    window_part
        ``before`` keeps what was submitted before that window instead, to train on.
    largest
        Cut jobs to so many processors.
    machine_processors
        The machine's size, which the table does not tell.

    Examples
    --------
    >>> M100Log.recognises(Path("jobs.csv"), b"job_id,tres_req_str,run_time,submit_time\n")
    True
    """

    def __init__(  # noqa: PLR0913 - each is an option of the reader
        self,
        path: str | Path,
        *,
        paper001: bool = False,
        strict: bool = False,
        states: Sequence[str] = (),
        partition: str | None = None,
        complete: bool = False,
        window_hours: float | None = None,
        window_part: WindowPart = "last",
        largest: int | None = None,
        machine_processors: int | None = None,
    ) -> None:
        self.path = path
        self.strict = strict
        steps = PAPER_001 if paper001 else {}
        self.steps = PreparationSteps(
            states=frozenset(states or steps.get("states", ())),
            partition=partition or steps.get("partition"),
            complete=complete or steps.get("complete", False),
            largest=largest or steps.get("largest"),
        )
        self.window_hours: float | None = window_hours or steps.get("window_hours")
        if window_part == "before" and self.window_hours is None:
            raise LogError(path, "window_part 'before' needs window_hours or paper001")
        self.window_part = window_part
        self.report = Report()
        # of the row that was read last
        self._left_out: list[str] = []
        self.machine = Machine(processors=machine_processors, start_time=0.0)

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:
        """Say whether a file looks like this table, by the names of its columns."""
        if head.startswith(PARQUET_MAGIC):
            try:
                names = [name.encode() for name in column_names(table_files(path)[0])]
            except LogError:
                return False
            return all(name in names for name in _ENOUGH)
        first = head.split(b"\n", 1)[0]
        return all(name in first for name in _ENOUGH)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that are kept, as `workload_tools.log.Log` has it.

        Raises
        ------
        LogError
            A file can't be read or lacks a column; with `strict`, a row is damaged.
        """
        steps = self.steps
        if self.window_hours is not None:
            kept = self._kept(steps, Report())
            latest = max((job.submit_time for job, _ in kept), default=0.0)
            window = Window(latest=latest, hours=self.window_hours, part=self.window_part)
            steps = dataclasses.replace(steps, window=window)
        for job, repaired in self._kept(steps, self.report):
            if repaired:
                self.report.repaired.update(repaired)
            self.report.left_out.add(job.wait_time, self._left_out)
            self.report.kept += 1
            yield job

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return table_files(self.path)

    def _kept(self, steps: PreparationSteps, report: Report) -> Iterator[tuple[Job, Counter[str]]]:
        """Yield what the steps keep, each with what was repaired."""
        names = JobNames()
        for path in table_files(self.path):
            _check_columns(path)
            for number, row in read_rows(path, COLUMNS):
                report.read += 1
                repaired: Counter[str] = Counter()
                self._left_out = []
                job, reason = (
                    (None, DAMAGED_LINE)
                    if row is None
                    else read_job(
                        number, row, steps=steps, repaired=repaired, left_out=self._left_out
                    )
                )
                if job is None:
                    self._drop(path, number, reason, report)
                elif (name := names.name(job.id, job.submit_time)) is None:
                    report.dropped[SAME_JOB] += 1
                elif name == job.id:
                    yield job, repaired
                else:
                    repaired[NUMBER_USED] += 1
                    yield replace(job, id=name), repaired
        if not report.read:
            raise LogError(self.path, "has no jobs")

    def _drop(self, path: Path, number: int, reason: str, report: Report) -> None:
        if self.strict and reason in _FAULTS:
            raise LogError(
                path, f"{reason}; without --strict such rows are dropped and counted", number
            )
        report.dropped[reason] += 1


def _check_columns(path: Path) -> None:
    names = column_names(path)
    missing = [name for name in (*REQUIRED, "submit_time") if name not in names]
    if missing:
        raise LogError(
            path, f"lacks the columns {', '.join(missing)} of the Marconi100 job table", 1
        )
