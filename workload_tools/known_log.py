"""Logs whose machine size, time zone or masked user is given by the user of pred-aware."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from workload_tools.job import Job
from workload_tools.log import Log, files_of


class WithoutHiddenUser:
    """A log without one user name that stands for many people, such as an anonymiser's mask.

    If these people counted as one user, they would mislead predictors, fair shares and limits.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report and machine.
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
            self.report.repaired[f"user {self.name} stands for several people: user removed"] += (
                found
            )

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self.log)


class KnownMachine:
    """A log whose machine size or time zone is replaced by given values.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report and machine.
    processors
        The machine's size, or None for the log's own size.
    time_zone
        Name of the time zone, such as ``Europe/Paris``, or None for the log's own zone.
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
        """Yield the jobs; see `workload_tools.log.Log`."""
        jobs = self.log.jobs()
        first = next(jobs, None)
        # a reader may set the machine's values with the first job and after the last job
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
