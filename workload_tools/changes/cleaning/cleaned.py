"""Logs without the jobs that a recipe removes, and with warm-up jobs marked."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from workload_tools.changes.cleaning.condition import RecipeError, Test, job_test
from workload_tools.changes.cleaning.recipes import Removal
from workload_tools.job import Job
from workload_tools.job_store import JobStore
from workload_tools.log import Log


class Cleaned:
    """A log without the jobs that match a condition. The report counts them as dropped.

    Parameters
    ----------
    log
        The log, which has not been read yet. Both share one report.
    removals
        The removals. A job that matches several counts for the first.
    """

    def __init__(self, log: Log, removals: tuple[Removal, ...]) -> None:
        self.log = log
        self.removals = removals
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the remaining jobs; see `workload_tools.log.Log`.

        Raises
        ------
        RecipeError
            A condition has a date, but the log has no dates.
        """
        jobs = self.log.jobs()
        first = next(jobs, None)
        if first is None:
            return
        tests = [(removal, self._test(removal, first)) for removal in self.removals]
        removed = Counter({removal.reason: 0 for removal in self.removals})
        for job in _with_first(first, jobs):
            for removal, test in tests:
                if test(job):
                    removed[removal.reason] += 1
                    break
            else:
                yield job
        # at the end, because a reader may count the kept jobs only then
        self.report.kept -= removed.total()
        for reason, count in removed.items():
            self.report.dropped[reason] += count

    def _test(self, removal: Removal, first: Job) -> Test:
        try:
            return job_test(removal.condition, self.machine, first)
        except ValueError as error:
            raise RecipeError(removal.text, str(error)) from error


def _with_first(first: Job, others: Iterator[Job]) -> Iterator[Job]:
    yield first
    yield from others


MARK = "warm-up"


class WarmUp:
    """A log whose first jobs are marked as warm-up, so that measures can leave them out.

    The number of marked jobs depends on the number of all jobs. So the log is first read
    completely, in bounded memory, and the jobs are sorted by submission.

    Parameters
    ----------
    log
        The log, which has not been read yet. Both share one report.
    share
        The share of jobs to mark, such as 0.01; rounded down to whole jobs.
    folder
        Folder for a temporary file, which is used for many jobs.
    """

    def __init__(self, log: Log, share: float, *, folder: Path | None = None) -> None:
        self.log = log
        self.share = share
        self.folder = folder
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs by submission; see `workload_tools.log.Log`."""
        with JobStore(self.folder) as store:
            store.fill(self.log.jobs())
            # 0.29 of 100 is a little below 29 in floating point
            marked = int(len(store) * self.share + 1e-9)
            self.report.marked[MARK] += marked
            for index, job in enumerate(store):
                yield replace(job, warm_up=True) if index < marked else job
