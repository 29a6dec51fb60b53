"""The counted machine of which the size changes in time."""

from bisect import bisect_right
from collections.abc import Sequence

from predictors.registry import PartSpec
from schedulers.core.counting import CountedAvailability, Counting
from schedulers.core.job import Job
from schedulers.core.machine import NEVER


class CountingInTime(Counting):
    """Counts processors, of which some are away at times; jobs that run go on.

    The `steps` say from when on, in seconds and ascending, how many processors there are. Nobody
    knows of a change before its date. While fewer processors are there than jobs have, none is
    free.

    Examples
    --------
    >>> machine = CountingInTime([(60.0, 2)])
    >>> machine.begin(4)
    >>> machine.free, machine.look(60.0), machine.free, machine.next_change(60.0)
    (4, True, 2, inf)
    """

    def __init__(self, steps: Sequence[tuple[float, int]], allocation: PartSpec = "lowest") -> None:
        super().__init__(allocation)
        self.dates = [date for date, _ in steps]
        """When it changes, in seconds."""
        self.sizes = [size for _, size in steps]
        """How many processors there are from then on."""
        self._there = 0

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        super().begin(processors)
        self._there = processors

    def look(self, now: float) -> bool:
        """Move on to a date in seconds; say whether the machine has changed."""
        place = bisect_right(self.dates, now)
        there = min(self.sizes[place - 1], self.size) if place else self.size
        changed = there != self._there
        self.free += there - self._there
        self._there = there
        return changed

    def next_change(self, now: float) -> float:
        """Return the next date in seconds at which it may change."""
        place = bisect_right(self.dates, now)
        return self.dates[place] if place < len(self.dates) else NEVER

    def lasting_refusal(self, job: Job) -> tuple[float, str]:
        """Return from when on a job never has room, `NEVER` if it may have, and why."""
        if not self.sizes or job.processors <= self.sizes[-1]:
            return NEVER, ""
        why = f"asks for {job.processors} processors; the machine has {self.sizes[-1]} from then on"
        return self.dates[-1], why

    def availability(self, now: float) -> CountedAvailability:
        """Return how many are free from now on, as if nothing ran; see `Machine`."""
        return CountedAvailability(self, self._there, now)
