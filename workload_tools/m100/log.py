"""Reader of the public job table of Marconi100 (CINECA).

The table is from A. Borghesi et al., "M100 ExaData: a data collection campaign on the CINECA's
Marconi100 Tier-0 supercomputer", Scientific Data 10 (2023). It can be prepared as in paper 001
("Job runtime prediction and runtime-aware scheduling in HPC systems", "Data preparation").
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.report import Report
from workload_tools.table.job_maker import RowDecisions
from workload_tools.table.map.table_map import Drop, TableMap
from workload_tools.table.reading import TableReading
from workload_tools.table.shipped import column_names, map_named
from workload_tools.table.source.table_file import table_files

WindowPart = Literal["last", "before"]

PAPER_001: Mapping[str, Any] = MappingProxyType(
    {
        "states": ("COMPLETED",),
        "partition": "m100_usr_prod",
        "complete": True,
        "window_hours": 24.0,
        "largest": 256,
    }
)
"""The options of `M100Log` that its option `paper001` sets, for the workload of paper 001."""

_RECOGNISED_BY = frozenset(("tres_req_str", "run_time", "submit_time"))
_COMPLETE = {
    "no tres_req_str": "missing(tres_req_str)",
    **{
        f"no {name} in tres_req_str": f"not contains(tres_req_str, '{name}')"
        for name in ("cpu", "mem", "node", "gres/gpu")
    },
    **{f"no {name}": f"missing({name})" for name in ("user_id", "qos", "time_limit")},
}
_SECONDS_PER_HOUR = 3600.0
ALLOCATED_TAKEN = "no cpu in tres_req_str: num_cpus used"


@dataclass(frozen=True, slots=True)
class Preparation:
    """The preparation steps of paper 001 that need the converted values of jobs."""

    largest: int | None = None
    """Largest number of processors; larger jobs are reduced to it. None means no limit."""
    window_hours: float | None = None
    """Length, in hours, of a time window at the end of the table; None means no window."""
    window_part: WindowPart = "last"
    """The jobs to keep: those in the window (``last``), or those before the window (``before``)."""
    latest: float | None = None
    """End of the window (the last submission) in Unix seconds; None if not yet known."""

    def prepare(self, lot: RowDecisions, values: dict[str, Any]) -> None:
        """Drop the rows outside `window_part`, and reduce the processors of large jobs."""
        if self.window_hours is not None and self.latest is not None:
            begin = self.latest - self.window_hours * _SECONDS_PER_HOUR
            inside = values["submit_time"] >= begin
            last = self.window_part == "last"
            reason = f"submitted {'before' if last else 'in'} the last {self.window_hours:g} h"
            lot.drop(~inside if last else inside, reason, fault=False)
        if self.largest is not None:
            sizes = values["processors"]
            what = f"more than {self.largest} processors: reduced to {self.largest}"
            lot.repair(sizes > self.largest, what)
            values["processors"] = np.minimum(sizes, self.largest)
        lot.repair(np.isnan(values["requested_processors"]), ALLOCATED_TAKEN)


class M100Log:
    r"""The public job table of Marconi100 (CINECA), as Parquet or CSV.

    The shipped column map `m100` of `convert table` describes the columns. The log is a
    file (CSV may be gzipped), or a folder of such files.

    Each preparation step of paper 001 is an option. The option `paper001` selects all steps: keep
    completed jobs of the partition m100_usr_prod without missing values, keep only the last 24
    hours, and reduce larger jobs to 256 processors. Without options, all ended jobs with a size and
    a run time above 0 are kept. Dates are Unix dates.

    Parameters
    ----------
    path
        A file or a folder.
    paper001
        Apply the steps of paper 001. Other options replace the values of single steps.
    strict
        Raise an error at the first row that lacks a size or a time, or is damaged. A row that a
        preparation step drops is not an error.
    states
        Keep only jobs with these values of ``job_state``.
    partition
        Keep only jobs of this ``partition``.
    complete
        Drop jobs without cpu, mem, node or gres/gpu in ``tres_req_str``, and jobs without
        ``user_id``, ``qos`` or ``time_limit``.
    window_hours
        Keep only jobs that were submitted in this number of hours before the last submission. Jobs
        that other steps drop do not count, so the table is read twice.
    window_part
        The jobs to keep: ``last`` means those in the window, ``before`` means the earlier jobs (a
        training set).
    largest
        The largest number of processors; jobs with more processors get this number.
    machine_processors
        The machine's size, which the table does not contain.

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
        self._map = _map_with(
            tuple(states or steps.get("states", ())),
            partition or steps.get("partition"),
            complete=complete or steps.get("complete", False),
        )
        self.steps = Preparation(
            largest or steps.get("largest"), window_hours or steps.get("window_hours"), window_part
        )
        if window_part == "before" and self.steps.window_hours is None:
            raise LogError(path, "window_part 'before' needs window_hours or paper001")
        self.report = Report()
        self.machine = Machine(processors=machine_processors, start_time=0.0)

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:
        """Return True if a file has the columns of this table."""
        return set(column_names(path, head)) >= _RECOGNISED_BY

    def jobs(self) -> Iterator[Job]:
        """Yield the kept jobs; see `workload_tools.log.Log`.

        Raises
        ------
        LogError
            A file cannot be read or lacks a column, or `strict` is True and a row is damaged.
        """
        steps = self.steps
        if steps.window_hours is not None:
            kept = self._read(steps, Report(), Machine())
            steps = replace(steps, latest=max((job.submit_time for job in kept), default=0.0))
        yield from self._read(steps, self.report, self.machine)

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return table_files(self.path)

    def _read(self, steps: Preparation, report: Report, machine: Machine) -> Iterator[Job]:
        return TableReading(
            path=Path(self.path),
            map=self._map,
            report=report,
            machine=machine,
            strict=self.strict,
            processors=machine.processors,
            prepare=steps.prepare,
        ).jobs()


def _map_with(states: tuple[str, ...], partition: str | None, *, complete: bool) -> TableMap:
    """Return the shipped map, with conditions that drop rows as the preparation steps require."""
    drops: dict[str, str] = {}
    if states:
        listed = ", ".join(f"'{one}'" for one in states)
        reason = f"job_state is not {' or '.join(sorted(states))}"
        drops[reason] = f"not first(before(job_state, ' '), job_state) in ({listed})"
    if partition is not None:
        drops[f"partition is not {partition}"] = f"not partition = '{partition}'"
    if complete:
        drops.update(_COMPLETE)
    return replace(
        map_named("m100"), drops=tuple(Drop(where, reason) for reason, where in drops.items())
    )
