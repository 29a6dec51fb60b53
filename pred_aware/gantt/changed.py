"""The jobs whose waits differ most between two schedules."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.gains import gains
from pred_aware.report.durations import signed
from pred_aware.report.sentence import Name
from pred_aware.report.table import Cell, Table, duration, number

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.gantt.numbering import Numbering
    from pred_aware.gantt.pair import SchedulePair


def most_changed(schedules: "SchedulePair", numbering: "Numbering") -> "pd.DataFrame":
    """Return the jobs that changed most: those that wait longer first, each side by how much.

    Parameters
    ----------
    schedules
        The two runs, and how many jobs of each side make half of them at most.
    numbering
        Of their jobs.

    Returns
    -------
    pandas.DataFrame
        As `pred_aware.metrics.gains.gains`, with the `number` of each job.
    """
    frame = gains(schedules.baseline, schedules.other)
    frame.insert(0, "number", numbering.numbers_of(frame.index))
    order = np.argsort(frame["difference"].to_numpy(), kind="stable")
    differences = frame["difference"].to_numpy()[order]
    half = max(1, schedules.changed // 2)
    longer = order[::-1][: min(half, int((differences > 0.0).sum()))]
    shorter = order[: min(half, int((differences < 0.0).sum()))]
    return frame.iloc[np.concatenate([longer, shorter])]


def changed_table(
    schedules: "SchedulePair", changed: "pd.DataFrame", numbering: "Numbering"
) -> Table:
    """Return the jobs that changed most as a table."""
    rows = tuple(
        (
            f"job {numbering.called(Name('job', str(job)))}",
            number(int(row["processors"])), duration(row["run_time"]),
            duration(row["baseline_waiting_time"]), duration(row["waiting_time"]),
            Cell(signed(row["difference"]), row["difference"]),
        )
        for job, row in changed.iterrows()
    )  # fmt: skip
    baseline, other = schedules.baseline.name, schedules.other.name
    columns = ("job", "processors", "run time", f"wait, {baseline}", f"wait, {other}", "difference")
    note = "" if schedules.names else "Jobs are numbered in the order of their submissions."
    return Table("Jobs whose waits changed most", columns, rows, note=note)
