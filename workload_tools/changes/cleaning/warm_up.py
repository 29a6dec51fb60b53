"""The first jobs of a log marked as those that only fill the machine."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from workload_tools.job import Job
from workload_tools.job_store import JobStore
from workload_tools.log import Log

MARK = "warm-up"


class WarmUp:
    """A log of which the first jobs are marked, so that figures can leave them out.

    How many they are is known when all jobs are: the log is read to its end first, in bounded
    memory, and its jobs come by submission.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    share
        Which part of the jobs is marked, such as 0.01; rounded down to whole jobs.
    folder
        Where a temporary file is made if there are many jobs.
    """

    def __init__(self, log: Log, share: float, *, folder: Path | None = None) -> None:
        self.log = log
        self.share = share
        self.folder = folder
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs by submission, as `workload_tools.log.Log` has it."""
        with JobStore(self.folder) as store:
            store.fill(self.log.jobs())
            # what a share such as 0.29 of 100 gives is a little below 29
            marked = int(len(store) * self.share + 1e-9)
            self.report.marked[MARK] += marked
            for index, job in enumerate(store):
                yield replace(job, warm_up=True) if index < marked else job
