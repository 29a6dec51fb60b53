"""The wait after which a job is protected: its options, and one that grows with the backlog."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from predictors.checks import require_number
from predictors.options import JsonValue
from predictors.registry import nearest
from schedulers.errors import OptionError
from schedulers.job import Job
from schedulers.machine.machine import NEVER

SIX_HOURS = 6.0 * 3600.0
"""The wait below which nobody is protected, unless another is given, in seconds."""


class Worth:
    """The part of their walltimes that the jobs that have ended used, weighted by processors."""

    def __init__(self) -> None:
        self._used = 0.0
        self._asked = 0.0

    def ended(self, job: Job, now: float) -> None:
        """Learn from a job that ended."""
        if job.walltime is not None:
            self._used += job.processors * (now - job.started)
            self._asked += job.processors * job.walltime

    @property
    def part(self) -> float:
        """From 0 to 1; 1 before any job has ended."""
        return min(1.0, self._used / self._asked) if self._asked else 1.0


class Backlog:
    """The largest backlog there has been, in seconds of the whole machine.

    The backlog at a pass is the work of all waiting jobs by the processors of the machine. Of a job
    that has ended by now that is its processors x run time, of any other its processors x walltime
    x what walltimes were worth (`Worth`) when it was first seen, since they are too long. So what
    the backlog was in the past is known better with each job that ends. A job without a walltime
    counts with its estimate until it has ended, and not at all where it has none.

    A job waits a `share` of that until it is protected, and at least `least` seconds.
    """

    def __init__(self, share: float, *, least: float = SIX_HOURS) -> None:
        self.share = share
        self.least = least
        self._processors = 1
        self._waiting = 0.0
        self._backlogs = Backlogs()
        # of the jobs that have not ended, by number: the first backlog that counts each, the one
        # after the last, and its work as it counts now
        self._first: dict[int, int] = {}
        self._after: dict[int, int] = {}
        self._work: dict[int, float] = {}

    def begin(self, processors: int) -> None:
        """Begin on an idle machine of so many processors."""
        self._processors = processors

    def look(self, queue: list[Job], worth: float) -> None:
        """Look at the waiting jobs of a pass, before any starts."""
        known = self._first
        come = [job for job in queue if job.number not in known]
        if not come:
            return  # so the backlog has not grown
        for job in come:
            number = job.number
            self._first[number] = self._backlogs.count
            self._work[number] = work = job.processors * _length(job, worth)
            self._waiting += work
        self._backlogs.add(self._waiting)

    def withdrawn(self, job: Job) -> None:
        """Note that a job waits no longer for room; it may come back."""
        first = self._first.pop(job.number, None)
        if first is not None:
            self._waiting -= self._work.pop(job.number)
            self._settle(first)

    def started(self, jobs: list[Job]) -> None:
        """Note that jobs start, and count no longer."""
        for job in jobs:
            self._after[job.number] = self._backlogs.count
            self._waiting -= self._work[job.number]

    def ended(self, job: Job, now: float) -> None:
        """Learn the work of a job that ended."""
        number, backlogs = job.number, self._backlogs
        first, after = self._first.pop(number), self._after.pop(number)
        known = self._work.pop(number)
        backlogs.change(first, after, by=job.processors * (now - job.started) - known)
        self._settle(first)

    def _settle(self, gone: int) -> None:
        """Fix the backlogs that changed with a job alone whose first one this is."""
        backlogs = self._backlogs
        if gone == backlogs.first:
            # whoever came later stands behind here, so the first is the oldest that is left
            backlogs.settle(next(iter(self._first.values()), backlogs.count))

    @property
    def wait(self) -> float:
        """The wait after which a job is protected now, in seconds."""
        return max(self.least, self.share * self._backlogs.largest / self._processors)


class Backlogs:
    """The backlogs of many passes, of which any part from `first` to `count` can be changed."""

    def __init__(self) -> None:
        import numpy as np

        self.count = 0
        self.first = 0
        self._settled = 0.0
        # those from `first` on stand at the front
        self._open = np.zeros(1024)

    def add(self, backlog: float) -> None:
        """Add that of one more pass."""
        import numpy as np

        place = self.count - self.first
        if place == len(self._open):
            self._open = np.concatenate([self._open, np.zeros(place)])
        self._open[place] = backlog
        self.count += 1

    def change(self, first: int, after: int, *, by: float) -> None:
        """Change those from one pass up to another."""
        self._open[first - self.first : after - self.first] += by

    def settle(self, first: int) -> None:
        """Fix those before a pass, which do not change any more."""
        gone, left = first - self.first, self.count - first
        if gone:
            self._settled = max(self._settled, float(self._open[:gone].max()))
            self._open[:left] = self._open[gone : gone + left].copy()
            self.first = first

    @property
    def largest(self) -> float:
        """The largest of all."""
        count = self.count - self.first
        return max(self._settled, float(self._open[:count].max())) if count else self._settled


def _length(job: Job, part: float) -> float:
    if job.walltime is not None:
        return part * job.walltime
    return job.backfilling if job.backfilling < NEVER else 0.0


BOUNDS = MappingProxyType(
    {"wait": "seconds", "overtaken": "processor seconds", "backlog": "", "ahead": ""}
)
"""The limits of a bound on waiting, with their units."""


def wait_limits(spec: JsonValue) -> dict[str, Any]:
    """Return the limits of a bound on waiting, of `BOUNDS`; a number alone is the wait."""
    return dict(spec) if isinstance(spec, Mapping) else {"wait": spec}


def bounded_by(spec: JsonValue) -> dict[str, Any]:
    """Return the checked options of `Bounded` that the option `max_wait` gives."""
    limits = wait_limits(spec)
    for name, value in limits.items():
        if name not in BOUNDS:
            raise OptionError(f"max_wait has no option '{name}': {nearest(name, BOUNDS)}")
        label = f"max_wait's {name}" if isinstance(spec, Mapping) else "max_wait"
        limits[name] = require_number(label, value, unit=BOUNDS[name])
    if "ahead" in limits and not limits.keys() & {"wait", "backlog"}:
        raise OptionError("max_wait's ahead needs a wait or a backlog beside it")
    if "backlog" in limits:
        least = {"least": limits.pop("wait")} if "wait" in limits else {}
        limits["backlog"] = Backlog(limits["backlog"], **least)
    return limits
