"""Waiting with free processors: of jobs that EASY, on the recorded machine, would have started."""

from bisect import bisect_left, insort
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.log.job_log import JobLog
from pred_aware.site_inference.queue_record import QueueRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload

SOON = 120.0
"""A job that the site starts within so many seconds is not held."""
BETWEEN = 30.0
"""So many seconds are between two looks at a queue in which something happens all the time."""
WEEK = 7 * 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPart:
    """The waiting of some jobs: of a queue, a user or a week."""

    name: str
    jobs: int
    waited: float
    """Seconds, of all together."""
    held: float
    """Of these, in seconds, not for processors."""


@dataclass(frozen=True, kw_only=True)
class Holds:
    """How much of its wait each job was held, though EASY would have started it.

    Read from each job's own start, so it is a diagnosis and forecasts nothing.
    """

    record: QueueRecord
    release: "NDArray[np.float64]"
    """From when on it waited for processors, in seconds, between submission and recorded start,
    shape (jobs,)."""

    @property
    def held(self) -> "NDArray[np.float64]":
        """For how long each job was held, in seconds, shape (jobs,); 0 before `record.begin`."""
        found: NDArray[np.float64] = self.release - self.record.schedule.submit_time
        found[: self.record.begin] = 0.0
        return found

    @property
    def share(self) -> float:
        """Of all waiting time."""
        waited = float(self.record.counted_wait.sum())
        return float(self.held.sum()) / waited if waited else 0.0

    def by(self, kind: str) -> "list[HeldPart]":
        """Return the parts of the waiting: most held first; of weeks in their order.

        Parameters
        ----------
        kind
            ``queue``, ``user``, ``group``, ``project``, ``partition``, or ``week`` of submission.
        """
        if kind == "week":
            codes = (self.record.schedule.submit_time // WEEK).astype(int)
            names = [str(number + 1) for number in range(int(codes.max()) + 1)]
        elif kind in self.record.labels:
            numbers, told = self.record.labels[kind].numbers
            codes, names = numbers, list(told)
        else:
            return []
        columns = (np.ones(len(codes)), self.record.counted_wait, self.held)
        jobs, waited, held = (np.bincount(codes, one, len(names)) for one in columns)
        parts = [
            HeldPart(name=name, jobs=int(jobs[at]), waited=float(waited[at]), held=float(held[at]))
            for at, name in enumerate(names)
            if jobs[at]
        ]
        return parts if kind == "week" else sorted(parts, key=lambda part: -part.held)


def holds_of(workload: "JobLog | Workload", *, record: QueueRecord | None = None) -> Holds:
    """Go through the recorded schedule, and ask EASY whom it would start at each of its dates.

    A job that EASY would start by what runs and waits on the real machine, and that the site
    started more than two minutes later, is held until then at least. Then the recorded starts are
    made, whatever EASY says.

    Parameters
    ----------
    workload
        With the recorded waits.
    record
        The workload's, if it was read before.

    Raises
    ------
    PredAwareError
        The log does not tell the machine's size, or when its jobs started.
    """
    if record is None:
        jobs = workload.workload if isinstance(workload, JobLog) else workload
        record = QueueRecord.of(jobs)
    return Holds(record=record, release=_Walk(record).release())


class _Walk:
    """The recorded schedule, event by event."""

    def __init__(self, record: QueueRecord) -> None:
        schedule = record.schedule
        self._submit, self._start = schedule.submit_time, schedule.start_time
        self._end = schedule.end_time
        self._size = schedule.processors
        self._walltime = record.walltime
        # one by one, numbers of lists are read sooner than those of arrays
        self._starts, self._sizes = self._start.tolist(), self._size.tolist()
        self._walltimes = self._walltime.tolist()
        self._least = min(self._sizes, default=0.0)
        self._planned = (self._start + self._walltime).tolist()
        self._free = float(schedule.machine)
        self._release = self._submit.copy()
        self._waiting: NDArray[np.int64] = np.empty(0, np.int64)
        self._has_begun = np.zeros(len(self._submit), bool)
        # by planned end
        self._running: list[tuple[float, int]] = []

    def release(self) -> "NDArray[np.float64]":
        last = -np.inf
        for now, until, ended, come, begun in self._events():
            for job in ended:
                del self._running[bisect_left(self._running, (self._planned[job], job))]
                self._free += self._sizes[job]
            if come:
                self._waiting = np.concatenate([self._waiting, come])
            if len(self._waiting) and (until - now > BETWEEN or now - last > BETWEEN):
                last = now
                self._ask(now)
            for job in begun:
                insort(self._running, (self._planned[job], job))
                self._free -= self._sizes[job]
            if begun:
                self._has_begun[begun] = True
                self._waiting = self._waiting[~self._has_begun[self._waiting]]
        return self._release

    def _events(self) -> "Iterator[tuple[float, float, list[int], list[int], list[int]]]":
        """Yield dates, the next ones, and who ended, came and began then."""
        jobs = len(self._submit)
        # who runs for no time at all ends a moment after its start
        end = np.maximum(self._end, np.nextafter(self._start, np.inf))
        when = np.concatenate([end, self._submit, self._start])
        order = np.argsort(when, kind="stable")
        dates = when[order]
        edges = np.flatnonzero(np.diff(dates, prepend=-np.inf))
        happens = order.tolist()
        nexts = [*dates[edges[1:]].tolist(), np.inf]
        beyonds = [*edges[1:].tolist(), len(happens)]
        first = 0
        for now, until, beyond in zip(dates[edges].tolist(), nexts, beyonds, strict=True):
            told: tuple[list[int], list[int], list[int]] = ([], [], [])
            for one in happens[first:beyond]:
                kind, job = divmod(one, jobs)
                told[kind].append(job)
            first = beyond
            yield now, until, *told

    def _ask(self, now: float) -> None:
        """Move on the releases of those whom EASY would start now, and the site not soon."""
        for job in self._easy(self._waiting, now):
            if self._starts[job] - now > SOON:
                self._release[job] = now + 1.0

    def _easy(self, queue: "NDArray[np.int64]", now: float) -> "Iterator[int]":
        """Yield the jobs of a queue that EASY would start, one after the other."""
        room, sizes = self._free, self._sizes
        begins: list[tuple[float, int]] = []
        for at, job in enumerate(_one_by_one(queue)):
            if sizes[job] > room:
                first = at
                break
            yield job
            room -= sizes[job]
            begins.append((now + self._walltimes[job], job))
        else:
            return
        if room < self._least:
            return
        fit = queue[first + 1 :]
        fit = fit[self._size[fit] <= room]
        if not len(fit):
            return
        shadow, extra = self._reservation(now, room, sizes[job], begins)
        before = now + self._walltime[fit] <= shadow
        may = before | (self._size[fit] <= extra)
        for job, in_time in zip(fit[may].tolist(), before[may].tolist(), strict=True):
            size = sizes[job]
            if size > room or not (in_time or size <= extra):
                continue
            yield job
            room -= size
            extra -= 0.0 if in_time else size

    def _reservation(
        self, now: float, free: float, size: float, begins: list[tuple[float, int]]
    ) -> tuple[float, float]:
        """Return when the first has room by the walltimes, and how much is left beside it then."""
        shadow = None
        room = free
        for end, job in sorted(self._running + begins):
            # all that ends by then counts
            if shadow is not None and end > shadow:
                break
            room += self._sizes[job]
            if shadow is None and room >= size:
                shadow = max(end, now)
        return (np.inf, 0.0) if shadow is None else (shadow, room - size)


def _one_by_one(queue: "NDArray[np.int64]") -> "Iterator[int]":
    """Go through a queue of which mostly the first jobs alone are looked at."""
    some = 64
    return chain.from_iterable(queue[at : at + some].tolist() for at in range(0, len(queue), some))
