"""Looks at a schedule's queue at evenly spaced moments: who waits, and how much is free."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.schedule import MachineSchedule

LOOKS = 4000
"""At how many moments one looks; on a log of a year, every other hour."""


@dataclass(frozen=True, slots=True)
class WaitingMoments:
    """Jobs seen waiting, a row for each job and moment; so a long wait counts as what it lasts."""

    job: "NDArray[np.int64]"
    """Which one, shape (rows,)."""
    date: "NDArray[np.float64]"
    """When, in seconds, shape (rows,)."""
    room: "NDArray[np.bool_]"
    """Whether as many processors as it asks for were free, shape (rows,)."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.job)

    @property
    def with_room(self) -> "WaitingMoments":
        """Only the rows in which the job would have fitted."""
        return WaitingMoments(self.job[self.room], self.date[self.room], self.room[self.room])


def waiting(schedule: "MachineSchedule", *, looks: int = LOOKS) -> WaitingMoments:
    """See who waits, from the first submission to the last.

    Parameters
    ----------
    schedule
        The dates.
    looks
        At how many moments, evenly spaced.

    Examples
    --------
    >>> from pred_aware.recorded_queue.schedule import MachineSchedule
    >>> dates = dict(submit_time=np.array([0.0, 0.0, 8.0]), start_time=np.array([0.0, 4.0, 8.0]))
    >>> sizes = dict(processors=np.array([3.0, 2.0, 1.0]), machine=4)
    >>> schedule = MachineSchedule(**dates, **sizes, end_time=np.array([2.0, 9.0, 9.0]))
    >>> seen = waiting(schedule, looks=9)
    >>> seen.job.tolist(), seen.date.tolist(), seen.room.tolist()
    ([1, 1, 1, 1], [0.0, 1.0, 2.0, 3.0], [False, False, True, True])
    """
    submitted, started = schedule.submit_time, schedule.start_time
    moments = np.linspace(float(submitted.min()), float(submitted.max()), looks)
    first = np.searchsorted(moments, submitted, side="left")
    seen = np.maximum(np.searchsorted(moments, started, side="left") - first, 0)
    job = np.repeat(np.arange(len(submitted)), seen)
    since = np.arange(len(job)) - np.repeat(np.cumsum(seen) - seen, seen)
    look = first[job] + since
    room = schedule.free_at(moments)[look] >= schedule.processors[job]
    return WaitingMoments(job.astype(np.int64), moments[look], room)
