"""Tables of gains and losses against the baseline, and of measures by group."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.effect_tables import GROUP_LABELS, MOST_QUEUES, MOST_ROWS
from pred_aware.comparison.over_copies import group_frames
from pred_aware.effects.groups import GAINS_BY, MOST
from pred_aware.effects.tables import measure_cell
from pred_aware.metrics.gains import gains_by
from pred_aware.metrics.groups import can_group
from pred_aware.metrics.table import MEASURES
from pred_aware.report.durations import signed, timespan
from pred_aware.report.interval_format import NO_INTERVAL, percent_change
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration, number, percent

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.runs.run import Run

FEWER = "The fewer jobs a group has, the more of its difference may be chance."
BY_WHOM = "To show users and queues, give the workload (--workload FILE)."


def gains_and_losses(comparison: Compared) -> Iterator[Table]:
    """Yield tables of mean waits by size, length, and, if known, queue and user."""
    baseline, *others = comparison.compared
    if not others or baseline.ran.empty:
        return
    rows: list[tuple[str, ...]] = []
    for by, label in GROUP_LABELS.items():
        if not can_group(baseline, by):
            continue
        frames = [gains_by(baseline, run, by) for run in others]
        for group in frames[0].index[:MOST_QUEUES]:
            first = frames[0].loc[group]
            cells = (_against(frame, group) for frame in frames)
            before = duration(first["baseline_mean_waiting_time"])
            named = label.format(group).replace("1 processors", "1 processor")
            rows.append((named, number(int(first["jobs"])), before, *cells))
    title = (
        f"Who gains and who loses: mean waiting time (in brackets: {_against_baseline(comparison)})"
    )
    columns = ("jobs", "number", baseline.name, *(run.name for run in others))
    note = FEWER if baseline.workload is not None else f"{FEWER} {BY_WHOM}"
    yield Table(title, columns, tuple(rows), note=note)
    if can_group(baseline, "user"):
        for run in others:
            yield _users(gains_by(baseline, run, "user"), baseline.name, run.name)


def gains_in_json(baseline: "Run", run: "Run") -> dict[str, list[dict[str, Any]]]:
    """Return the gains of a run for all known groupings, as JSON data."""
    return {by: _records(gains_by(baseline, run, by)) for by in GAINS_BY if can_group(baseline, by)}


def by_group(comparison: Compared) -> Iterator[Table]:
    """Yield a table for each requested grouping and measure.

    Each table has a row for each group and a column for each run. If there are many groups, a table
    shows only the groups with most jobs.

    Parameters
    ----------
    comparison
        The comparison, with its runs and requested groupings.
    """
    for by in comparison.groups:
        frames = group_frames(comparison, by)
        for name in next(iter(frames.values())).columns[2:]:
            yield _of_groups(by, name, frames, against=_against_baseline(comparison))


def groups_in_json(comparison: Compared) -> dict[str, Any]:
    """Return the content of `by_group` with all groups, as JSON data."""
    return {
        by: {name: _records(frame) for name, frame in group_frames(comparison, by).items()}
        for by in comparison.groups
    }


def _of_groups(by: str, name: str, frames: "dict[str, pd.DataFrame]", *, against: str) -> Table:
    baseline, *others = frames.values()
    rows = []
    for group in baseline.index[:MOST_ROWS]:
        jobs, work = (baseline[column][group] for column in ("jobs", "work"))
        before = _none(baseline[name][group])
        cells = [measure_cell(name, before)]
        for frame in others:
            value = _none(frame[name][group]) if group in frame.index else None
            cells.append(_changed(name, before, value))
        rows.append((group, number(jobs), percent(work), *cells))
    left_out = len(baseline) - len(rows)
    note = f"--json also shows {counted(left_out, 'group')} with fewer jobs." if left_out else ""
    title = f"{MEASURES[name].label.capitalize()} by {by} (in brackets: change {against})"
    return Table(title, (by, "jobs", "work", *frames), tuple(rows), note=note)


def _against_baseline(comparison: Compared) -> str:
    return f"relative to {comparison.runs[0].name}; {NO_INTERVAL}"


def _records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    rows = frame.reset_index(names="group").to_dict("records")
    return [
        {
            str(key): _none(value) if isinstance(value, float) else value
            for key, value in row.items()
        }
        for row in rows
    ]


def _against(frame: "pd.DataFrame", group: str) -> Cell:
    if group not in frame.index:
        return Cell(NOTHING, None)
    value = float(frame["mean_waiting_time"][group])
    return Cell(f"{timespan(value)} ({signed(frame['mean_difference'][group])})", value)


def _users(frame: "pd.DataFrame", baseline: str, run: str) -> Table:
    total = frame["total_difference"]
    order = frame.iloc[np.argsort(total.to_numpy(), kind="stable")]
    gain, lose = order[order["total_difference"] < 0.0], order[order["total_difference"] > 0.0]
    rows = tuple(
        (
            str(user), number(int(row["jobs"])), duration(row["baseline_mean_waiting_time"]),
            duration(row["mean_waiting_time"]),
            Cell(signed(row["mean_difference"]), row["mean_difference"]),
            Cell(signed(row["total_difference"]), row["total_difference"]),
        )
        for some in (gain[:MOST], lose[-MOST:])
        for user, row in some.iterrows()
    )  # fmt: skip
    same = len(frame) - len(gain) - len(lose)
    note = f"Of {counted(len(frame), 'user')}, {len(gain)} wait less in total, {len(lose)} longer"
    note += f", {same} the same." if same else "."
    columns = ("user", "jobs", baseline, run, "change per job", "change in total")
    title = f"Users who gain and who lose most under {run}: mean waiting time, and differences"
    title += f" ({NO_INTERVAL})"
    return Table(title, columns, rows, note=note)


def _changed(name: str, before: float | None, value: float | None) -> Cell:
    cell = measure_cell(name, value)
    if before is None or value is None or before == 0.0:
        return cell
    return Cell(f"{cell} ({percent_change((value - before) / before)})", value)


def _none(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
