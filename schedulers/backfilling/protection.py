"""After which wait a job is protected, where that grows with the log's own backlog."""

from schedulers.job import Job
from schedulers.machine.machine import NEVER

SIX_HOURS = 6.0 * 3600.0
"""The wait below which nobody is protected, unless another is given, in seconds."""


class Backlog:
    """The largest backlog there has been, in seconds of the whole machine.

    The backlog at a pass is the work of all waiting jobs, processors x walltime, by the processors
    of the machine. Walltimes are too long, so it is taken times the part of their walltimes that
    the jobs that have ended used (as work, so that large jobs count as such). A job without a
    walltime counts with its estimate, and not at all where it has none.

    Parameters
    ----------
    share
        How long a job waits until it is protected, as a share of that.
    least
        The wait that protects nobody, however small the backlog, in seconds.
    """

    def __init__(self, share: float, *, least: float = SIX_HOURS) -> None:
        self._share = share
        self._least = least
        self._processors = 1
        self._largest = 0.0
        self._used = 0.0
        self._asked = 0.0
        self._counted = 0

    def begin(self, processors: int) -> None:
        """Begin on an idle machine of so many processors."""
        self._processors = processors

    def ended(self, job: Job, now: float) -> None:
        """Learn from a job that ended what part of its walltime it used."""
        if job.walltime is not None:
            self._used += job.processors * (now - job.started)
            self._asked += job.processors * job.walltime

    def look(self, queue: list[Job]) -> None:
        """Look at the waiting jobs of a pass, before any starts."""
        newest = max([job.number for job in queue], default=0)
        if newest <= self._counted:
            return  # nobody came, so the backlog has not grown
        self._counted = newest
        work = sum([job.processors * _length(job) for job in queue]) / self._processors
        self._largest = max(self._largest, work)

    @property
    def wait(self) -> float:
        """After which wait a job is protected now, in seconds."""
        used = min(1.0, self._used / self._asked) if self._asked else 1.0
        return max(self._least, self._share * used * self._largest)


def _length(job: Job) -> float:
    if job.walltime is not None:
        return job.walltime
    return job.backfilling if job.backfilling < NEVER else 0.0
