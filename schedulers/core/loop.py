"""The event loop of a simulation in which messages take no time."""

from array import array
from collections.abc import Callable
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from schedulers.core.scheduler import Scheduler
from schedulers.job import Job
from schedulers.machine.machine import NEVER
from workload_tools.batsim.end_date import end_date

if TYPE_CHECKING:
    from workload_tools.batsim.intervals import Intervals

PROGRESS_EVERY = 500
"""The number of jobs that are over from one report of the progress to the next."""


class Schedule:
    """What became of the jobs of a workload; arrays of shape (jobs,), in its order.

    Dates and estimates are in seconds; -1 stands for a date that there is none of.
    """

    def __init__(self, jobs: int) -> None:
        nothing = array("d", [-1.0]) * jobs
        self.start = nothing[:]
        self.end = nothing[:]
        self.first_estimate = nothing[:]
        self.last_estimate = nothing[:]
        self.first_promise = nothing[:]
        self.last_promise = nothing[:]
        self.corrections = array("q", [0]) * jobs
        self.started_as: list[str] = [""] * jobs
        self.intervals: list[Intervals] = [()] * jobs
        """The processors of each job; none of one that never ran."""
        self.over = array("q")
        """The places of the jobs that have ended or were refused, in that order."""
        self.changes = array("q")
        """The starts (a place) and the ends (the complement of a place) in their order."""
        self.refused: list[tuple[int, str]] = []
        """The places of the jobs that were refused, and why."""
        self.last_date = 0.0
        """The date of the last event."""

    def ended(self, job: Job, now: float) -> None:
        """Note a job that has ended."""
        place = job.place
        self.end[place] = end_date(job.started, now)
        self.last_estimate[place] = job.running
        self.corrections[place] = job.corrections
        self.over.append(place)
        self.changes.append(~place)

    def started(self, job: Job) -> None:
        """Note a job that starts."""
        place = job.place
        self.start[place] = job.started
        self.first_estimate[place] = job.first_estimate
        self.first_promise[place] = job.first_promise
        self.last_promise[place] = job.last_promise
        self.started_as[place] = job.started_as
        self.intervals[place] = job.intervals
        self.changes.append(place)


def simulate(  # noqa: C901 - the event loop, in one piece
    scheduler: Scheduler,
    submit_times: "array[float]",
    make: Callable[[int], Job],
    *,
    progress: Callable[[int], None] | None = None,
) -> Schedule:
    """Simulate jobs to the end, or until nothing happens any more.

    Everything that happens at one date counts together: the ends first, by when the jobs were
    started, then the submissions, in the order of the workload.

    Parameters
    ----------
    scheduler
        Who decides; on an idle machine.
    submit_times
        In seconds, in the order of the workload; shape (jobs,).
    make
        Makes the job at a place of the workload, with how long it holds its processors (`Job.run`).
    progress
        Called now and then with the number of jobs that are over.
    """
    count = len(submit_times)
    schedule = Schedule(count)
    order = sorted(range(count), key=submit_times.__getitem__)
    ends: list[tuple[float, int, Job]] = []
    calls: list[float] = []
    following = starts = reported = 0
    while True:
        now = submit_times[order[following]] if following < count else NEVER
        if ends and ends[0][0] < now:
            now = ends[0][0]
        if calls and calls[0] < now:
            now = calls[0]
        if now == NEVER:
            return schedule
        schedule.last_date = now
        while ends and ends[0][0] == now:
            job = heappop(ends)[2]
            scheduler.end(job, now)
            schedule.ended(job, now)
        while calls and calls[0] == now:
            heappop(calls)
        new = []
        while following < count and submit_times[order[following]] == now:
            new.append(make(order[following]))
            following += 1
        if new:
            scheduler.submit(new, now)
        for job in scheduler.choose(now):
            starts += 1
            heappush(ends, (now + job.run, starts, job))
            schedule.started(job)
        for job, why in scheduler.refused:
            schedule.over.append(job.place)
            schedule.refused.append((job.place, why))
        scheduler.refused.clear()
        for at in scheduler.calls:
            heappush(calls, at)
        scheduler.calls.clear()
        if progress is not None and len(schedule.over) >= reported + PROGRESS_EVERY:
            reported = len(schedule.over)
            progress(reported)
