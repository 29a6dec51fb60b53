"""A job as a scheduler sees it: its request, what is planned with, and what becomes of it."""

from collections.abc import Mapping
from typing import Any

from predictors import Submission
from schedulers.core.constants import BACKFILLED as BACKFILLED
from schedulers.core.constants import HEAD as HEAD
from schedulers.core.constants import NEVER
from schedulers.core.constants import QUEUE as QUEUE
from workload_tools.batsim.fields import known
from workload_tools.batsim.intervals import Intervals

_GIVEN = frozenset({"id", "submit_time", "processors", "walltime"})
_OTHERS = frozenset(Submission.__struct_fields__) - _GIVEN


class Kind:
    """What all jobs of one size and walltime share: where one of them has room, all have."""

    __slots__ = ("asked", "fits", "looked", "noted_at", "noted_by", "room")

    looked: int
    fits: bool
    asked: int
    room: float
    noted_by: Any
    noted_at: int

    def __init__(self) -> None:
        self.looked = -1
        self.fits = False
        self.asked = -1
        self.room = -NEVER
        self.noted_by = None
        self.noted_at = 0


class Job:
    """A job as a scheduler sees it; dates and durations in seconds.

    Parameters
    ----------
    id
        Its full name, such as ``w0!15``.
    submit_time, processors
        Its request.
    walltime
        The hard limit; infinite, or ``None``, without one.
    fields
        All else that the workload has, for the predictors; not what nobody knew at the submission,
        such as the wait that the log recorded.
    delay
        Its profile's run time; in a simulation alone, and only for the estimates ``actual``.

    Attributes
    ----------
    queueing, backfilling, running : float
        The estimates of its run time for the order, for the candidate, and while it runs; infinite
        without an estimate and a walltime.
    first_estimate : float
        The estimate `running` before any correction; made at the submission, or at the start, if
        the predictor's holds for less time than the job waited.
    number : int
        Counts the submissions, and breaks ties.
    started, planned_end : float
        -1 before its start.
    corrections : int
        How often its estimate was corrected.
    started_as : str
        ``head`` of the queue, from the ``queue`` on processors that nobody had reserved, or
        ``backfilled`` on reserved ones because it is estimated to end in time.
    first_promise, last_promise : float
        The first and the last start that a reservation promised it; -1 without one.
    intervals : tuple of (int, int)
        The processors that it has.
    partitions : tuple of str
        Those of the site that take it, in the order in which they are tried; empty: anywhere.
    kind : object
        The machine's own, of one that tells jobs apart by more than their size: jobs that ask for
        the same share it.
    index : int
        Its place in the workload, in a simulation alone.
    source : Submissions
        The columns of the workload that it was made of, in a simulation alone.
    run, end : float
        How long it holds its processors, and until when, in a simulation alone.
    began : int
        Counts the starts, in a simulation alone.
    key : float
        What the queue is sorted by.
    divisor : float
        The order's own, of one that computes it once; -1 before.
    alike : Kind or None
        Shared by all jobs of its size and walltime, where that is used.
    reserved_at : float
        The start of its place in a plan; -1 without one.
    """

    __slots__ = (
        "alike", "backfilling", "began", "corrections", "delay", "divisor", "end",
        "first_estimate", "first_promise", "first_seen", "id", "index", "intervals",
        "kept_estimate", "kept_fields", "kept_submission", "key", "kind", "last_promise",
        "last_seen", "late", "number", "overtaken", "partitions", "planned_end", "processors",
        "queueing", "reserved_at", "run", "running", "source", "started", "started_as",
        "submit_time", "waited", "walltime", "work",
    )  # fmt: skip

    id: str
    submit_time: float
    processors: int
    walltime: float
    delay: float | None
    number: int
    index: int
    queueing: float
    backfilling: float
    running: float
    first_estimate: float
    started: float
    planned_end: float
    run: float
    end: float
    began: int
    corrections: int
    started_as: str
    first_promise: float
    last_promise: float
    intervals: Intervals
    partitions: tuple[str, ...]
    kind: Any
    key: float
    divisor: float
    alike: Kind | None
    reserved_at: float
    waited: bool
    late: bool
    overtaken: float
    work: float
    first_seen: int
    last_seen: int
    kept_estimate: float
    kept_fields: Mapping[str, Any] | None
    kept_submission: Submission | None
    source: Any

    def __init__(  # noqa: PLR0913 - what a job has
        self,
        id: str,  # noqa: A002 - as a workload calls it
        submit_time: float,
        processors: int,
        walltime: float | None = None,
        fields: Mapping[str, Any] | None = None,
        delay: float | None = None,
        *,
        queueing: float = 0.0,
        backfilling: float = 0.0,
        running: float = 0.0,
        number: int = 0,
        started: float = -1.0,
        planned_end: float = -1.0,
        corrections: int = 0,
        first_estimate: float = 0.0,
        partitions: tuple[str, ...] = (),
    ) -> None:
        self.id = id
        self.submit_time = submit_time
        self.processors = processors
        self.walltime = NEVER if walltime is None else walltime
        self.delay = delay
        self.number = number
        self.index = -1
        self.queueing = queueing
        self.backfilling = backfilling
        self.running = running
        self.first_estimate = first_estimate
        self.started = started
        self.planned_end = planned_end
        self.run = -1.0
        self.end = -1.0
        self.began = 0
        self.corrections = corrections
        self.started_as = HEAD
        self.first_promise = -1.0
        self.last_promise = -1.0
        self.intervals = ()
        self.partitions = partitions
        self.kind = None
        self.key = 0.0
        self.divisor = -1.0
        self.alike = None
        self.reserved_at = -1.0
        self.waited = False
        self.late = False
        self.overtaken = 0.0
        self.work = 0.0
        self.first_seen = -1
        self.last_seen = -1
        self.kept_estimate = -1.0
        self.kept_fields = fields
        self.kept_submission = None
        self.source = None

    def promise(self, start: float) -> None:
        """Note the start that a reservation promises, in seconds; infinite, it promises none."""
        if start == NEVER:
            return
        if self.first_promise < 0.0:
            self.first_promise = start
        self.last_promise = start

    @property
    def fields(self) -> Mapping[str, Any] | None:
        """All else that the workload has; ``None`` where nobody looks at it."""
        if self.kept_fields is None and self.source is not None:
            self.kept_fields = self.source.fields(self.index)
        return self.kept_fields

    @fields.setter
    def fields(self, fields: Mapping[str, Any] | None) -> None:
        """Set it, as a site gives a job what it did not ask for."""
        self.kept_fields = fields

    @property
    def waiting_since(self) -> float:
        """When it could run by itself, in seconds, where the log says it; else its submission."""
        told = (self.fields or {}).get("eligible_time")
        return float(told) if isinstance(told, int | float) else self.submit_time

    @property
    def submission(self) -> Submission:
        """The job as predictors see it."""
        if self.kept_submission is None and self.kept_fields is None and self.source is not None:
            self.kept_submission = self.source.submission(self)
        if self.kept_submission is None:
            self.kept_submission = submission_of(self)
        return self.kept_submission


def submission_of(job: Job) -> Submission:
    """Return the record that predictors see, of the fields of a Batsim workload.

    A field that is missing, or is not what it should be, is ``None``.

    Examples
    --------
    >>> job = Job("w0!1", 0.0, 4, 60.0, fields={"user_id": 7, "mem": 2.5, "node": 1})
    >>> submission = submission_of(job)
    >>> submission.user, submission.memory, submission.nodes, submission.queue
    ('7', 2.5, 1, None)
    """
    return Submission(
        id=job.id,
        submit_time=job.submit_time,
        processors=job.processors,
        walltime=None if job.walltime == NEVER else job.walltime,
        **known(job.fields or {}, _OTHERS),
    )


def by_number(job: Job) -> int:
    """Return what jobs are sorted by that are to stand as they were submitted."""
    return job.number


def by_key(job: Job) -> float:
    """Return what a queue is sorted by."""
    return job.key


def place_of(queue: list[Job], job: Job) -> int:
    """Return a waiting job's place in a queue, most often by halves: jobs wait as submitted."""
    low, high = 0, len(queue)
    while low < high:
        middle = (low + high) >> 1
        other = queue[middle]
        if other.number < job.number:
            low = middle + 1
        else:
            high = middle
    if low < len(queue) and queue[low] is job:
        return low
    return queue.index(job)


def take_out(queue: list[Job], jobs: list[Job]) -> None:
    """Remove jobs from a queue."""
    for job in jobs:
        del queue[place_of(queue, job)]
