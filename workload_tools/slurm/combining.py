"""Combination of several records of one job: requeued, resized, or in several dumps."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from msgspec.structs import replace

from workload_tools.slurm.record import SlurmRecord
from workload_tools.slurm.states import UNFINISHED

SAME_RUN = "same run as in another record: overlapping dumps"
RESIZED_BEFORE = "resized while running: the next record has the whole run"
RESIZED = "resized while running: last size used for the whole run"
REQUEUED = "requeued: submission time of the last requeue used"
NUMBER_USED = "job number of an earlier job: suffix added"
EARLIER_RUN = "earlier run of a requeued job"


Run: TypeAlias = tuple[SlurmRecord, str | None]
"""A run that may become a job, and the repair made to it or ``None``."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The kept runs of one job number, and the dropped records."""

    kept: list[Run]
    dropped: list[str]
    """The reason for each dropped record."""


def combine(records: Sequence[SlurmRecord], *, each_run: bool) -> Runs:
    """Combine all records of one job number into runs.

    A resized run has one record per size. The last one has the elapsed time of the whole run, and
    the first one the submission time. A requeued job has one record per run. The last run is the
    job, as in a dump without ``--duplicates``, which shows only this run.

    Parameters
    ----------
    records
        The records with this job number, in the order of the dump.
    each_run
        True if earlier runs of a requeued job are jobs too.
    """
    runs = Runs([], [])
    jobs: dict[tuple[str | None, str | None], list[SlurmRecord]] = {}
    for record in records:
        jobs.setdefault((record.user, record.name), []).append(record)
    for nth, same in enumerate(sorted(jobs.values(), key=_first_submit)):
        _combine_one(same, runs, each_run=each_run, suffix=f":{nth + 1}" if nth else "")
    return runs


def _combine_one(records: list[SlurmRecord], runs: Runs, *, each_run: bool, suffix: str) -> None:
    ordered = _without_resizing(_once(records, runs), runs)
    for nth, (run, repaired) in enumerate(ordered, 1):
        note = repaired
        name = run.id + suffix
        if nth < len(ordered):
            if not each_run:
                runs.dropped.append(f"{EARLIER_RUN}: {run.state}")
                continue
            name += f":run{nth}"
        elif nth > 1:
            note = REQUEUED
        if suffix:
            note = NUMBER_USED
        runs.kept.append((replace(run, id=name), note))


def _first_submit(records: list[SlurmRecord]) -> float:
    return min(record.submit for record in records)


def _once(records: list[SlurmRecord], runs: Runs) -> list[SlurmRecord]:
    """Keep the last record of each run, preferably one that has ended, and sort the records."""
    latest: dict[tuple[float, str], SlurmRecord] = {}
    for record in records:
        key = (record.submit, "RESIZING" if record.state == "RESIZING" else "")
        other = latest.get(key)
        if other is not None:
            runs.dropped.append(SAME_RUN)
            if record.state in UNFINISHED and other.state not in UNFINISHED:
                continue
        latest[key] = record
    return sorted(latest.values(), key=_place)


def _place(record: SlurmRecord) -> tuple[float, float, bool]:
    start = inf if record.start is None else record.start
    return (record.submit, start, record.state != "RESIZING")


def _without_resizing(records: list[SlurmRecord], runs: Runs) -> list[Run]:
    """Merge the records of a run that was resized."""
    ordered: list[Run] = []
    first: SlurmRecord | None = None
    for record, following in zip(records, [*records[1:], None], strict=True):
        resized = record.state == "RESIZING" and following is not None
        if resized and following is not None and following.start == record.start:
            runs.dropped.append(RESIZED_BEFORE)
            first = first or record
        elif first is not None:
            whole = replace(record, submit=first.submit, eligible=first.eligible)
            ordered.append((whole, RESIZED))
            first = None
        else:
            ordered.append((record, None))
    return ordered
