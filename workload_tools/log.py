"""The contract of job log readers, for every format."""

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
"""Seconds: no log is as long."""


@dataclass(slots=True)
class Machine:
    """What a log tells about its machine, as far as it was read."""

    processors: int | None = None
    nodes: int | None = None
    """The machine's size; ``None`` when the log does not tell."""
    guessed: bool = False
    """Whether `processors` is only what the jobs show that there is at least."""
    start_time: float | None = None
    """The Unix date of the log's second 0: 0 where the log's own dates are Unix dates."""
    time_zone: str | None = None
    """Name of the machine's time zone, such as ``Europe/Paris``."""
    origin: list[str] = field(default_factory=list)
    """What the log says of where it is from, whom to acknowledge and who made it, as ``;`` lines
    of the Standard Workload Format have it (``Installation: ...``)."""


class Log(Protocol):
    """A log that is read once, a job at a time, so that its length does not matter.

    A log is made by its reader's class from a path and options; what changes a log (cleaning,
    anonymising) is made from another log and is a log again. A reader that reads other files than
    its path names, or a folder's, has a method `files` that returns them, so that none of them is
    written over.

    Attributes
    ----------
    report : Report
        What became of each record; complete when `jobs` has come to its end.
    machine : Machine
        Complete when `jobs` has come to its end; what the log's beginning tells is there with the
        first job.
    """

    report: Report
    machine: Machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that are kept, once.

        Jobs come as the log has them, mostly in the order of their submission, with the date of
        submission in the log's own seconds (see `Machine.start_time`). Each job has an id that no
        other has.

        Raises
        ------
        LogError
            The log can't be read or is not of this format.
        """
        ...


class Kept:
    """A log whose jobs are kept as they are read, so that it can be read again.

    Parameters
    ----------
    log
        A log of which nothing was read yet.
    """

    def __init__(self, log: Log) -> None:
        self.report = log.report
        self.machine = log.machine
        self._log = log
        self._jobs: list[Job] | None = None

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs, from memory after the first time."""
        if self._jobs is None:
            self._jobs = list(self._log.jobs())
        yield from self._jobs

    def again(self) -> "Kept":
        """Return the same jobs as a log with a report of its own, which what follows may change."""
        same = copy(self)
        same.report = deepcopy(self.report)
        return same


def files_of(log: Log) -> Sequence[Path]:
    """Return the files that a log reads beside its own name, as far as it tells with `files`."""
    own = getattr(log, "files", None)
    found: Sequence[Path] = () if own is None else own()
    return found


def gather(log: Log) -> Workload:
    """Read a log to its end and make a workload of it.

    Parameters
    ----------
    log
        A log of which nothing was read yet.

    Returns
    -------
    Workload
        The jobs by submission (those of one second in the log's order), the first at 0.

    Raises
    ------
    LogError
        The log can't be read.
    """
    jobs = list(log.jobs())
    first = min((job.submit_time for job in jobs), default=0.0)
    if first != 0.0:
        # one by one, so that none is there twice for long
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
