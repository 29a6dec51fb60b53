"""Logs without the jobs that a recipe removes, and with those of its warm-up marked."""

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
    """A log without the jobs for which a condition holds; each is counted as dropped.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    removals
        What is removed. A job that several of them remove counts for the first.
    """

    def __init__(self, log: Log, removals: tuple[Removal, ...]) -> None:
        self.log = log
        self.removals = removals
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that stay, as `workload_tools.log.Log` has it.

        Raises
        ------
        RecipeError
            A condition has a date although the log does not tell its own.
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
        # now, for a reader may count what it kept at its end
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
