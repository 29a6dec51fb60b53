"""Conversion of a batch of rows to jobs, with every row counted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.report import Report
from workload_tools.table.language.cells import Truths
from workload_tools.table.language.evaluating import RowBatch
from workload_tools.table.map.table_map import COUNTS, SameJob

SAME_JOB = "same job_id and submission time as a row above"
NUMBER_USED = "job_id used before: suffix added"

_WHOLE = frozenset(COUNTS) - {"status", "exclusive"}


@dataclass(slots=True)
class Lot:
    """The rows of a batch, with the decisions about each."""

    batch: RowBatch
    """The rows."""
    alive: Truths = field(init=False)
    """Rows that may still become jobs."""
    dropped: list[tuple[str, Truths, bool]] = field(default_factory=list)
    """Dropped rows by reason, in the order of the decisions; the last item is True for a fault."""
    repaired: list[tuple[str, Truths]] = field(default_factory=list)
    """Rows by their repair."""

    left_out: list[tuple[str, Truths]] = field(default_factory=list)
    """Rows by requests that a workload does not contain."""

    def __post_init__(self) -> None:
        """Start with all rows."""
        self.alive = np.ones(self.batch.rows, np.bool_)

    def drop(self, rows: Truths, reason: str, *, fault: bool = True) -> None:
        """Drop rows; with `strict`, a fault is an error."""
        now = rows & self.alive
        if now.any():
            self.alive &= ~now
            self.dropped.append((reason, now, fault))

    def repair(self, rows: Truths | None, what: str) -> None:
        """Record a repair. It is only counted for rows that are kept."""
        if rows is not None and rows.any():
            self.repaired.append((what, rows))


def jobs_of(
    lot: Lot,
    values: dict[str, Any],
    *,
    first_row: int,
    names: JobNames,
    same_job: SameJob,
    report: Report,
    strict: str | None = None,
) -> Iterator[Job]:
    """Yield the jobs of a batch, and count each row.

    Parameters
    ----------
    lot, values
        The rows, and the fields' values from `TableJobMaker.values`.
    first_row
        The number of the batch's first row.
    names
        Makes the names unique.
    same_job
        When a row is the same job as an earlier one, from the map.
    report
        The report for the counts.
    strict
        The file, to raise an error at the first row with a fault; None to count faults.

    Raises
    ------
    LogError
        A row has a fault, and `strict` is given.
    """
    for reason, rows, fault in lot.dropped:
        if fault and strict is not None:
            row = first_row + int(np.flatnonzero(rows)[0])
            raise LogError(
                strict, f"{reason}; without --strict, such rows are dropped and counted", row
            )
        report.dropped[reason] += int(rows.sum())
    kept = np.flatnonzero(lot.alive)
    repairs, left_out = _by_place(lot.repaired, kept), _by_place(lot.left_out, kept)
    told = [name for name in Job.__struct_fields__ if name != "id" and values.get(name) is not None]
    cells = zip(*(_listed(values[name], kept, whole=name in _WHOLE) for name in told), strict=True)
    ids = [None] * len(kept) if values.get("id") is None else _listed(values["id"], kept)
    for place, (job_id, values_of_job) in enumerate(zip(ids, cells, strict=True)):
        fields = dict(zip(told, values_of_job, strict=True))
        if job_id is None:
            # a row without an id gets its number
            job_id = str(first_row + int(kept[place]))  # noqa: PLW2901
        name = _name(names, job_id, fields["submit_time"], same_job)
        if name is None:
            report.dropped[SAME_JOB] += 1
            continue
        if place in repairs:
            report.repaired.update(repairs[place])
        if name != job_id:
            report.repaired[NUMBER_USED] += 1
        report.kept += 1
        report.left_out.add(fields.get("wait_time"), left_out.get(place, ()))
        yield Job(id=name, **fields)


def _name(names: JobNames, job_id: str, submit_time: float, same_job: SameJob) -> str | None:
    """Return a job's name; None for a known job."""
    if same_job == "id and submit_time":
        return names.name(job_id, submit_time)
    name = names.other(job_id, submit_time)
    return None if same_job == "id" and name != job_id else name


def _by_place(marks: list[tuple[str, Truths]], kept: Any) -> dict[int, list[str]]:  # noqa: ANN401 - an array of places
    """Return the marks of kept jobs, by their position."""
    found: dict[int, list[str]] = {}
    for what, rows in marks:
        for place in np.flatnonzero(rows[kept]).tolist():
            found.setdefault(place, []).append(what)
    return found


def _listed(values: Any, kept: Any, *, whole: bool = False) -> list[Any]:  # noqa: ANN401 - a list or an array
    """Return the values of kept jobs."""
    if isinstance(values, list):
        return values if len(kept) == len(values) else [values[place] for place in kept.tolist()]
    chosen = values[kept]
    absent = np.isnan(chosen)
    if absent.any():
        listed: list[Any] = (
            np.where(absent, 0.0, chosen).astype(np.int64 if whole else float).tolist()
        )
        for place in np.flatnonzero(absent).tolist():
            listed[place] = None
        return listed
    return chosen.astype(np.int64).tolist() if whole else chosen.tolist()  # type: ignore[no-any-return]
