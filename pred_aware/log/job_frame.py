"""A data frame of a workload's jobs, with all their fields."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from workload_tools.batsim.fields import JOB_NAMES, TEXTS
from workload_tools.batsim.workload import NO_COLUMNS, RawWorkload
from workload_tools.changes.redated import RedatedDetails
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE


def job_frame(raw: RawWorkload) -> pd.DataFrame:
    """Return the jobs by their ids, as described for `pred_aware.Workload.jobs`.

    Raises
    ------
    WorkloadError
        A value cannot be read.
    """
    try:
        values = raw.details.columns()
    except UNREADABLE as error:
        raise WorkloadError(raw.name, f"has a value that cannot be read: {error}") from error
    columns: dict[str, Any] = {
        ours: _column(values[name], text=ours in TEXTS) for name, ours in _columns(values)
    }
    if "eligible_time" in columns and columns["eligible_time"].dtype == "int64":
        columns["eligible_time"] = columns["eligible_time"].astype("float64")
    simulated = raw.arrays
    columns["submit_time"] = pd.array(simulated.submit, "float64")
    if "walltime" in columns:
        walltime = pd.Series(simulated.walltime)
        columns["walltime"] = walltime.mask(walltime == -1.0).array
    columns["run_time"] = pd.array(simulated.delay, "float64")
    return pd.DataFrame(columns, index=pd.Index(raw.ids, name="job_id", dtype="str"))


def copied_frame(of: pd.DataFrame, raw: RawWorkload, copy: RedatedDetails) -> pd.DataFrame:
    """Return the `job_frame` of a copy with other dates, computed from the original's frame.

    Parameters
    ----------
    of
        The frame of the original workload.
    raw, copy
        The copy's jobs, and how its dates differ from the original.
    """
    if not in_one_column_each(copy):
        # if two fields fill one column, the order of the jobs decides which field is used
        return job_frame(raw)
    names = [ours for _, ours in _columns(dict.fromkeys(copy.names))]
    frame = of.take(copy.order)
    if "eligible_time" in frame:
        held = frame["eligible_time"] - frame["submit_time"]
        frame["eligible_time"] = (held + copy.submitted).round(6)
    frame["submit_time"] = copy.submitted
    if copy.marked:
        frame["warm_up"] = [place < copy.marked for place in range(len(frame))]
    return frame[[*names, "run_time"]]


def in_one_column_each(copy: RedatedDetails) -> bool:
    """Return True if each column of the frame has only one field, in all copies of a workload."""
    ours = [ours for _, ours in _columns(copy.all_names)]
    return len(set(ours)) == len(ours)


def _columns(names: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return pairs of a field and its column's name, for fields that become columns."""
    return [
        (name, JOB_NAMES.get(name, name))
        for name in names
        if name not in NO_COLUMNS and not (name == "user" and "user_id" in names)
    ]


def _column(found: list[Any], *, text: bool) -> Any:  # noqa: ANN401 - an array of any type
    """Return values as an array of texts, of numbers, or else of any objects."""
    kinds = {*map(type, found)} - {type(None)}
    if (text and kinds <= {str, int, float}) or kinds == {str}:
        if not kinds <= {str}:
            found = [None if value is None else str(value) for value in found]
        return pd.array(found, "str")
    if kinds == {bool}:
        return pd.array([bool(value) for value in found], "bool")
    if kinds == {int} and None not in found:
        return pd.array(found, "int64")
    if kinds and kinds <= {int, float}:
        return pd.Series(found, dtype="float64").array
    return pd.Series(found, dtype="object").array
