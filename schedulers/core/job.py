"""A job as a scheduler sees it (request, estimates, state), and the plan of the running jobs."""

from collections.abc import Mapping
from operator import attrgetter
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
    """What a rule remembers about all jobs of one size and walltime.

    - `fits`: whether such a job fits now, as found by the rule's check with the number `looked`.
    - `room`: the earliest start of such a job, in seconds. The check with the number `room_at`
      found it; or the availability `noted_by`, when its count of freed processors was `noted_at`.
    """

    __slots__ = ("fits", "looked", "noted_at", "noted_by", "room", "room_at")

    def __init__(self) -> None:
        self.looked = -1
        self.fits = False
        self.room_at = -1
        self.room = -NEVER
        self.noted_by: Any = None
        self.noted_at = 0


class Job:
    """A job as a scheduler sees it; dates and durations in seconds.

    - `id`: the full name, such as ``w0!15``.
    - `submit_time`, `processors`: the submission date and the requested processors.
    - `walltime`: the hard limit. Infinity or ``None`` means no limit.
    - `fields`: the other fields of the workload, for predictors. Values that are unknown at the
      submission, such as the recorded wait, are left out.
    - `delay`: the run time in the job's profile. Only simulations know this value; the estimates
      ``actual`` use it.

    The scheduler sets the job's state:

    - `queueing`, `backfilling`, `running`: the estimates of the run time for sorting the queue, for
      backfilling, and while the job runs. They are infinite if the job has neither an estimate nor
      a walltime.
    - `first_estimate`: the value of `running` before any correction. The scheduler makes it at the
      submission, or at the start if the job waited longer than the predictor's `valid_for`.
    - `number`: 1 for the first submitted job, 2 for the next one. Ties go to the lower number.
    - `started`, `planned_end`: the dates of the start and of the planned end; -1 before the start.
    - `corrections`: how often the estimate was corrected.
    - `started_as`: ``head``: the job started as the first of the queue. ``queue``: it overtook
      other jobs, on processors that were not reserved. ``backfilled``: it overtook other jobs on
      reserved processors, because its estimated end comes before the reservation.
    - `first_promise`, `last_promise`: the first and the last planned start that a reservation gave
      the job; -1 without a reservation.
    - `intervals`: the job's processors.
    - `partitions`: the site's partitions that accept the job, in the order in which the scheduler
      tries them. Empty: any partition.
    - `kind`: an object that jobs with equal requests share. Only machines that distinguish jobs by
      more than their size set it.
    - `index`: the job's index in the workload (simulations only).
    - `source`: the columns of the workload (simulations only).
    - `run`, `end`: how long the job holds its processors, and until when (simulations only).
    - `began`: 1 for the job that started first, 2 for the next one (simulations only).
    - `key`: the sort key in the queue.
    - `divisor`: a value that an order computes once for each job; -1 before.
    - `alike`: the `Kind` that all jobs of this size and walltime share; ``None`` until a rule uses
      it.
    - `reserved_at`: the planned start of the job's reservation; -1 without a reservation.
    """

    __slots__ = (
        "alike", "backfilling", "began", "corrections", "delay", "divisor", "end",
        "first_estimate", "first_promise", "first_seen", "id", "index", "intervals",
        "kept_estimate", "kept_fields", "kept_submission", "key", "kind", "last_promise",
        "last_seen", "late", "number", "overtaken", "partitions", "planned_end", "processors",
        "queueing", "reserved_at", "run", "running", "source", "started", "started_as",
        "submit_time", "waited", "walltime", "work",
    )  # fmt: skip

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
        self.intervals: Intervals = ()
        self.partitions = partitions
        self.kind: Any = None
        self.key = 0.0
        self.divisor = -1.0
        self.alike: Kind | None = None
        self.reserved_at = -1.0
        self.waited = False
        self.late = False
        self.overtaken = 0.0
        self.work = 0.0
        self.first_seen = -1
        self.last_seen = -1
        self.kept_estimate = -1.0
        self.kept_fields = fields
        self.kept_submission: Submission | None = None
        self.source: Any = None

    def promise(self, start: float) -> None:
        """Record the planned start of a reservation, in seconds. Ignore an infinite one."""
        if start == NEVER:
            return
        if self.first_promise < 0.0:
            self.first_promise = start
        self.last_promise = start

    @property
    def fields(self) -> Mapping[str, Any] | None:
        """The other fields of the workload; ``None`` if no part of the scheduler uses them."""
        if self.kept_fields is None and self.source is not None:
            self.kept_fields = self.source.fields(self.index)
        return self.kept_fields

    @fields.setter
    def fields(self, fields: Mapping[str, Any] | None) -> None:
        """Replace the fields, for example when a site sets defaults."""
        self.kept_fields = fields

    @property
    def waiting_since(self) -> float:
        """The eligible time in seconds if the log has it, else the submission time."""
        eligible = (self.fields or {}).get("eligible_time")
        return float(eligible) if isinstance(eligible, int | float) else self.submit_time

    @property
    def submission(self) -> Submission:
        """The job as predictors see it."""
        if self.kept_submission is None and self.kept_fields is None and self.source is not None:
            self.kept_submission = self.source.submission(self)
        if self.kept_submission is None:
            self.kept_submission = submission_of(self)
        return self.kept_submission


def submission_of(job: Job) -> Submission:
    """Return a job of a Batsim workload as predictors see it.

    A field that is missing or has a wrong type is ``None``.

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


by_number, by_key = attrgetter("number"), attrgetter("key")
"""Sort keys for jobs: by submission, and by the queue's order."""


def place_of(queue: list[Job], job: Job) -> int:
    """Return a job's index in a queue: by binary search if the queue is sorted by submission."""
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


class Plan:
    """The running jobs, sorted by planned end and then by number."""

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def place(self, job: Job) -> int:
        """Return the index of a job, or the index at which to insert it."""
        jobs = self.jobs
        low, high = 0, len(jobs)
        while low < high:
            middle = (low + high) >> 1
            other = jobs[middle]
            if other.planned_end < job.planned_end or (
                other.planned_end == job.planned_end and other.number < job.number
            ):
                low = middle + 1
            else:
                high = middle
        return low

    def add(self, job: Job) -> None:
        """Add a job with its `planned_end`."""
        self.jobs.insert(self.place(job), job)

    def remove(self, job: Job) -> None:
        """Remove a job whose `planned_end` has not changed since the job was added."""
        del self.jobs[self.place(job)]

    def start(self, job: Job, now: float) -> None:
        """Set the `planned_end` of a job that starts now, and add the job."""
        job.planned_end = now + job.running
        self.jobs.insert(self.place(job), job)
