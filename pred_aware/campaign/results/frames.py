"""Results of a campaign as DataFrames, which can be written to CSV or Parquet files."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import (
    GROUPS,
    JOBS,
    OF_A_RUN,
    OF_STARTS,
    STARTS,
    USERS,
    extra_files,
)
from pred_aware.campaign.results.against import Pairs
from pred_aware.campaign.specification import RunKey
from pred_aware.campaign.store import MEASURED
from pred_aware.errors import PredAwareError
from pred_aware.metrics.job_results import read_side_table
from pred_aware.runs.unpacked import read_unpacked
from workload_tools.errors import require_arrow
from workload_tools.files import packed, written_whole

if TYPE_CHECKING:
    import pandas as pd

COUNTS = ("jobs", "rejected", "killed")
COST = ("cpu_seconds", "seconds", "memory_bytes", "disk_bytes", "host", "date")
"""What each run cost; these columns are not compared."""

SUFFIXES = (".csv", ".csv.gz", ".parquet")


class NoGroupsError(PredAwareError):
    """No finished run has results for these groups of jobs."""


def runs_frame(inventory: Inventory, *, cost: bool = False) -> "pd.DataFrame":
    """Return a row for each finished run.

    Parameters
    ----------
    inventory
        The campaign.
    cost
        True to add the columns `COST`.

    Returns
    -------
    pandas.DataFrame
        `log`, `policy`, `shake` (seed of the perturbed copy, missing for the unperturbed log),
        `resample` (if the campaign has resamples; missing for other runs), `digest`, counts of
        jobs, and all measures; measures of starts and against the baseline if the campaign requests
        them; and the columns `COST` if `cost` is true.
    """
    import pandas as pd

    agenda = inventory.agenda(None)
    pairs, against = Pairs(inventory), inventory.specification.against_baseline
    measures = (*OF_A_RUN, *(OF_STARTS if STARTS in extra_files(inventory.specification) else ()))
    rows = []
    for place in places(agenda):
        digest = inventory.digest(place)
        assert digest is not None
        figures = agenda.figures[place]
        row = {**_run_columns(inventory, place), "digest": digest}
        row |= {name: figures.get(name) for name in (*COUNTS, *measures)}
        if against and place.policy != agenda.baseline:
            beside = pairs.figures(place) or {}
            row |= {name: beside.get(name) for name in against}
        if cost:
            took = inventory.store.read(digest, MEASURED)
            row |= {name: took.get(name) for name in COST}
        rows.append(row)
    numbers = (*measures, *against)
    copies = ("shake", "resample") if inventory.specification.resampled else ("shake",)
    names = ["log", "policy", *copies, "digest", *COUNTS, *numbers, *(COST if cost else ())]
    frame = pd.DataFrame(rows, columns=names)
    whole = dict.fromkeys((*copies, *COUNTS), "Int64")
    return frame.astype({**whole, **dict.fromkeys(numbers, "float64")})


def places(agenda: Agenda) -> list[RunKey]:
    """Return the finished runs by log and policy: unperturbed, perturbed copies, resamples."""
    return sorted(agenda.figures, key=lambda run: (run.log, run.policy, *run.in_order))


def jobs_frames(inventory: Inventory) -> Iterator["pd.DataFrame"]:
    """Yield the jobs of each run that stored them, with its log, policy and perturbed copy.

    Raises
    ------
    PredAwareError
        A file of jobs cannot be read.
    """
    yield from _stored_frames(inventory, JOBS)


def groups_frame(inventory: Inventory, by: str) -> "pd.DataFrame":
    """Return a row for each group of jobs of each run.

    Parameters
    ----------
    inventory
        The campaign.
    by
        ``user``, ``size``, ``length``, ``queue`` or ``weekday``.

    Raises
    ------
    NoGroupsError
        No finished run has results for these groups.
    PredAwareError
        The name of the grouping is unknown, or a file of groups cannot be read.
    """
    import pandas as pd

    known = ("user", "size", "length", "queue", "weekday")
    if by not in known:
        raise PredAwareError(f"cannot group jobs by '{by}'; known: {', '.join(known)}")
    classes = inventory.specification.classes
    file = USERS if by == "user" else GROUPS
    if classes is not None and by in classes.edges:
        file = classes.file
    found = [one[one["by"] == by] for one in _stored_frames(inventory, file, _OF_GROUPS)]
    found = [one for one in found if not one.empty]
    if not found:
        raise NoGroupsError(f"no finished run has results by {by}")
    return pd.concat(found, ignore_index=True).drop(columns="by")


_OF_GROUPS = frozenset({"by", "group", "jobs", "mean_waiting_time"})


def _stored_frames(
    inventory: Inventory, name: str, columns: frozenset[str] = frozenset()
) -> Iterator["pd.DataFrame"]:
    """Yield the files of this name stored with runs, if present; check for the columns."""
    import pandas as pd

    for place in places(inventory.agenda()):
        digest = inventory.digest(place)
        assert digest is not None
        file = inventory.store.place(digest) / name
        if not file.is_file():
            continue
        frame = read_side_table(
            read_unpacked(file),
            f"{file}:",
            dtype={"group": "str", "job_id": "str", "allocated_resources": "str"},
        )
        if not columns <= set(frame):
            missing = ", ".join(sorted(columns - set(frame)))
            raise PredAwareError(f"{file}: damaged: it has no column {missing}")
        for column, value in reversed(_run_columns(inventory, place).items()):
            values = pd.Series([value] * len(frame), frame.index, dtype=_TYPES[column])
            frame.insert(0, column, values)
        yield frame


_TYPES = {"log": "str", "policy": "str", "shake": "Int64", "resample": "Int64"}


def _run_columns(inventory: Inventory, place: RunKey) -> dict[str, Any]:
    """Return the columns that identify a run."""
    spec = inventory.specification
    log, policy = spec.logs[place.log], spec.policies[place.policy]
    columns = {"log": log.name, "policy": policy.name, "shake": place.shake}
    return {**columns, "resample": place.resample} if spec.resampled else columns


def check_rows_path(path: Path) -> None:
    """Check the name of an output file, and that its library is installed.

    Raises
    ------
    PredAwareError, MissingLibraryError
        The name does not end in .csv, .csv.gz or .parquet, or pyarrow is missing.
    """
    if not path.name.endswith(SUFFIXES):
        raise PredAwareError(
            f"cannot write rows to {path}: its name must end in .csv, .csv.gz or .parquet"
        )
    if path.suffix == ".parquet":
        require_arrow(path)


def write_rows(frames: Iterable["pd.DataFrame"], path: Path) -> int:
    """Write DataFrames into one file, completely or not at all; return the number of rows.

    Parameters
    ----------
    frames
        DataFrames with the same columns.
    path
        The output: CSV, gzipped CSV or Parquet, according to its name.

    Raises
    ------
    PredAwareError, InputError
        The file cannot be written.
    """
    check_rows_path(path)
    rows = 0
    with written_whole(path) as file, packed(file, path) as into, ExitStack() as closing:
        writer: Any = None
        for first, frame in zip(chain([True], repeat(False)), frames, strict=False):
            rows += len(frame)
            if path.suffix != ".parquet":
                into.write(frame.to_csv(index=False, header=first, lineterminator="\n").encode())
                continue
            import pyarrow as pa
            from pyarrow.parquet import ParquetWriter

            schema = None if first else writer.schema
            table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
            if first:
                writer = closing.enter_context(ParquetWriter(into, table.schema))
            writer.write_table(table)
    return rows
