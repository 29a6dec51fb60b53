"""A log of which somebody knows the machine better than it does."""

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


class KnownMachine:
    """A log with a size or time zone of its machine that were given, whatever it tells itself.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report and machine are this one's.
    processors
        The machine's size.
    time_zone
        Name of its time zone, such as ``Europe/Paris``.
    """

    def __init__(
        self, log: Log, *, processors: int | None = None, time_zone: str | None = None
    ) -> None:
        self.log = log
        self.processors = processors
        self.time_zone = time_zone
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs, as `workload_tools.log.Log` has it."""
        jobs = self.log.jobs()
        first = next(jobs, None)
        # a reader may say what it knows with the first job, at the end, or at both
        self._tell()
        if first is not None:
            yield first
            yield from jobs
            self._tell()

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self.log)

    def _tell(self) -> None:
        self.machine.processors = self.processors or self.machine.processors
        self.machine.guessed = self.machine.guessed and self.processors is None
        self.machine.time_zone = self.time_zone or self.machine.time_zone
