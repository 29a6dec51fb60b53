"""A log without the jobs that a recipe removes."""

from collections import Counter
from collections.abc import Iterator

from workload_tools.changes.cleaning.condition import Test, job_test
from workload_tools.changes.cleaning.errors import RecipeError
from workload_tools.changes.cleaning.recipes import Removal
from workload_tools.job import Job
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
