"""The event loop of a simulation in which messages take no time."""

from array import array
from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from typing import Any

from predictors import Submission
from schedulers.core.constants import HEAD, NEVER
from schedulers.core.job import Job
from schedulers.core.scheduler import Scheduler
from workload_tools.batsim.end_date import end_date
from workload_tools.batsim.intervals import Intervals

PROGRESS_EVERY = 500
"""Progress is reported after this many finished jobs."""


class Submissions:
    """The jobs of a workload as columns. `make` creates a `Job` object when a job is submitted.

    All columns are in the order of the workload. `ids` are full names. Times are in seconds, and a
    missing walltime is infinite. `delays` are the run times in the profiles. `runs` say how long
    the jobs hold their processors. `fields` returns the other fields of the job with a given index.
    `known` returns the further columns that predictors see, under the field names of `Submission`.
    It returns ``None`` if these values must be read from the fields.
    """

    def __init__(  # noqa: PLR0913 - the columns of a workload
        self,
        ids: list[str],
        submit_times: "array[float]",
        processors: "array[int]",
        walltimes: "array[float]",
        delays: "array[float]",
        runs: "array[float]",
        *,
        fields: Callable[[int], Mapping[str, Any]],
        known: Callable[[], Mapping[str, list[Any]] | None],
    ) -> None:
        self.ids = ids
        self.submit_times = submit_times
        self.processors = processors
        self.walltimes = walltimes
        self.delays = delays
        self.runs = runs
        self.fields = fields
        # called when a predictor first looks at a job
        self._known: Callable[[], Mapping[str, list[Any]] | None] | None = known
        self._columns: list[tuple[str, list[Any]]] | None = None
        # indices sorted by submission; equal dates keep the order of the workload
        dates = submit_times.tolist()
        self.by_date = array("q", sorted(range(len(dates)), key=dates.__getitem__))

    def make(self, place: int) -> Job:
        """Return the job with this index in the workload."""
        job = Job.__new__(Job)
        job.id = self.ids[place]
        job.submit_time = self.submit_times[place]
        job.processors = self.processors[place]
        job.walltime = self.walltimes[place]
        job.delay = self.delays[place]
        job.run = self.runs[place]
        job.index = place
        job.source = self
        job.kept_fields = job.kept_submission = job.kind = job.alike = None
        job.intervals = job.partitions = ()
        job.started_as = HEAD
        job.started = job.planned_end = job.end = -1.0
        job.first_promise = job.last_promise = job.reserved_at = -1.0
        job.kept_estimate = job.divisor = -1.0
        job.corrections = 0
        job.waited = job.late = False
        job.overtaken = job.work = 0.0
        job.first_seen = job.last_seen = -1
        return job

    def submission(self, job: Job) -> Submission | None:
        """Return a job as predictors see it, or ``None`` if its fields must be read instead."""
        if self._known is not None:
            known = self._known()
            self._known = None
            self._columns = None if known is None else [*known.items()]
        if self._columns is None:
            return None
        values: dict[str, Any] = {
            "id": job.id,
            "submit_time": job.submit_time,
            "processors": job.processors,
            "walltime": None if job.walltime == NEVER else job.walltime,
        }
        for name, column in self._columns:
            values[name] = column[job.index]
        return Submission(**values)


class Schedule:
    """The result of a simulation: columns of shape (jobs,), in the order of the workload.

    Dates and estimates are in seconds. -1 stands for a missing date.

    - `start`, `end`: the dates of the start and of the end.
    - `first_estimate`, `last_estimate`: the first and the last value of the estimate `Job.running`.
    - `first_promise`, `last_promise`: the first and last planned start that a reservation gave the
      job.
    - `corrections`: how often an estimate was corrected.
    - `started_as`: see `Job`. Empty if the job never ran.
    - `intervals`: the processors of each job. Empty if the job never ran.
    - `over`: the indices of ended and refused jobs, in the order of these events.
    - `ended`: the number of valid entries of `over`.
    - `changes`: starts and ends in the order of time, of shape (2 x jobs,). A start is the job's
      index. An end is ``~index``.
    - `changed`: the number of valid entries of `changes`.
    - `refused`: the indices of the refused jobs, with the reasons.
    - `last_date`: the date of the last event.
    """

    def __init__(self, jobs: int) -> None:
        none, zero = array("d", [-1.0]), array("q", [0])
        self.start = none * jobs
        self.end = none * jobs
        self.first_estimate = none * jobs
        self.last_estimate = none * jobs
        self.first_promise = none * jobs
        self.last_promise = none * jobs
        self.corrections = zero * jobs
        self.started_as = [""] * jobs
        self.intervals: list[Intervals] = [()] * jobs
        self.over = zero * jobs
        self.ended = 0
        self.changes = zero * (2 * jobs)
        self.changed = 0
        self.refused: list[tuple[int, str]] = []
        self.last_date = 0.0

    def note_over(self, place: int) -> None:
        """Record that the job with this index has ended or was refused."""
        self.over[self.ended] = place
        self.ended += 1

    def note_change(self, change: int) -> None:
        """Record a start (the job's index) or an end (``~index``)."""
        self.changes[self.changed] = change
        self.changed += 1


class Ends:
    """A heap of the running jobs, sorted by end. Equal ends are sorted by start."""

    __slots__ = ("heap",)

    def __init__(self) -> None:
        self.heap: list[Job] = []

    def first(self) -> float:
        """Return the earliest end in seconds, or infinity if no job runs."""
        heap = self.heap
        if not heap:
            return NEVER
        job = heap[0]
        return job.end

    def add(self, job: Job) -> None:
        """Add a job whose `end` and `began` are set."""
        heap = self.heap
        heap.append(job)
        child = len(heap) - 1
        while child > 0:
            parent = (child - 1) >> 1
            above = heap[parent]
            if above.end < job.end or (above.end == job.end and above.began < job.began):
                break
            heap[child] = above
            child = parent
        heap[child] = job

    def pop(self) -> Job:
        """Remove and return the job that ends first."""
        heap = self.heap
        first = heap[0]
        job = heap.pop()
        count = len(heap)
        if not count:
            return first
        place = 0
        while True:
            child = 2 * place + 1
            if child >= count:
                break
            below = heap[child]
            if child + 1 < count:
                other = heap[child + 1]
                if other.end < below.end or (other.end == below.end and other.began < below.began):
                    child += 1
                    below = other
            if job.end < below.end or (job.end == below.end and job.began < below.began):
                break
            heap[place] = below
            place = child
        heap[place] = job
        return first


class Loop:
    """Simulates the jobs until no event is left.

    All events of one date are handled before the scheduler decides. Ends come first, sorted by
    start. Then come submissions, in the order of the workload.

    The machine of the scheduler must be idle. The loop calls `progress` with the number of finished
    jobs after about every `PROGRESS_EVERY` of them.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        submissions: Submissions,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.submissions = submissions
        self.progress = progress
        self.schedule = Schedule(len(submissions.submit_times))
        self.ends = Ends()
        self.calls: list[float] = []
        self.starts = 0
        self.reported = 0

    def run(self) -> Schedule:
        """Simulate all jobs and return the schedule."""
        scheduler, ends, calls = self.scheduler, self.ends, self.calls
        order = self.submissions.by_date
        dates = self.submissions.submit_times
        following, count = 0, len(order)
        coming = dates[order[0]] if count else NEVER
        while True:
            now = ends.first()
            if coming < now:
                now = coming
            if calls and calls[0] < now:
                now = calls[0]
            if now == NEVER:
                return self.schedule
            self.schedule.last_date = now
            while ends.first() == now:
                job = ends.pop()
                scheduler.end(job, now)
                self.note_end(job, now)
            while calls and calls[0] == now:
                heappop(calls)
            if coming == now:
                new: list[Job] = []
                while coming == now:
                    new.append(self.submissions.make(order[following]))
                    following += 1
                    coming = dates[order[following]] if following < count else NEVER
                scheduler.submit(new, now)
            for job in scheduler.choose(now):
                self.start(job, now)
            if scheduler.refused:
                self.note_refusals()
            if scheduler.calls:
                for at in scheduler.calls:
                    heappush(calls, float(at))
                scheduler.calls.clear()

    def start(self, job: Job, now: float) -> None:
        """Start a job, and record its start, estimate and planned starts."""
        self.starts += 1
        job.began = self.starts
        job.end = now + job.run
        self.ends.add(job)
        schedule, place = self.schedule, job.index
        schedule.start[place] = now
        schedule.first_estimate[place] = job.first_estimate
        schedule.first_promise[place] = job.first_promise
        schedule.last_promise[place] = job.last_promise
        schedule.started_as[place] = job.started_as
        schedule.intervals[place] = job.intervals
        schedule.note_change(place)

    def note_end(self, job: Job, now: float) -> None:
        """Record that a job has ended."""
        schedule, place = self.schedule, job.index
        schedule.end[place] = now if now > job.started else end_date(job.started, now)
        schedule.last_estimate[place] = job.running
        schedule.corrections[place] = job.corrections
        schedule.note_over(place)
        schedule.note_change(~place)
        self.report()

    def note_refusals(self) -> None:
        """Record the jobs that can never run."""
        for job, why in self.scheduler.refused:
            self.schedule.note_over(job.index)
            self.schedule.refused.append((job.index, why))
        self.scheduler.refused.clear()
        self.report()

    def report(self) -> None:
        """Report the progress if enough jobs have finished since the last report."""
        over = self.schedule.ended
        if self.progress is not None and over >= self.reported + PROGRESS_EVERY:
            self.reported = over
            self.progress(over)
