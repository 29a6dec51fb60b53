"""Convert the rows of a table to jobs, and count dropped rows with reasons."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.report import Report
from workload_tools.slurm.clock import AMBIGUOUS, NEVER
from workload_tools.swf.log import (
    NEGATIVE_RUN_TIME,
    NO_RUN_TIME,
    NO_SIZE,
    NO_SUBMIT_TIME,
    ZERO_RUN_TIME,
)
from workload_tools.table.binding import Binder, BoundField, fault_of
from workload_tools.table.language.cells import Numbers, Truths
from workload_tools.table.language.evaluating import ColumnEvaluation, RowBatch
from workload_tools.table.map.table_map import COUNTS, NAMES, Outcome, SameJob, TableMap, outcome_of

SAME_JOB = "same job_id and submission time as a row above"
NUMBER_USED = "job_id used before: suffix added"

_WHOLE = frozenset(COUNTS) - {"status", "exclusive"}


@dataclass(slots=True)
class RowDecisions:
    """The rows of a batch, and what is decided about each row."""

    batch: RowBatch
    """The rows to decide about."""
    alive: Truths = field(init=False)
    """True for each row that may still become a job."""
    dropped: list[tuple[str, Truths, bool]] = field(default_factory=list)
    """Tuples (reason, dropped rows, True if the row is faulty), in the order of the decisions."""
    repaired: list[tuple[str, Truths]] = field(default_factory=list)
    """Tuples (repair, repaired rows), in the order of the decisions."""

    left_out: list[tuple[str, Truths]] = field(default_factory=list)
    """Tuples (request that a workload cannot contain, rows with this request)."""

    def __post_init__(self) -> None:
        """Mark all rows as possible jobs."""
        self.alive = np.ones(self.batch.rows, np.bool_)

    def drop(self, rows: Truths, reason: str, *, fault: bool = True) -> None:
        """Drop rows. If `fault` is True, the option `strict` makes such a row an error."""
        now = rows & self.alive
        if now.any():
            self.alive &= ~now
            self.dropped.append((reason, now, fault))

    def repair(self, rows: Truths | None, what: str) -> None:
        """Record a repair of rows. The report counts it only for rows that are kept."""
        if rows is not None and rows.any():
            self.repaired.append((what, rows))


def jobs_of(
    lot: RowDecisions,
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
        The rows, and the values of the fields from `TableJobMaker.values`.
    first_row
        The number of the batch's first row.
    names
        Gives jobs unique names.
    same_job
        The map's rule that says when a row is the same job as an earlier row.
    report
        The report that counts the rows.
    strict
        The file, if a faulty row is an error; None if faulty rows are dropped and counted.

    Raises
    ------
    LogError
        `strict` is given, and a row is faulty.
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
    given = [
        name for name in Job.__struct_fields__ if name != "id" and values.get(name) is not None
    ]
    cells = zip(*(_listed(values[name], kept, whole=name in _WHOLE) for name in given), strict=True)
    ids = [None] * len(kept) if values.get("id") is None else _listed(values["id"], kept)
    for place, (job_id, values_of_job) in enumerate(zip(ids, cells, strict=True)):
        fields = dict(zip(given, values_of_job, strict=True))
        if job_id is None:
            # if a row has no id, its row number becomes the id
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
    """Return a unique name for a job; None if the row is the same job as an earlier row."""
    if same_job == "id and submit_time":
        return names.name(job_id, submit_time)
    name = names.other(job_id, submit_time)
    return None if same_job == "id" and name != job_id else name


def _by_place(marks: list[tuple[str, Truths]], kept: Any) -> dict[int, list[str]]:  # noqa: ANN401 - an array of places
    """Return the marks of each kept job, by the job's position."""
    found: dict[int, list[str]] = {}
    for what, rows in marks:
        for place in np.flatnonzero(rows[kept]).tolist():
            found.setdefault(place, []).append(what)
    return found


def _listed(values: Any, kept: Any, *, whole: bool = False) -> list[Any]:  # noqa: ANN401 - a list or an array
    """Return the values of the kept jobs as a list; a missing value is None."""
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


EARLY_START = "started before it was submitted: no wait time"
DATES_TAKEN = "no run_time: end_time - start_time used"
UNKNOWN_STATE = "state not in the map: no status"

_OPTIONAL_NUMBERS = (
    *("walltime", "soft_walltime", "think_time", "nodes", "gpus", "tasks"),
    *("requested_processors", "allocated_processors", "memory", "used_memory"),
    *("tasks_per_node", "memory_per_node", "gpus_per_node", "array_limit"),
)
_ABOVE_0 = frozenset(
    (
        *("walltime", "soft_walltime", "requested_processors", "allocated_processors", "nodes"),
        *("tasks", "tasks_per_node", "gpus_per_node", "array_limit"),
    )
)


class TableJobMaker:
    """Converts the rows of a table to the values of jobs.

    Parameters
    ----------
    table_map
        The column map of the table.
    binder
        Connects the fields of the map to columns.
    size
        The unit of jobs' sizes, one of the map's `sizes`; None for the map's `processors`.
    """

    def __init__(self, table_map: TableMap, binder: Binder, *, size: str | None = None) -> None:
        self.map = table_map
        said = dict(table_map.fields)
        if size is not None:
            said["processors"] = replace(table_map.sizes[size], name="processors")
            for name in ("nodes", "gpus"):
                if name in table_map.sizes:
                    said.setdefault(name, replace(table_map.sizes[name], optional=True))
        self.fields: dict[str, BoundField] = {}
        for name, one in said.items():
            bound = binder.field(one)
            if bound is not None:
                self.fields[name] = bound
        self.faults = {name: fault_of(one.map) for name, one in self.fields.items()}
        self.drops = [(binder.condition(drop.where), drop.reason) for drop in table_map.drops]
        self.left_out = [
            (binder.condition(one.where), one.reason)
            for one in table_map.left_out
            if binder.has_columns(one.where)
        ]
        self._outcomes: dict[str, Outcome] = {}

    def values(self, lot: RowDecisions) -> dict[str, Any]:
        """Return each field's values for all rows, and mark unusable rows as dropped in `lot`."""
        batch = lot.batch
        for condition, reason in self.drops:
            lot.drop(ColumnEvaluation(batch).truths(condition), f"left out: {reason}", fault=False)
        for condition, what in self.left_out:
            lot.left_out.append((what, ColumnEvaluation(batch).truths(condition)))
        values: dict[str, Any] = {}
        self._states(lot, values)
        self._times(lot, values)
        self._sizes(lot, values)
        for name in _OPTIONAL_NUMBERS:
            if name in self.fields:
                self._optional(name, lot, values)
        if "exclusive" in self.fields:
            numbers, wrong = self.fields["exclusive"].numbers(batch)
            lot.repair(wrong, f"{self.faults['exclusive']}: none")
            values["exclusive"] = (numbers > 0.0).tolist()
        for name in NAMES:
            if name in self.fields:
                values[name] = self.fields[name].names(batch)
        return values

    def _states(self, lot: RowDecisions, values: dict[str, Any]) -> None:
        batch = lot.batch
        if "status" in self.fields:
            numbers, wrong = self.fields["status"].numbers(batch)
            lot.repair(wrong, f"{self.faults['status']}: none")
            values["status"] = [None if n != n or n < 0 else int(n) for n in numbers.tolist()]  # noqa: PLR0124 - NaN
        if "state" not in self.fields:
            return
        names = self.fields["state"].names(batch)
        known = self._outcomes
        for name in {name for name in names if name is not None} - known.keys():
            known[name] = outcome_of(name, self.map.states)
        found = [None if name is None else known[name] for name in names]
        for state in sorted({one.state for one in found if one is not None and not one.over}):
            rows = np.array([one is not None and one.state == state for one in found])
            lot.drop(rows, f"not ended: {state}", fault=False)
        values["state"] = [None if one is None else one.state for one in found]
        if "status" not in self.fields:
            unknown = np.array([one is not None and not one.known for one in found], np.bool_)
            lot.repair(unknown, UNKNOWN_STATE)
            values["status"] = [None if one is None else one.status for one in found]

    def _times(self, lot: RowDecisions, values: dict[str, Any]) -> None:
        batch = lot.batch
        doubtful = np.zeros(batch.rows, np.bool_)
        submit = self._date("submit_time", lot, None, doubtful)
        assert submit is not None
        eligible = self._date("eligible_time", lot, submit, doubtful)
        if eligible is not None:
            values["eligible_time"] = np.where(eligible > submit, eligible, np.nan)
        early = doubtful.copy()
        start = self._date("start_time", lot, submit, doubtful)
        end = self._date("end_time", lot, submit if start is None else start, doubtful)
        if start is not None and end is not None and doubtful.any():
            shown, start = self._shown_start(lot, start, end)
            doubtful &= ~shown | early
        lot.repair(doubtful, AMBIGUOUS)
        run_time = self._run_time(lot, start, end)
        values["run_time"] = run_time
        lot.drop(np.isnan(submit) | (submit < 0.0), NO_SUBMIT_TIME)
        values["submit_time"] = submit
        self._wait(lot, values, submit=submit, start=start)

    def _date(
        self, name: str, lot: RowDecisions, after: Numbers | None, doubtful: Truths
    ) -> Numbers | None:
        """Return a field's dates.

        A date in a repeated hour becomes the first possible date that is not before `after`.
        """
        if name not in self.fields:
            return None
        dates = self.fields[name].read_dates(lot.batch)
        if dates.unreadable is not None:
            if name == "submit_time":
                lot.drop(dates.unreadable, self.faults[name])
            else:
                lot.repair(dates.unreadable, f"{self.faults[name]}: none")
        lot.repair(dates.left_out, NEVER)
        if dates.second_pass is None:
            return dates.seconds
        twice = ~np.isnan(dates.second_pass)
        doubtful |= twice
        if after is None:
            return dates.seconds
        return np.where(twice & (dates.seconds < after), dates.second_pass, dates.seconds)

    def _shown_start(
        self, lot: RowDecisions, start: Numbers, end: Numbers
    ) -> tuple[Truths, Numbers]:
        """Find starts in the second pass of a repeated hour: those that equal end minus run time.

        The first result is True for these rows; the second is the corrected starts of all rows.
        """
        second = self.fields["start_time"].read_dates(lot.batch).second_pass
        if second is None or "run_time" not in self.fields:
            return np.zeros(start.shape, np.bool_), start
        run_time, _ = self.fields["run_time"].numbers(lot.batch)
        shown = np.abs(end - second - run_time) <= 1.0
        return shown, np.where(shown, second, start)

    def _run_time(self, lot: RowDecisions, start: Numbers | None, end: Numbers | None) -> Numbers:
        between = None if start is None or end is None else end - start
        if "run_time" not in self.fields:
            assert between is not None
            run_time = between
        else:
            run_time, wrong = self.fields["run_time"].numbers(lot.batch)
            if between is not None:
                taken = np.isnan(run_time) & ~np.isnan(between)
                run_time = np.where(taken, between, run_time)
                lot.repair(taken, DATES_TAKEN)
                wrong = None if wrong is None else wrong & np.isnan(run_time)
            if wrong is not None:
                lot.drop(wrong, self.faults["run_time"])
        lot.drop(np.isnan(run_time), NO_RUN_TIME)
        lot.drop(run_time == 0.0, ZERO_RUN_TIME)
        lot.drop(run_time < 0.0, NEGATIVE_RUN_TIME)
        return run_time

    def _wait(
        self, lot: RowDecisions, values: dict[str, Any], *, submit: Numbers, start: Numbers | None
    ) -> None:
        if "wait_time" in self.fields:
            wait, wrong = self.fields["wait_time"].numbers(lot.batch)
            lot.repair(wrong, f"{self.faults['wait_time']}: none")
        elif start is not None:
            wait = start - submit
            lot.repair(wait < 0.0, EARLY_START)
        else:
            return
        values["wait_time"] = np.where(wait < 0.0, np.nan, wait)

    def _sizes(self, lot: RowDecisions, values: dict[str, Any]) -> None:
        size, wrong = self.fields["processors"].numbers(lot.batch)
        if wrong is not None:
            lot.drop(wrong, self.faults["processors"])
        lot.drop(~(size > 0.0), NO_SIZE)
        values["processors"] = size

    def _optional(self, name: str, lot: RowDecisions, values: dict[str, Any]) -> None:
        numbers, wrong = self.fields[name].numbers(lot.batch)
        lot.repair(wrong, f"{self.faults[name]}: none")
        least = 0.0 if name not in _ABOVE_0 else np.nextafter(0.0, 1.0)
        if (per := self.fields[name].map.per) is not None:
            each = values["processors"] if per == "processor" else values.get("nodes")
            numbers = numbers * (np.nan if each is None else each)
        values[name] = np.where(numbers >= least, numbers, np.nan)
