"""Several records of one job: requeued, resized, or in more than one of the dumps put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from msgspec.structs import replace

from workload_tools.slurm.record import SlurmRecord
from workload_tools.slurm.states import UNFINISHED

SAME_RUN = "the same run is in another record: dumps that overlap"
RESIZED_BEFORE = "resized while it ran: the record after it has the whole run"
RESIZED = "resized while it ran: its last size taken for the whole run"
REQUEUED = "requeued: the date of submission is that of the last requeue"
NUMBER_USED = "job number used before by another job: a suffix added"
EARLIER_RUN = "earlier run of a requeued job"


Run: TypeAlias = tuple[SlurmRecord, str | None]
"""A run that may become a job, and what was repaired or ``None``."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What became of the records of one job number."""

    kept: list[Run]
    dropped: list[str]
    """The reason for each record that is left out."""


def combine(records: Sequence[SlurmRecord], *, each_run: bool) -> Runs:
    """Make the runs of a job of all of its records.

    A run that was resized has a record for each size; the last one has the elapsed time of the
    whole run, the first one has the date of submission. What was requeued has a record for each
    run. The last run is the job, as in a dump without ``--duplicates``, which shows no other.

    Parameters
    ----------
    records
        Those with one job number, in the order of the dump.
    each_run
        Whether an earlier run of a requeued job is a job, too.
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
    """Leave one record of each run, in their order; the one that knows the end, or the later."""
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
    """Put the records of one run that was resized together."""
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
