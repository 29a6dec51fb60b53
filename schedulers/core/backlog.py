"""The largest backlog so far. The bound on waiting depends on it."""

from schedulers.core.constants import NEVER
from schedulers.core.job import Job

SIX_HOURS = 6.0 * 3600.0
"""The default of `Backlog.least`: no job that has waited less is protected. In seconds."""


class UsedFraction:
    """The processor time that ended jobs used, as a fraction of what they requested."""

    def __init__(self) -> None:
        self.used = self.requested = 0.0

    def ended(self, job: Job, now: float) -> None:
        """Add the used and the requested processor time of a job that ended."""
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

    The backlog of a pass is the work of the jobs that wait at this pass, divided by the machine's
    number of processors. The work of a job that has ended in the meantime is processors x run time.
    The work of any other job is processors x walltime x the `UsedFraction` at the job's first pass.
    So past backlogs become more accurate as jobs end. Until its end, a job without a walltime
    counts with its estimate, or with no work if it has no estimate.

    A job is protected after it has waited for `share` times the largest backlog, and at least
    `least` seconds.
    """

    def __init__(self, share: float, least: float = SIX_HOURS) -> None:
        self.share = share
        self.least = least
        self.processors = 1
        self.waiting = 0.0
        # the backlogs that may still change, from the backlog with the number `first` on
        self.open: list[float] = []
        self.first = 0
        self.settled = 0.0
        self.largest = 0.0
        # the jobs that have not ended, in the order of their first passes
        self.known: dict[int, Job] = {}

    def look(self, queue: list[Job], worth: float) -> None:
        """Record the waiting jobs of a pass, before any of these jobs starts."""
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
        """Record that a job left the queue without starting. It may come back."""
        if job.first_seen >= 0:
            self.waiting -= job.work
            self.forget(job)

    def started(self, jobs: list[Job]) -> None:
        """Record that jobs start and no longer belong to the backlog."""
        for job in jobs:
            job.last_seen = self.first + len(self.open)
            self.waiting -= job.work

    def ended(self, job: Job, now: float) -> None:
        """Correct the past backlogs by the true work of a job that ended."""
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
        """Forget a job, and settle the backlogs that no other known job can change."""
        del self.known[job.number]
        if job.first_seen == self.first:
            # `known` is sorted by first pass, so its first job has the oldest open backlog
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
