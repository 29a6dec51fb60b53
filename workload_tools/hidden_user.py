"""A name that stands for hidden users: its jobs have no user."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from workload_tools.job import Job
from workload_tools.log import Log, files_of


class WithoutHiddenUser:
    """A log in which one user's name stands for many people, such as an anonymiser's mask.

    Taken as one person, they would mislead predictors that learn by user, fair shares and limits.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    name
        The user whose jobs are read as jobs without a user.
    """

    def __init__(self, log: Log, name: str) -> None:
        self.log = log
        self.name = name
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs, as `workload_tools.log.Log` has it."""
        found = 0
        for job in self.log.jobs():
            if job.user == self.name:
                found += 1
                yield replace(job, user=None)
            else:
                yield job
        if found:
            self.report.repaired[f"user {self.name} stands for hidden users: no user"] += found

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self.log)
