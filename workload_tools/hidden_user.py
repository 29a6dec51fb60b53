"""Jobs of a user name that hides several users become jobs without a user."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from workload_tools.job import Job
from workload_tools.log import Log, files_of


class WithoutHiddenUser:
    """A log in which one user name hides many people, such as an anonymiser's mask.

    As one person, they would mislead predictors that learn per user, fair shares and limits.

    Parameters
    ----------
    log
        The log, which has not been read yet. Both share one report.
    name
        The user name whose jobs become jobs without a user.
    """

    def __init__(self, log: Log, name: str) -> None:
        self.log = log
        self.name = name
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; see `workload_tools.log.Log`."""
        found = 0
        for job in self.log.jobs():
            if job.user == self.name:
                found += 1
                yield replace(job, user=None)
            else:
                yield job
        if found:
            self.report.repaired[f"user {self.name} hides users: removed"] += found

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self.log)
