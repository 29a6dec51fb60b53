"""The table of a `_jobs.csv`, ours or the real Batsim's: typed and checked."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError
from workload_tools.batsim.workload import LATEST

if TYPE_CHECKING:
    import pandas as pd

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
"""Columns that every jobs file has, and that figures are made from."""

ALWAYS_THERE = NUMBERS[:-1]
WORDS = ("job_id", "workload_name", "final_state")
COLUMNS = (*WORDS, *NUMBERS)
MORE_NUMBERS = ("requested_time",)
MORE_WORDS = ("profile", "allocated_resources", "metadata")
"""Columns that one may do without."""

HINT = "give the PREFIX_jobs.csv that a simulation wrote"


def read_table(data: bytes, path: Path | str) -> "pd.DataFrame":
    """Read the content of a jobs file, indexed by ``workload_name!job_id``.

    Parameters
    ----------
    data
        The content, unpacked.
    path
        What errors name.

    Raises
    ------
    PredAwareError
        It is empty or not a jobs file, lacks a column, has a word for a number, a job without its
        times, or the same job twice.
    """
    import pandas as pd

    table = _parsed(data, path)
    if table.empty:
        raise PredAwareError(f"{path}: no jobs in it: {HINT}")
    names: pd.Index[str] = pd.Index(table["workload_name"] + "!" + table["job_id"], dtype="str")
    table.index = names
    twice = names.duplicated()
    if twice.any():
        line = int(twice.argmax()) + 2
        raise PredAwareError(f"{path}:{line}: job {names[line - 2]} stands twice in the file")
    _check_complete(path, table, table["final_state"] == "REJECTED")
    _check_size(path, table)
    return table


def _check_size(path: Path | str, table: "pd.DataFrame") -> None:
    """Refuse dates that no simulation reaches: nothing could be counted or drawn with them."""
    for column in ALWAYS_THERE:
        too_large = (table[column].abs() > LATEST).to_numpy()
        if too_large.any():
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
    """Say where the first word stands in place of a number; pandas does not."""
    rows = csv.DictReader(io.StringIO(data.decode(errors="replace")))
    for row in rows:
        for column in (*NUMBERS, *MORE_NUMBERS):
            text = row.get(column)
            try:
                float(text or 0)
            except ValueError:
                return f"{path}:{rows.line_num}: {column} is '{text}', which is not a number"
    return None


def _check_complete(path: Path | str, table: "pd.DataFrame", rejected: "pd.Series[bool]") -> None:
    # the stretch of a job that takes no time is no number
    incomplete = table[list(ALWAYS_THERE)].isna().any(axis=1) & ~rejected
    if incomplete.any():
        row = int(incomplete.to_numpy().argmax())
        empty = [column for column in ALWAYS_THERE if table[column].isna().iloc[row]]
        raise PredAwareError(
            f"{path}:{row + 2}: job {table.index[row]} has no {', '.join(empty)} "
            f"but was not rejected: the file is cut or not a jobs file"
        )
