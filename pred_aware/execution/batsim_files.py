"""The output files of a run, ours or the real Batsim's, as the simulator's own figures."""

import csv
from collections.abc import Iterator
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.simulator.ended_jobs import EndedJobs
from workload_tools.batsim.intervals import parse_intervals


def read_schedule(path: Path) -> dict[str, float | int | str]:
    """Read ``_schedule.csv``: its columns by name, numbers as such.

    Raises
    ------
    PredAwareError
        The file can't be read or has no row.
    """
    row = next(_rows(path), None)
    if row is None:
        raise PredAwareError(f"{path}: no row in it; Batsim writes one at the end of a simulation")
    return {name: _value(name, text) for name, text in row.items()}


def _value(name: str, text: str) -> float | int | str:
    if name.endswith("version"):
        return text
    try:
        return int(text) if name.startswith("nb_") else float(text)
    except ValueError:
        return text


def read_past(path: Path) -> EndedJobs:
    """Read what ran from ``_jobs.csv``.

    Raises
    ------
    PredAwareError
        The file can't be read, lacks a column or has a field that is not what it should be.
    """
    past = EndedJobs()
    for line, row in enumerate(_rows(path), start=2):
        try:
            if row["final_state"] == "REJECTED":
                past.rejected += 1
                continue
            past.successful += row["final_state"] == "COMPLETED_SUCCESSFULLY"
            intervals = parse_intervals(row["allocated_resources"])
            past.submit.append(float(row["submission_time"]))
            past.start.append(float(row["starting_time"]))
            past.end.append(float(row["finish_time"]))
            past.sizes.append(sum(last - first + 1 for first, last in intervals))
            past.intervals.append(intervals)
        except (KeyError, TypeError, ValueError) as error:
            raise PredAwareError(f"{path}:{line}: not a row of a jobs file: {error}") from error
    return past


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
    except OSError as error:
        raise PredAwareError(f"{path}: can't be read: {error.strerror or error}") from error
