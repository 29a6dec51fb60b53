"""How long jobs have had to wait: what walltimes are worth, and the largest backlog there was."""

from schedulers.core.constants import NEVER
from schedulers.core.job import Job

SIX_HOURS = 6.0 * 3600.0
"""The wait below which nobody is protected, unless another is given, in seconds."""


class Worth:
    """The part of their walltimes that the jobs that have ended used, weighted by processors."""

    used: float
    asked: float

    def __init__(self) -> None:
        self.used = self.asked = 0.0

    def ended(self, job: Job, now: float) -> None:
        """Learn from a job that ended."""
        if job.walltime < NEVER:
            self.used += job.processors * (now - job.started)
            self.asked += job.processors * job.walltime

    def part(self) -> float:
        """Return it: from 0 to 1; 1 before any job has ended."""
        if not self.asked:
            return 1.0
        part = self.used / self.asked
        return part if part < 1.0 else 1.0


class Past:
    """What the backlog was at a pass."""

    __slots__ = ("work",)

    work: float

    def __init__(self, work: float) -> None:
        self.work = work


class Backlog:
    """The largest backlog there has been, in seconds of the whole machine.

    The backlog at a pass is the work of all waiting jobs by the processors of the machine. Of a job
    that has ended by now that is its processors x run time, of any other its processors x walltime
    x what walltimes were worth (`Worth`) when it was first seen, since they are too long. So what
    the backlog was in the past is known better with each job that ends. A job without a walltime
    counts with its estimate until it has ended, and not at all where it has none.

    A job waits a `share` of that until it is protected, and at least `least` seconds.
    """

    share: float
    least: float
    processors: int
    waiting: float
    open: list[Past]
    first: int
    settled: float
    largest: float
    known: dict[int, Job]

    def __init__(self, share: float, least: float = SIX_HOURS) -> None:
        self.share = share
        self.least = least
        self.processors = 1
        self.waiting = 0.0
        # the passes whose backlogs may still change, the first of which has the number `first`
        self.open = []
        self.first = 0
        self.settled = 0.0
        self.largest = 0.0
        # the jobs that have not ended, as they were first seen
        self.known = {}

    def look(self, queue: list[Job], worth: float) -> None:
        """Look at the waiting jobs of a pass, before any starts."""
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
            self.open.append(Past(self.waiting))
            if self.waiting > self.largest:
                self.largest = self.waiting

    def withdrawn(self, job: Job) -> None:
        """Note that a job waits no longer for room; it may come back."""
        if job.first_seen >= 0:
            self.waiting -= job.work
            self.forget(job)

    def started(self, jobs: list[Job]) -> None:
        """Note that jobs start, and count no longer."""
        for job in jobs:
            job.last_seen = self.first + len(self.open)
            self.waiting -= job.work

    def ended(self, job: Job, now: float) -> None:
        """Learn the work of a job that ended."""
        by = job.processors * (now - job.started) - job.work
        was_largest = by > 0.0
        for place in range(job.first_seen - self.first, job.last_seen - self.first):
            past = self.open[place]
            was_largest = was_largest or past.work == self.largest
            past.work += by
        self.forget(job)
        if was_largest:
            self.largest = self.settled
            for past in self.open:
                if past.work > self.largest:
                    self.largest = past.work

    def forget(self, job: Job) -> None:
        """Settle the backlogs that changed with a job alone."""
        del self.known[job.number]
        if job.first_seen == self.first:
            # whoever came later stands behind here, so the first is the oldest that is left
            first = self.first + len(self.open)
            for other in self.known.values():
                first = other.first_seen
                break
            gone = first - self.first
            for place in range(gone):
                past = self.open[place]
                if past.work > self.settled:
                    self.settled = past.work
            del self.open[:gone]
            self.first = first
        job.first_seen = -1

    def wait(self) -> float:
        """Return the wait after which a job is protected now, in seconds."""
        wait = self.share * self.largest / self.processors
        return wait if wait > self.least else self.least
