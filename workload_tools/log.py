"""The interface that all readers of job logs implement."""

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Protocol

from workload_tools.job import Job, Workload, later
from workload_tools.report import Report

_submit_time = attrgetter("submit_time")
LONGEST_SPAN = 100 * 366 * 86400.0
"""Longest credible time from a log's first to its last date: 100 years, in seconds."""


@dataclass(slots=True)
class Machine:
    """A log's information about its machine. A reader completes it while it reads the log."""

    processors: int | None = None
    nodes: int | None = None
    """The machine's size; ``None`` if unknown."""
    guessed: bool = False
    """True if `processors` is only a lower bound that was computed from the jobs."""
    start_time: float | None = None
    """Unix date of the log's second 0; 0 if its times are Unix dates; ``None`` if unknown."""
    time_zone: str | None = None
    """Name of the machine's time zone, such as ``Europe/Paris``."""
    origin: list[str] = field(default_factory=list)
    """Origin, acknowledgements and authors of the log, as header lines of an SWF file.

    An example is ``Installation: ...``.
    """


class Log(Protocol):
    """A log that is read once, one job at a time, so that it need not fit into memory.

    A reader class creates a log from a path and options. A change of a log (such as cleaning)
    creates a log from another log. If a reader reads a folder or several files, its method `files`
    returns them. The commands then make sure that no output replaces an input.

    Attributes
    ----------
    report : Report
        Counts of kept, repaired and dropped records; complete after the last job.
    machine : Machine
        The machine. Values from the log's header are known with the first job,
        others only after the last job.
    """

    report: Report
    machine: Machine

    def jobs(self) -> Iterator[Job]:
        """Yield the kept jobs, once.

        Jobs come in the log's order, usually by submission. Submission times are seconds after the
        log's second 0 (see `Machine.start_time`). Each job has a unique id.

        Raises
        ------
        LogError
            The log cannot be read, or is not of this format.
        """
        ...


class LogInMemory:
    """A log whose jobs are kept in memory, so that it can be read again.

    Parameters
    ----------
    log
        The log, which has not been read yet.
    """

    def __init__(self, log: Log) -> None:
        self.report = log.report
        self.machine = log.machine
        self._log = log
        self._jobs: list[Job] | None = None

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs. The first call reads the log, and later calls read memory."""
        if self._jobs is None:
            self._jobs = list(self._log.jobs())
        yield from self._jobs

    def again(self) -> "LogInMemory":
        """Return the same jobs as a new log, whose report is a copy that may be changed."""
        same = copy(self)
        same.report = deepcopy(self.report)
        return same


def files_of(log: Log) -> Sequence[Path]:
    """Return the result of the log's method `files`, or no files if it has no such method."""
    method = getattr(log, "files", None)
    found: Sequence[Path] = () if method is None else method()
    return found


def gather(log: Log) -> Workload:
    """Read a whole log, and return it as a workload.

    Parameters
    ----------
    log
        The log, which has not been read yet.

    Returns
    -------
    Workload
        The jobs by submission, the first at 0 s. Jobs of the same second are in the log's order.

    Raises
    ------
    LogError
        The log cannot be read.
    """
    jobs = list(log.jobs())
    first = min((job.submit_time for job in jobs), default=0.0)
    if first != 0.0:
        # jobs are replaced one by one, to save memory
        for place, job in enumerate(jobs):
            jobs[place] = later(job, -first)
    jobs.sort(key=_submit_time)
    machine = log.machine
    known = jobs and machine.start_time is not None
    return Workload(
        jobs=jobs,
        processors=machine.processors,
        nodes=machine.nodes,
        guessed=machine.guessed,
        start_time=machine.start_time + first if known else None,  # type: ignore[operator] # not None
        time_zone=machine.time_zone,
    )
