"""Records of Slurm's accounting, and their combination to runs of jobs."""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from workload_tools.slurm.requested import NOTHING, Requested
from workload_tools.slurm.states import UNFINISHED


class SlurmRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One accounting record: a run of a job. Unknown values are ``None``."""

    id: str
    """The job's number. If the file lacks JobIDRaw, the form with array and task: ``178_0``."""
    key: int
    """A number that is equal in all records of this job, and unique to the job in the file."""
    state: str
    """Full name of the state in capitals, without the user who cancelled the job."""
    submit: float
    eligible: float | None = None
    start: float | None = None
    end: float | None = None
    """Dates in Unix seconds. For a run that never started, `start` is ``None``."""
    elapsed: float | None = None
    """Run time in seconds, without suspensions."""
    limit: float | None = None
    """Time limit in seconds; ``None`` if unknown or unlimited.

    If a bridge (see `noted_limits`) replaced the limit, this is the limit that the user requested.
    """
    requested_cpus: int | None = None
    allocated_cpus: int | None = None
    nodes: int | None = None
    gpus: int | None = None
    """`nodes` is the allocated number (`requested` has the requested one); `gpus` is requested."""
    memory: float | None = None
    """Memory requested for the whole job, in GiB."""
    requested: Requested = NOTHING
    user: str | None = None
    group: str | None = None
    account: str | None = None
    cluster: str | None = None
    partition: str | None = None
    qos: str | None = None
    name: str | None = None
    array: str | None = None
    """The number of the job array, if the job is a task of an array."""
    node_list: str | None = None
    """Names of the allocated nodes in Slurm's short form."""
    doubts: tuple[str, ...] = ()
    """Messages about doubtful dates and invalid optional fields, for the report."""
    predicted: float | None = None
    """Estimate of the prediction service at the submission, in seconds; ``None`` without one."""
    bridged: bool = False
    """True if a bridge (see `noted_limits`) replaced the recorded limit."""


class Unread(msgspec.Struct, frozen=True, gc=False):
    """A record that does not become a job."""

    reason: str
    """Why the record does not become a job; the report counts such records by reason."""
    text: str = ""
    """The invalid text; empty for a valid record, such as the record of a job step."""


STEP = Unread("a step, not a job")


SAME_RUN = "same run as in another record: overlapping dumps"
RESIZED_BEFORE = "resized while running: the next record has the whole run"
RESIZED = "resized while running: last size used for the whole run"
REQUEUED = "requeued: submission time of the last requeue used"
NUMBER_USED = "job number of an earlier job: suffix added"
EARLIER_RUN = "earlier run of a requeued job"


Run: TypeAlias = tuple[SlurmRecord, str | None]
"""A run that may become a job, and the reason of a repair of the run, or ``None``."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The kept runs of one job number, and the reasons of its dropped records."""

    kept: list[Run]
    dropped: list[str]
    """The reason for each dropped record."""


def combine(records: Sequence[SlurmRecord], *, each_run: bool) -> Runs:
    """Combine all records of one job number into runs.

    If a run was resized, it has one record per size. The last of these records contains the elapsed
    time of the whole run, and the first contains the submission time. A requeued job has one record
    per run. Its last run becomes the job. (Without ``--duplicates``, sacct shows only this run.)

    Parameters
    ----------
    records
        The records with this job number, in the order of the file.
    each_run
        If True, earlier runs of a requeued job become jobs too.
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
    """Return the last record of each run, sorted. A record of an ended run has priority."""
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
    """Return the runs, after merging the records of runs that were resized."""
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


@dataclass(slots=True)
class Survey:
    """Facts that a first pass through the file collects. They need eight bytes per job."""

    records: int = 0
    jobs: int = 0
    """Number of all records, and number of records without those of job steps."""
    keys: "array[int]" = field(default_factory=lambda: array("q"))
    """The key (`SlurmRecord.key`) of each record of a job."""
    clusters: Counter[str] = field(default_factory=Counter)
    """Number of records of each cluster."""
    array_limits: dict[str, int] = field(default_factory=dict)
    """Largest number of simultaneous tasks of each job array, by the array's number."""
    has_gpus: bool = False
    """True if any record has GPUs.

    If no record has GPUs, perhaps the site does not count GPUs. Then a job's GPUs are unknown.
    """

    def repeated(self) -> dict[int, int]:
        """Return the number of records of each job that has several, by the job's key.

        Examples
        --------
        >>> Survey(keys=array("q", [7, 5, 7])).repeated()
        {7: 2}
        """
        import numpy as np

        keys = np.frombuffer(self.keys, dtype=np.int64) if self.keys else np.empty(0, np.int64)
        keys = np.sort(keys)
        again = np.unique(keys[1:][keys[1:] == keys[:-1]])
        first = np.searchsorted(keys, again, side="left")
        last = np.searchsorted(keys, again, side="right")
        return dict(zip(again.tolist(), (last - first).tolist(), strict=True))
