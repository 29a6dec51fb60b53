"""Reader of `_jobs.csv`, from pred-aware or the real Batsim, with types and checks."""

import csv
import io
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.runs.rounding import reachable, rounded_as_in_csv
from pred_aware.simulator.job import NO_WALLTIME, REJECTED
from pred_aware.simulator.tracing import STATE_NAMES, JobColumns
from workload_tools.batsim.intervals import format_intervals
from workload_tools.batsim.workload import LATEST

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.runs.outcome import Outcome

NUMBERS = (
    "submission_time",
    "requested_number_of_resources",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
)
"""Columns that every jobs file must have, because the measures need them."""

ALWAYS_THERE = NUMBERS[:-1]
WORDS = ("job_id", "workload_name", "final_state")
COLUMNS = (*WORDS, *NUMBERS)
MORE_NUMBERS = ("requested_time",)
MORE_WORDS = ("profile", "allocated_resources", "metadata")
"""Optional columns of text."""

HINT = "give the PREFIX_jobs.csv that a simulation wrote"


def read_table(data: bytes, path: Path | str, *, may_be_empty: bool = False) -> "pd.DataFrame":
    """Read the content of a jobs file into a table, indexed by ``workload_name!job_id``.

    Parameters
    ----------
    data
        The content, unpacked.
    path
        The name for error messages.
    may_be_empty
        True to accept a file without jobs.

    Raises
    ------
    PredAwareError
        The file is empty or not a jobs file, lacks a column, or contains a text instead of a
        number, a job without its times, or the same job twice.
    """
    import pandas as pd

    table = _parsed(data, path)
    if table.empty and not may_be_empty:
        raise PredAwareError(f"{path}: has no jobs: {HINT}")
    names: pd.Index[str] = pd.Index(table["workload_name"] + "!" + table["job_id"], dtype="str")
    table.index = names
    twice = names.duplicated()
    if twice.any():
        line = int(twice.argmax()) + 2
        raise PredAwareError(f"{path}:{line}: job {names[line - 2]} occurs twice in the file")
    _check_complete(path, table, table["final_state"] == "REJECTED")
    _check_size(path, table)
    return table


def table_of(blocks: Sequence[JobColumns], name: str, *, words: bool = False) -> "pd.DataFrame":
    """Return the table of a run in memory: the table that `read_table` would read from its text.

    Parameters
    ----------
    blocks
        The results of the jobs, as the simulator stores them.
    name
        The name for error messages.
    words
        True to add the columns of text: profile, processors and metadata.

    Raises
    ------
    PredAwareError
        A date is later than a simulation can reach.
    """
    import numpy as np
    import pandas as pd

    def column(of: str) -> list[Any]:
        return [*chain.from_iterable([getattr(block, of) for block in blocks])]

    names, workloads = column("names"), column("workloads")
    states = [STATE_NAMES[state] for state in column("states")]
    ran = np.array([state != REJECTED.name for state in states])
    submit, start, end = (np.array(column(of), float) for of in ("submit", "start", "end"))
    execution, turnaround = end - start, end - submit
    with np.errstate(divide="ignore", invalid="ignore"):
        stretch = turnaround / execution
    of_runs = {
        "starting_time": start, "execution_time": execution, "finish_time": end,
        "waiting_time": start - submit, "turnaround_time": turnaround, "stretch": stretch,
    }  # fmt: skip
    columns = {
        "job_id": pd.array(names, "str"),
        "workload_name": pd.array(workloads, "str"),
        "submission_time": rounded_as_in_csv(submit),
        "requested_number_of_resources": np.array(column("processors"), float),
        "requested_time": rounded_as_in_csv(np.array(column("walltimes"), float)),
        "final_state": pd.array(states, "str"),
        **{of: rounded_as_in_csv(np.where(ran, values, np.nan)) for of, values in of_runs.items()},
    }
    if words:
        # the text is empty for a rejected job, which has no processors
        placed = [format_intervals(intervals) for intervals in column("intervals")]
        columns["profile"] = pd.array(column("profiles"), "str")
        columns["allocated_resources"] = pd.array(placed, "str")
        columns["metadata"] = pd.array(column("metadata"), "str")
    ids = [f"{workload}!{name}" for workload, name in zip(workloads, names, strict=True)]
    table = pd.DataFrame(columns, index=pd.Index(ids, dtype="str"))
    _check_size(name, table)
    return table


def table_of_arrays(outcome: "Outcome", name: str) -> "pd.DataFrame":
    """Return the same as `table_of` for a run in arrays, without the columns of text."""
    import numpy as np
    import pandas as pd

    jobs, over = outcome.jobs, outcome.over
    places = jobs.places[over]
    states = pd.array(STATE_NAMES, "str")
    numbers = {column: number_of_arrays(outcome, column) for column in IN_ARRAYS}
    columns = {
        "job_id": jobs.names.short.take(places),
        "workload_name": pd.array(["w0"], "str").take(np.zeros(len(over), np.intp)),
        "final_state": states.take(outcome.states),
    }
    order = (*COLUMNS[:2], *IN_ARRAYS[:3], "final_state", *IN_ARRAYS[3:])
    table = pd.DataFrame(
        {column: (numbers | columns)[column] for column in order},
        index=jobs.names.full.take(places),
    )
    _check_size(name, table)
    return table


IN_ARRAYS = (
    *("submission_time", "requested_number_of_resources", "requested_time"),
    *("starting_time", "execution_time", "finish_time", "waiting_time"),
    *("turnaround_time", "stretch"),
)
"""The columns of numbers, in the order of a jobs file."""


def number_of_arrays(outcome: "Outcome", column: str) -> "NDArray[np.float64]":
    """Return a column of `IN_ARRAYS`, with NaN for jobs that never ran; shape (jobs,)."""
    import numpy as np

    jobs, over, ran = outcome.jobs, outcome.over, outcome.ran
    if column == "requested_number_of_resources":
        return jobs.processors[over].astype(np.float64)
    if column == "requested_time":
        walltime = jobs.walltime[over]
        return rounded_as_in_csv(np.where(walltime < np.inf, walltime, NO_WALLTIME))
    submit = jobs.submit[over]
    start, end = outcome.start, outcome.end
    if not ran.all():
        start, end = (np.where(ran, dates, np.nan) for dates in (start, end))
    with np.errstate(divide="ignore", invalid="ignore"):
        match column:
            case "submission_time":
                found = submit
            case "starting_time":
                found = start
            case "execution_time":
                found = end - start
            case "finish_time":
                found = end
            case "waiting_time":
                found = start - submit
            case "turnaround_time":
                found = end - submit
            case _:
                found = (end - submit) / (end - start)
    return rounded_as_in_csv(found)


def _check_size(path: Path | str, table: "pd.DataFrame") -> None:
    """Raise an error for numbers that a simulation cannot reach."""
    for column in ALWAYS_THERE:
        if not reachable(table[column].to_numpy()):
            too_large = (table[column].abs() > LATEST).to_numpy()
            row = int(too_large.argmax())
            raise PredAwareError(
                f"{path}:{row + 2}: {column} of job {table.index[row]} is "
                f"{table[column].iloc[row]:g}; it may be at most {LATEST:g}"
            )


def _parsed(data: bytes, path: Path | str) -> "pd.DataFrame":
    import pandas as pd

    if not data.strip():
        raise PredAwareError(f"{path}: the file is empty: {HINT}")
    try:
        header = data.split(b"\n", 1)[0].decode().strip().split(",")
    except UnicodeDecodeError as error:
        raise PredAwareError(f"{path}:1: not a text file: {HINT}") from error
    missing = [column for column in COLUMNS if column not in header]
    if len(missing) == len(COLUMNS):
        raise PredAwareError(f"{path}:1: not a jobs file: {HINT}")
    if missing:
        raise PredAwareError(f"{path}:1: no column {', '.join(missing)}: {HINT}")
    numbers = [name for name in (*NUMBERS, *MORE_NUMBERS) if name in header]
    words = [name for name in (*WORDS, *MORE_WORDS) if name in header]
    try:
        return pd.read_csv(
            io.BytesIO(data),
            usecols=[*numbers, *words],
            dtype={**dict.fromkeys(numbers, "float64"), **dict.fromkeys(words, "str")},
            keep_default_na=False,
            na_values={column: [""] for column in numbers},
            index_col=False,
        )
    except pd.errors.ParserError as error:
        reason = str(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise PredAwareError(f"{path}: not a table: {reason}") from error
    except UnicodeDecodeError as error:
        said = _bad_number(path, data) or f"{path}: not a text file: {HINT}"
        raise PredAwareError(said) from error
    except ValueError as error:
        raise PredAwareError(_bad_number(path, data) or f"{path}: {error}") from error


def _bad_number(path: Path | str, data: bytes) -> str | None:
    """Return an error with the line and column of the first text that should be a number."""
    rows = csv.DictReader(io.StringIO(data.decode(errors="replace").replace("\r", " ")))
    for row in rows:
        for column in (*NUMBERS, *MORE_NUMBERS):
            text = row.get(column)
            try:
                float(text or 0)
            except ValueError:
                return f"{path}:{rows.line_num}: {column} is '{text}', which is not a number"
    return None


def _check_complete(path: Path | str, table: "pd.DataFrame", rejected: "pd.Series[bool]") -> None:
    # `stretch` is not checked, because it is NaN for a run time of 0
    incomplete = table[list(ALWAYS_THERE)].isna().any(axis=1) & ~rejected
    if incomplete.any():
        row = int(incomplete.to_numpy().argmax())
        empty = [column for column in ALWAYS_THERE if table[column].isna().iloc[row]]
        raise PredAwareError(
            f"{path}:{row + 2}: job {table.index[row]} has no {', '.join(empty)} "
            f"but was not rejected: the file is incomplete or not a jobs file"
        )
