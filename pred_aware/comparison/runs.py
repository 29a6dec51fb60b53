"""A simulated run as it stands in its `_jobs.csv`, ours or the real Batsim's."""

import csv
import gzip
import io
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError

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
ALWAYS_THERE = NUMBERS[:-1]
WORDS = ("job_id", "workload_name", "final_state")
COLUMNS = (*WORDS, *NUMBERS)
KILLED = ("COMPLETED_WALLTIME_REACHED", "COMPLETED_KILLED")
HINT = "give the PREFIX_jobs.csv that a simulation wrote"


@dataclass(frozen=True, slots=True)
class Run:
    """A simulated run: what became of each job.

    Parameters
    ----------
    name
        What the run is called in tables and pictures.
    path
        The file it was read from.
    jobs
        The jobs that ran, in the file's order, with Batsim's column names (times in seconds);
        indexed by ``workload_name!job_id``.
    rejected
        The names of the jobs that never ran, written as in the index of `jobs`.
    killed
        How many of the jobs that ran were killed.
    machine_processors
        Size of the machine, from the schedule file; ``None`` without one.
    scheduling_time
        Seconds spent in the scheduler, from the schedule file; ``None`` if not measured.
    warm_up
        The jobs that ran and are left out of `jobs`, since they only fill the machine; in the same
        form. ``None`` where there are none.
    """

    name: str
    path: Path
    jobs: "pd.DataFrame"
    rejected: "pd.Index[str]"
    killed: int
    machine_processors: int | None
    scheduling_time: float | None
    warm_up: "pd.DataFrame | None" = None

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, those of the warm-up too: what the machine did."""
        if self.warm_up is None:
            return self.jobs
        import pandas as pd

        return pd.concat([self.warm_up, self.jobs])

    @property
    def processors(self) -> int:
        """Size of the machine; without a schedule file the highest number of processors in use."""
        return self.machine_processors or _most_in_use(self.whole)


def read_run(path: Path, name: str, *, warm_up: Collection[str] = ()) -> Run:
    """Read a `_jobs.csv`, plain or gzip, and the figures of the `_schedule.csv` beside it.

    Parameters
    ----------
    path
        The jobs file. The schedule file is the one with ``schedule`` for ``jobs`` in its name.
    name
        What the run is to be called.
    warm_up
        Ids of the jobs that only fill the machine.

    Raises
    ------
    PredAwareError
        The file can't be read, is empty or not a jobs file, lacks a column, has a word for a
        number, a job without its times, the same job twice, or none of the jobs of the warm-up.
    """
    import pandas as pd

    table = _read_table(path)
    if table.empty:
        raise PredAwareError(f"{path}: no jobs in it: {HINT}")
    names: pd.Index[str] = pd.Index(table["workload_name"] + "!" + table["job_id"], dtype="str")
    table.index = names
    twice = names.duplicated()
    if twice.any():
        line = int(twice.argmax()) + 2
        raise PredAwareError(f"{path}:{line}: job {names[line - 2]} stands twice in the file")
    rejected = table["final_state"] == "REJECTED"
    _check_complete(path, table, rejected)
    counts = ~table["job_id"].isin(list(warm_up))
    if warm_up and counts.all():
        raise PredAwareError(f"{path}: has none of the jobs that the workload marks as warm-up")
    schedule = _read_schedule(path)
    return Run(
        name=name,
        path=path,
        jobs=table.loc[counts & ~rejected, list(NUMBERS)],
        rejected=names[(counts & rejected).to_numpy()],
        killed=int((table["final_state"].isin(KILLED) & counts).sum()),
        machine_processors=_whole(schedule.get("nb_computing_machines")),
        # 0 is what stands there when nobody measured it
        scheduling_time=schedule.get("scheduling_time") or None,
        warm_up=table.loc[~counts & ~rejected, list(NUMBERS)] if warm_up else None,
    )


def _read_table(path: Path) -> "pd.DataFrame":
    import pandas as pd

    data = _read_bytes(path)
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
    numbers = dict.fromkeys(NUMBERS, "float64")
    try:
        return pd.read_csv(
            io.BytesIO(data),
            usecols=list(COLUMNS),
            dtype={**numbers, **dict.fromkeys(WORDS, "str")},
            keep_default_na=False,
            na_values={column: [""] for column in NUMBERS},
            index_col=False,
        )
    except pd.errors.ParserError as error:
        reason = str(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise PredAwareError(f"{path}: not a table: {reason}") from error
    except UnicodeDecodeError as error:
        raise PredAwareError(f"{path}: not a text file: {HINT}") from error
    except ValueError as error:
        raise PredAwareError(_bad_number(path, data) or f"{path}: {error}") from error


def _read_bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except OSError as error:
        raise PredAwareError(f"{path}: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise PredAwareError(f"{path}: the gzip file is cut or damaged: {error}") from error


def _bad_number(path: Path, data: bytes) -> str | None:
    """Say where the first word stands in place of a number; pandas does not."""
    rows = csv.DictReader(io.StringIO(data.decode()))
    for row in rows:
        for column in NUMBERS:
            text = row[column]
            try:
                float(text or 0)
            except ValueError:
                return f"{path}:{rows.line_num}: {column} is '{text}', which is not a number"
    return None


def _check_complete(path: Path, table: "pd.DataFrame", rejected: "pd.Series[bool]") -> None:
    # the stretch of a job that takes no time is no number
    incomplete = table[list(ALWAYS_THERE)].isna().any(axis=1) & ~rejected
    if incomplete.any():
        row = int(incomplete.to_numpy().argmax())
        empty = [column for column in ALWAYS_THERE if table[column].isna().iloc[row]]
        raise PredAwareError(
            f"{path}:{row + 2}: job {table.index[row]} has no {', '.join(empty)} "
            f"but was not rejected: the file is cut or not a jobs file"
        )


def _read_schedule(path: Path) -> dict[str, float]:
    """Read the numbers of the schedule file beside a jobs file; without one there are none."""
    head, jobs, tail = path.name.rpartition("jobs")
    if not jobs:
        return {}
    plain = f"{head}schedule{tail}".removesuffix(".gz")
    for name in (plain, f"{plain}.gz"):
        beside = path.with_name(name)
        if beside.is_file():
            break
    else:
        return {}
    try:
        row = next(csv.DictReader(io.StringIO(_read_bytes(beside).decode())), {})
    except UnicodeDecodeError as error:
        raise PredAwareError(f"{beside}: not a text file") from error
    figures = {}
    for column in ("nb_computing_machines", "scheduling_time"):
        try:
            figures[column] = float(row[column])
        except KeyError:
            continue
        except (TypeError, ValueError) as error:
            raise PredAwareError(f"{beside}:2: {column} is not a number") from error
    return figures


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _most_in_use(jobs: "pd.DataFrame") -> int:
    import numpy as np

    if jobs.empty:
        return 0
    sizes = jobs["requested_number_of_resources"].to_numpy()
    times = np.concatenate([jobs["finish_time"].to_numpy(), jobs["starting_time"].to_numpy()])
    changes = np.concatenate([-sizes, sizes])
    # a job that ends frees its processors for one that starts at that same date
    order = np.lexsort((changes, times))
    return int(np.cumsum(changes[order]).max())
