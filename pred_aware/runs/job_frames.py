"""DataFrames of jobs for notebooks: results, workload fields and planning."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pred_aware.log.workload import Workload
from pred_aware.metrics.job_results import read_side_table

if TYPE_CHECKING:
    import pandas as pd

_OF_JOBS = (
    "submission_time", "requested_number_of_resources", "walltime", "final_state", "starting_time",
    "execution_time", "finish_time", "waiting_time", "turnaround_time", "stretch",
    "allocated_resources", "profile", "metadata",
)  # fmt: skip
_OF_REJECTED = ("submission_time", "requested_number_of_resources", "walltime")
_IN_WORKLOAD_TOO = frozenset({"submit_time", "processors", "walltime", "run_time"})
_NO_PROMISE = {"first_promised_start": [""], "last_promised_start": [""]}


def ran_frame(
    table: "pd.DataFrame", workload: Workload | None, estimates: bytes | None
) -> "pd.DataFrame":
    """Return the DataFrame of the jobs that ran, as described at `pred_aware.Run.jobs`.

    Parameters
    ----------
    table
        All jobs, from `pred_aware.runs.jobs_table.read_table`.
    workload
        The workload, if available.
    estimates
        The content of ``_estimates.csv``, if any.
    """
    frame = _chosen(table, table["final_state"] != "REJECTED", _OF_JOBS)
    frame = frame.astype({"final_state": "category"})
    return _with_known(frame, workload, [] if estimates is None else [_planned(estimates)])


def rejected_frame(
    table: "pd.DataFrame", workload: Workload | None, *, processors: int, reasons: Sequence[str]
) -> "pd.DataFrame":
    """Return the DataFrame of the jobs that never ran, as described at `pred_aware.Run.rejected`.

    Parameters
    ----------
    table, workload
        As in `ran_frame`.
    processors
        Size of the machine.
    reasons
        Reasons of the run's rejections, if known. A job's own reason is known if it follows from
        its size, or if there is only one reason.
    """
    import pandas as pd

    frame = _chosen(table, table["final_state"] == "REJECTED", _OF_REJECTED)
    other = [reason for reason in reasons if not reason.startswith("asks for ")]
    only = other[0] if len(other) == 1 else None
    frame["reason"] = pd.Series(
        [
            f"asks for {size} processors; the machine has {processors}"
            if size > processors
            else only
            for size in frame["requested_number_of_resources"]
        ],
        frame.index,
        dtype="str",
    )
    return _with_known(frame, workload, [])


def _chosen(
    table: "pd.DataFrame", chosen: "pd.Series[bool]", columns: Sequence[str]
) -> "pd.DataFrame":
    names = table["workload_name"]
    one_workload = table.empty or bool((names == names.iloc[0]).all())
    table = table[chosen]
    if "requested_time" in table:
        # Batsim writes -1 for no walltime
        walltime = table["requested_time"].where(table["requested_time"] >= 0.0)
        table = table.assign(walltime=walltime)
    table = table.set_index("job_id") if one_workload else table.rename_axis("job")
    frame = table[[name for name in columns if name in table]]
    return frame.astype({"requested_number_of_resources": "int64"})


def _with_known(
    frame: "pd.DataFrame", workload: Workload | None, others: "list[pd.DataFrame]"
) -> "pd.DataFrame":
    """Add columns with the workload's fields of the jobs, and other columns."""
    if workload is not None:
        known = workload.jobs
        known = known[[name for name in known if name not in _IN_WORKLOAD_TOO]]
        frame = frame.join(known.rename(columns={"wait_time": "recorded_wait_time"}))
    for other in others:
        frame = frame.join(other)
    return frame


def _planned(estimates: bytes) -> "pd.DataFrame":
    kinds = dict.fromkeys(_NO_PROMISE, "float64") | {"job_id": "str", "started_as": "category"}
    return read_side_table(
        estimates,
        "_estimates.csv",
        dtype=kinds,
        index_col="job_id",
        keep_default_na=False,
        na_values=_NO_PROMISE,
    )
