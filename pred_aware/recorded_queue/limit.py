"""A limit that a recorded schedule shows, and when something looks like one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.report.plural import counted

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


AT_LIMIT = 0.5
"""Of the time in which somebody's jobs wait with room, so much must be at the limit."""
WORTH_TELLING = 0.01
"""Of all waiting time: a limit that accounts for less is not told."""
SHARERS = 5
"""So many with exactly the same highest number make it look like a rule for all."""
FEW_ABOVE = 0.5
"""For each that shares it, no more than this many may ever have been above."""
SMALLEST = 2
"""A rule for all is at least this: that most users run one job at a time is nobody's rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApparentLimit:
    """A number that somebody was never above."""

    kind: str
    """Whose: ``user``, ``group``, ``project``, ``queue``, ``partition``."""
    name: str | None
    """Of the one that it is for; ``None`` for a rule for all of the kind."""
    amount: str
    """What is limited: ``processors``, ``jobs`` (that run at once), ``memory`` (GiB)."""
    most: float
    """The limit."""
    at_it: int = 1
    """How many of the kind had exactly this as their highest; 1 for one."""
    above: int = 0
    """How many of the kind were ever above."""
    share: float = 0.0
    """Of all waiting time: what was waited with room for the job while it would have gone
    beyond."""
    since: float | None = None
    until: float | None = None
    """Seconds between which it held; ``None`` where it held for the whole log."""
    period: str = ""
    """The same in words."""

    @property
    def whose(self) -> tuple[str, str | None, str, float]:
        """Whose limit, of what, and how much: the same for two that say the same."""
        return self.kind, self.name, self.amount, self.most

    def __str__(self) -> str:
        """Say the limit in words."""
        what = {
            "processors": f"{self.most:,.0f} running processors",
            "jobs": counted(round(self.most), "running job"),
            "memory": f"{self.most:,.0f} GiB of memory in use",
        }[self.amount]
        while_at = f"{100 * self.share:.0f} % of all waiting time passed at that"
        then = f"{self.period} " if self.period else ""
        if self.name is None:
            ever = "" if self.period else "ever "
            above = f"only {self.above:,}" if self.above else "nobody"
            return (
                f"{then}the highest that {self.at_it:,} {self.kind}s {ever}had is exactly {what}, "
                f"{above} {ever}had more ({while_at})"
            )
        return f"{then}{self.kind} {self.name} was never above {what} ({while_at})"


def shared(most: "NDArray[np.float64]") -> float | None:
    """Return the highest number that many share and hardly anybody exceeds, if there is one."""
    values, counts = np.unique(most, return_counts=True)
    above = len(most) - np.cumsum(counts)
    rule = (counts >= SHARERS) & (above <= FEW_ABOVE * counts) & (values >= SMALLEST)
    return float(values[rule][-1]) if rule.any() else None
