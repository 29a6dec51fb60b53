"""Find jobs that waited although they could have started without delaying another job."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule

LOOKS = 4000
"""Number of moments at which the queue is examined; in a log of a year, every two hours."""
SOON = 120.0
"""A job that starts within this many seconds after a moment does not count as startable."""


@dataclass(frozen=True)
class WaitingMoments:
    """Waiting jobs at regular moments: a row for each waiting job and moment."""

    job: "NDArray[np.int64]"
    """Index of the job, shape (rows,)."""
    date: "NDArray[np.float64]"
    """Date of the moment in seconds, shape (rows,)."""
    could_start: "NDArray[np.bool_]"
    """Whether the job could have started without delaying another waiting job, shape (rows,)."""
    step: float
    """Seconds between two moments."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.job)

    @property
    def share(self) -> float:
        """The share of all waiting in which the job could have started."""
        return float(self.could_start.mean()) if len(self) else 0.0

    @cached_property
    def startable(self) -> "WaitingMoments":
        """The rows of jobs that could have started."""
        return self.only(self.could_start)

    def only(self, rows: "NDArray[np.bool_]") -> "WaitingMoments":
        """Return the selected rows."""
        return WaitingMoments(self.job[rows], self.date[rows], self.could_start[rows], self.step)


def waiting(schedule: "MachineSchedule", *, looks: int = LOOKS) -> WaitingMoments:
    """Find the waiting jobs from the first to the last submission, and mark jobs that could start.

    A job could start if it fits on the free processors and delays no waiting job that does not fit.
    It does not delay such a job if, by the walltimes, it ends before that job's earliest start, or
    leaves enough processors for that job. EASY would start one of these jobs in any priority order.

    Parameters
    ----------
    schedule
        Dates and walltimes of the jobs.
    looks
        Number of moments, at equal distances.

    Examples
    --------
    >>> from pred_aware.recorded_queue.schedule import MachineSchedule
    >>> submit, start = np.array([[0.0, 0.0, 800.0], [0.0, 400.0, 800.0]])
    >>> end = np.array([200.0, 900.0, 900.0])
    >>> dates = dict(submit_time=submit, start_time=start, end_time=end)
    >>> sizes = dict(processors=np.array([3.0, 2.0, 1.0]), machine=4, walltime=np.full(3, 500.0))
    >>> seen = waiting(MachineSchedule(**dates, **sizes), looks=9)
    >>> seen.job.tolist(), seen.date.tolist(), seen.could_start.tolist()
    ([1, 1, 1, 1], [0.0, 100.0, 200.0, 300.0], [False, False, True, False])
    """
    submit, start, end = schedule.submit_time, schedule.start_time, schedule.end_time
    by_submission = np.argsort(submit, kind="stable")
    submitted = submit[by_submission]
    longest = float((start - submit).max(initial=0.0))
    rows: list[tuple[NDArray[np.int64], float, NDArray[np.bool_]]] = []
    moments, step = np.linspace(submitted[0], submitted[-1], looks, retstep=True)
    for now in moments.tolist():
        first = np.searchsorted(submitted, now - longest)
        queue = by_submission[first : np.searchsorted(submitted, now, side="right")]
        queue = queue[start[queue] > now]
        if len(queue):
            running = np.flatnonzero((start <= now) & (end > now))
            rows.append((queue, now, _could_start(schedule, queue, running, now)))
    if not rows:
        return WaitingMoments(
            np.empty(0, np.int64), np.empty(0), np.empty(0, np.bool_), float(step)
        )
    jobs, dates, could = zip(*rows, strict=True)
    when = np.repeat(dates, [len(one) for one in jobs])
    return WaitingMoments(np.concatenate(jobs), when, np.concatenate(could), float(step))


def _could_start(
    schedule: "MachineSchedule",
    queue: "NDArray[np.int64]",
    running: "NDArray[np.int64]",
    now: float,
) -> "NDArray[np.bool_]":
    """Return which waiting jobs could start while these jobs run."""
    sizes, walltime = schedule.processors, schedule.walltime
    free = schedule.machine - float(sizes[running].sum())
    could = (sizes[queue] <= free) & (schedule.start_time[queue] > now + SOON)
    heads = queue[sizes[queue] > free]
    if not could.any() or not len(heads):
        return could
    ends = np.maximum(schedule.start_time[running] + walltime[running], now)
    order = np.argsort(ends)
    ends, room = ends[order], free + np.cumsum(sizes[running[order]])
    place = np.searchsorted(room, sizes[heads])
    heads, place = heads[place < len(ends)], place[place < len(ends)]
    begins = ends[place]
    # include the processors of all jobs that end at the same date
    extra = room[np.searchsorted(ends, begins, side="right") - 1] - sizes[heads]
    order = np.argsort(extra)
    # the earliest start among the jobs that leave too few processors for a candidate
    earliest = np.concatenate([[np.inf], np.minimum.accumulate(begins[order])])
    jobs = queue[could]
    until = earliest[np.searchsorted(extra[order], sizes[jobs])]
    could[could] = now + walltime[jobs] <= until
    return could
