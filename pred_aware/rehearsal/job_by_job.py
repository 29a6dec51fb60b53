"""The soft walltime of each job in a rehearsal, and its outcome in the schedules."""

from typing import TYPE_CHECKING

from pred_aware.rehearsal.rehearsed import Rehearsed, Shadowed
from workload_tools.files import written_whole

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from pred_aware.runs.run import Run

COLUMNS = (
    "predictor", "job_id", "submit_time", "user", "queue", "processors", "walltime",
    "soft_walltime", "run_time", "wait_without", "wait_with", "extended",
)  # fmt: skip
"""Times in seconds, dates since the log's first submission; `soft_walltime` is empty where none is
set, `extended` says whether the job outlived its own in the schedule with it."""


def frame(rehearsal: Rehearsed) -> "pd.DataFrame":
    """Return a row for each predictor and job of the period, with `COLUMNS`."""
    import pandas as pd

    waits = _waits(rehearsal.baseline)
    frames = [_of(rehearsal, one, waits) for one in rehearsal.shadowed]
    return pd.concat(frames, ignore_index=True)


def write(rehearsal: Rehearsed, path: "Path") -> None:
    """Write the frame as CSV, whole or not at all.

    Raises
    ------
    InputError
        The file can't be written.
    """
    with written_whole(path) as file:
        file.write(frame(rehearsal).to_csv(index=False, lineterminator="\n").encode())


def _waits(run: "Run") -> "pd.Series[float]":
    return run.jobs["waiting_time"]


def _of(rehearsal: Rehearsed, one: Shadowed, waits: "pd.Series[float]") -> "pd.DataFrame":
    import pandas as pd

    jobs = rehearsal.log.machine.jobs
    asked = [jobs[place] for place in rehearsal.period.asked]
    ids = pd.Index([job.id for job in asked])
    with_it = one.run.jobs
    columns = {
        "predictor": one.label,
        "job_id": ids,
        **{
            name: [getattr(job, name) for job in asked]
            for name in ("submit_time", "user", "queue", "processors", "walltime")
        },
        "soft_walltime": pd.array(one.answers.soft_walltimes, "Float64"),
        "run_time": [job.run_time for job in asked],
        "wait_without": waits.reindex(ids).to_numpy(),
        "wait_with": with_it["waiting_time"].reindex(ids).to_numpy(),
        "extended": with_it["corrections"].reindex(ids).gt(0).to_numpy(),
    }
    return pd.DataFrame(columns)[list(COLUMNS)]
