"""The published outputs of paper 001's four runs, and the workload that is rebuilt from them."""

import csv
import gzip
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

from pred_aware.errors import PredAwareError
from workload_tools import written_whole

MACHINES: Mapping[str, int] = {"small": 512, "big": 15680}
"""Processors of the paper's machines, by the word that their files' or folders' names have."""
SCHEDULERS = ("easy_bf", "pred_aware")
_NAME = re.compile(rf"out_jobs_({'|'.join(SCHEDULERS)})\.csv(\.gz)?$")

Outputs = Mapping[tuple[int, str], Path]
"""The table of jobs of each run, by processors and scheduler."""


def published_in(places: Iterable[Path]) -> Outputs:
    """Look for the outputs of all four runs in folders, and in the authors' folders in these.

    Returns
    -------
    mapping
        Nothing where one of them is missing.
    """
    found: dict[tuple[int, str], Path] = {}
    for file in _tables(places):
        named = _NAME.search(file.name)
        where = f"{file.parent.name}/{file.name}".lower()
        size = next((size for word, size in MACHINES.items() if word in where), None)
        if named is not None and size is not None and _schedule_of(file).is_file():
            found.setdefault((size, named[1]), file)
    return found if len(found) == len(MACHINES) * len(SCHEDULERS) else {}


def _tables(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(place.glob("*out_jobs_*"))
            yield from sorted(place.glob("* Platform/out_jobs_*"))


def _schedule_of(table: Path) -> Path:
    return table.with_name(table.name.replace("out_jobs_", "out_schedule_"))


def figures_of(table: Path, names: Collection[str]) -> dict[str, float]:
    """Return figures that Batsim wrote of a whole run beside its table of jobs.

    Raises
    ------
    PredAwareError
        They cannot be read.
    """
    (row, *_) = _rows(_schedule_of(table), names)
    return row


def rebuild(table: Path, to: Path) -> None:
    """Write the Batsim workload of a run: submission, size, walltime, run time and profile.

    All that a published output tells of a job's submission; users, qos, memory, nodes and GPUs,
    from which the paper's tree predicted, are not in it.

    Raises
    ------
    PredAwareError, InputError
        The table cannot be read, or the workload not be written.
    """
    rows = sorted(_rows(table, _NUMBERS, _TEXTS), key=itemgetter("job_id"))
    jobs = [
        {
            "id": int(row["job_id"]),
            "subtime": row["submission_time"],
            "res": int(row["requested_number_of_resources"]),
            "profile": row["profile"],
            "walltime": row["requested_time"],
        }
        for row in rows
    ]
    profiles = {row["profile"]: {"type": "delay", "delay": row["execution_time"]} for row in rows}
    content = {"nb_res": MACHINES["small"], "jobs": jobs, "profiles": profiles}
    with written_whole(to) as file:
        file.write(json.dumps(content).encode())


_NUMBERS = (
    "job_id", "submission_time", "requested_number_of_resources", "requested_time",
    "execution_time",
)  # fmt: skip
_TEXTS = ("profile",)


def _rows(
    path: Path, numbers: Collection[str], texts: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return some columns of a table, at least a row of it."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
        rows = [
            {name: float(row[name]) for name in numbers} | {name: row[name] for name in texts}
            for row in csv.DictReader(io.StringIO(text))
        ]
    except KeyError as error:
        raise PredAwareError(
            f"{path}: is no table of Batsim's: it has no column {error}"
        ) from error
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise PredAwareError(f"{path}: cannot be read: {error}") from error
    if not rows:
        raise PredAwareError(f"{path}: has no row")
    return rows
