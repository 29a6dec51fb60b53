"""The event loop of a simulation in which messages take no time."""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from typing import Any

from schedulers.core.constants import HEAD, NEVER
from schedulers.core.job import Job
from schedulers.core.scheduler import Scheduler
from workload_tools.batsim.end_date import end_date
from workload_tools.batsim.intervals import Intervals

PROGRESS_EVERY = 500
"""The number of jobs that are over from one report of the progress to the next."""


class Submissions:
    """The jobs of a workload in columns, of which each is made when it is submitted.

    Parameters
    ----------
    ids
        Full names, in the order of the workload, as all columns.
    submit_times, walltimes, delays, runs
        In seconds: walltimes are infinite without one, delays are the run times of the profiles,
        and runs are for how long jobs hold their processors.
    processors
        How many each asks for.
    fields
        Returns all else that the workload has of the job at a place.
    """

    def __init__(
        self,
        ids: list[str],
        submit_times: list[float],
        processors: list[int],
        walltimes: list[float],
        delays: list[float],
        runs: list[float],
        fields: Callable[[int], Mapping[str, Any]],
    ) -> None:
        self.ids = ids
        self.submit_times = submit_times
        self.processors = processors
        self.walltimes = walltimes
        self.delays = delays
        self.runs = runs
        self.fields = fields
        # the places of the jobs by their submission, equal ones as in the workload
        self.by_date = sorted(range(len(submit_times)), key=submit_times.__getitem__)

    def make(self, place: int) -> Job:
        """Make the job at a place of the workload."""
        job = Job.__new__(Job)
        job.id = self.ids[place]
        job.submit_time = self.submit_times[place]
        job.processors = self.processors[place]
        job.walltime = self.walltimes[place]
        job.delay = self.delays[place]
        job.run = self.runs[place]
        job.index = place
        job.field_reader = self.fields
        job.kept_fields = job.kept_submission = job.kind = job.alike = None
        job.intervals = job.partitions = ()
        job.started_as = HEAD
        job.started = job.planned_end = job.end = -1.0
        job.first_promise = job.last_promise = job.reserved_at = job.kept_estimate = -1.0
        job.corrections = 0
        job.waited = job.late = False
        job.overtaken = job.work = 0.0
        job.first_seen = job.last_seen = -1
        return job


class Schedule:
    """What became of the jobs of a workload; lists of shape (jobs,), in its order.

    Dates and estimates are in seconds; -1 stands for a date that there is none of.

    Attributes
    ----------
    start, end : list of float
    first_estimate, last_estimate : list of float
        Of the run time, while a job runs.
    first_promise, last_promise : list of float
        The starts that reservations promised.
    corrections : list of int
        How often an estimate was corrected.
    started_as : list of str
        See `Job`; empty for one that never ran.
    intervals : list of tuple
        The processors of each job; none of one that never ran.
    over : list of int
        The places of the jobs that have ended or were refused, in that order.
    changes : list of int
        The starts (a place) and the ends (the complement of a place) in their order.
    refused : list of (int, str)
        The places of the jobs that were refused, and why.
    last_date : float
        That of the last event.
    """

    start: list[float]
    end: list[float]
    first_estimate: list[float]
    last_estimate: list[float]
    first_promise: list[float]
    last_promise: list[float]
    corrections: list[int]
    started_as: list[str]
    intervals: list[Intervals]
    over: list[int]
    changes: list[int]
    refused: list[tuple[int, str]]
    last_date: float

    def __init__(self, jobs: int) -> None:
        self.start = [-1.0] * jobs
        self.end = [-1.0] * jobs
        self.first_estimate = [-1.0] * jobs
        self.last_estimate = [-1.0] * jobs
        self.first_promise = [-1.0] * jobs
        self.last_promise = [-1.0] * jobs
        self.corrections = [0] * jobs
        self.started_as = [""] * jobs
        self.intervals = [()] * jobs
        self.over = []
        self.changes = []
        self.refused = []
        self.last_date = 0.0


class Ends:
    """The running jobs by their ends; those of one date as they were started. A heap."""

    __slots__ = ("heap",)

    heap: list[Job]

    def __init__(self) -> None:
        self.heap = []

    def first(self) -> float:
        """Return the first end, infinite without any, in seconds."""
        heap = self.heap
        if not heap:
            return NEVER
        job = heap[0]
        return job.end

    def add(self, job: Job) -> None:
        """Add a job with its `end`, and `began`, which counts the starts."""
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
    """Simulates jobs to the end, or until nothing happens any more.

    Everything that happens at one date counts together: the ends first, by when the jobs were
    started, then the submissions, in the order of the workload.

    Parameters
    ----------
    scheduler
        Who decides; on an idle machine.
    submissions
        The jobs.
    progress
        Called now and then with the number of jobs that are over.
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
        """Simulate, and return what became of the jobs."""
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
        """Let a job run, and note how it was planned."""
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
        schedule.changes.append(place)

    def note_end(self, job: Job, now: float) -> None:
        """Note a job that has ended."""
        schedule, place = self.schedule, job.index
        schedule.end[place] = now if now > job.started else end_date(job.started, now)
        schedule.last_estimate[place] = job.running
        schedule.corrections[place] = job.corrections
        schedule.over.append(place)
        schedule.changes.append(~place)
        self.report()

    def note_refusals(self) -> None:
        """Note the jobs that can never run."""
        for job, why in self.scheduler.refused:
            self.schedule.over.append(job.index)
            self.schedule.refused.append((job.index, why))
        self.scheduler.refused.clear()
        self.report()

    def report(self) -> None:
        """Tell now and then how many jobs are over."""
        over = len(self.schedule.over)
        if self.progress is not None and over >= self.reported + PROGRESS_EVERY:
            self.reported = over
            self.progress(over)
