"""Conversion of a table's rows to jobs, with reasons for dropped rows."""

from dataclasses import replace
from typing import Any

import numpy as np

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
from workload_tools.table.language.evaluating import ColumnEvaluation
from workload_tools.table.lots import Lot
from workload_tools.table.map.table_map import NAMES, Outcome, TableMap, outcome_of

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
    """Converts rows with bound columns to jobs.

    Parameters
    ----------
    table_map
        The map of the table.
    binder
        Binds the fields to columns.
    size
        The size that jobs are counted in; None for the map's `processors`.
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

    def values(self, lot: Lot) -> dict[str, Any]:
        """Return the jobs' fields for all rows, and drop unusable rows from the lot.

        Parameters
        ----------
        lot
            The rows.
        """
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

    def _states(self, lot: Lot, values: dict[str, Any]) -> None:
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

    def _times(self, lot: Lot, values: dict[str, Any]) -> None:
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

    def _date(self, name: str, lot: Lot, after: Numbers | None, doubtful: Truths) -> Numbers | None:
        """Return a field's dates; in a repeated hour, the first one that is not before `after`."""
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

    def _shown_start(self, lot: Lot, start: Numbers, end: Numbers) -> tuple[Truths, Numbers]:
        """Return which starts' pass follows from end minus run time, and all starts."""
        second = self.fields["start_time"].read_dates(lot.batch).second_pass
        if second is None or "run_time" not in self.fields:
            return np.zeros(start.shape, np.bool_), start
        run_time, _ = self.fields["run_time"].numbers(lot.batch)
        shown = np.abs(end - second - run_time) <= 1.0
        return shown, np.where(shown, second, start)

    def _run_time(self, lot: Lot, start: Numbers | None, end: Numbers | None) -> Numbers:
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
        self, lot: Lot, values: dict[str, Any], *, submit: Numbers, start: Numbers | None
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

    def _sizes(self, lot: Lot, values: dict[str, Any]) -> None:
        size, wrong = self.fields["processors"].numbers(lot.batch)
        if wrong is not None:
            lot.drop(wrong, self.faults["processors"])
        lot.drop(~(size > 0.0), NO_SIZE)
        values["processors"] = size

    def _optional(self, name: str, lot: Lot, values: dict[str, Any]) -> None:
        numbers, wrong = self.fields[name].numbers(lot.batch)
        lot.repair(wrong, f"{self.faults[name]}: none")
        least = 0.0 if name not in _ABOVE_0 else np.nextafter(0.0, 1.0)
        if (per := self.fields[name].map.per) is not None:
            each = values["processors"] if per == "processor" else values.get("nodes")
            numbers = numbers * (np.nan if each is None else each)
        values[name] = np.where(numbers >= least, numbers, np.nan)
