"""The largest backlog so far, from which a bound on waiting is derived."""

from schedulers.core.constants import NEVER
from schedulers.core.job import Job

SIX_HOURS = 6.0 * 3600.0
"""The default wait below which no job is protected, in seconds."""


class UsedFraction:
    """The fraction of their walltimes that ended jobs used, weighted by processors."""

    def __init__(self) -> None:
        self.used = self.requested = 0.0

    def ended(self, job: Job, now: float) -> None:
        """Learn from a job that ended."""
        if job.walltime < NEVER:
            self.used += job.processors * (now - job.started)
            self.requested += job.processors * job.walltime

    def part(self) -> float:
        """Return the fraction, from 0 to 1. It is 1 before any job has ended."""
        if not self.requested:
            return 1.0
        part = self.used / self.requested
        return part if part < 1.0 else 1.0


class Backlog:
    """The largest backlog so far, in seconds of the whole machine.

    The backlog at a pass is the work of all waiting jobs, divided by the machine's processors. The
    work of a job that has ended by now is processors x run time. For other jobs it is processors x
    walltime x `UsedFraction`, the used fraction of walltimes when the job was first seen. So past
    backlogs become more accurate as jobs end. A job without a walltime counts with its estimate
    until it ends, and without an estimate it does not count.

    A job is protected after it has waited for `share` times the largest backlog, and at least
    `least` seconds.
    """

    def __init__(self, share: float, least: float = SIX_HOURS) -> None:
        self.share = share
        self.least = least
        self.processors = 1
        self.waiting = 0.0
        # the backlogs that may still change, from that of the pass `first` on
        self.open: list[float] = []
        self.first = 0
        self.settled = 0.0
        self.largest = 0.0
        # the jobs that have not ended, as they were first seen
        self.known: dict[int, Job] = {}

    def look(self, queue: list[Job], worth: float) -> None:
        """Record the waiting jobs of a pass, before any of them starts."""
        come = False
        for job in queue:
            if job.first_seen < 0:
                come = True
                job.first_seen = self.first + len(self.open)
                self.known[job.number] = job
                length = worth * job.walltime
                if job.walltime == NEVER:
                    length = job.backfilling if job.backfilling < NEVER else 0.0
                job.work = job.processors * length
                self.waiting += job.work
        if come:
            self.open.append(self.waiting)
            if self.waiting > self.largest:
                self.largest = self.waiting

    def withdrawn(self, job: Job) -> None:
        """Record that a job does not wait for room at present; it may come back."""
        if job.first_seen >= 0:
            self.waiting -= job.work
            self.forget(job)

    def started(self, jobs: list[Job]) -> None:
        """Record that jobs start and no longer belong to the backlog."""
        for job in jobs:
            job.last_seen = self.first + len(self.open)
            self.waiting -= job.work

    def ended(self, job: Job, now: float) -> None:
        """Learn the work of a job that ended."""
        by = job.processors * (now - job.started) - job.work
        was_largest = by > 0.0
        for place in range(job.first_seen - self.first, job.last_seen - self.first):
            work = self.open[place]
            was_largest = was_largest or work == self.largest
            self.open[place] = work + by
        self.forget(job)
        if was_largest:
            self.largest = max(self.settled, max(self.open, default=0.0))

    def forget(self, job: Job) -> None:
        """Settle the backlogs that could only change with this job."""
        del self.known[job.number]
        if job.first_seen == self.first:
            # later jobs stand behind this one, so the first is the oldest that is left
            first = self.first + len(self.open)
            for other in self.known.values():
                first = other.first_seen
                break
            gone = first - self.first
            self.settled = max(self.settled, max(self.open[:gone], default=0.0))
            del self.open[:gone]
            self.first = first
        job.first_seen = -1

    def wait(self) -> float:
        """Return the wait after which a job is protected at present, in seconds."""
        wait = self.share * self.largest / self.processors
        return wait if wait > self.least else self.least
