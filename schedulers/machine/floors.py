"""Dates before which a counted machine is known to have no place."""

from bisect import bisect_left, bisect_right

from schedulers.machine.machine import NEVER


class Floors:
    """For sizes and lengths of jobs the dates before which no place is searched again.

    A job for which the earliest place is at some date tells that no job of its size, and of its
    length or longer, has one before; until something is freed that begins before that date.

    Of each size the lengths are kept in ascending order with their dates, which ascend as well:
    what a shorter length tells of a later date is enough.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[float], list[float]]] = {}
        self._latest = -NEVER

    def of(self, size: int, duration: float) -> float:
        """Return a date, in seconds, before which such a job has no place."""
        known = self._known.get(size)
        if known is None:
            return -NEVER
        place = bisect_right(known[0], duration)
        return known[1][place - 1] if place else -NEVER

    def add(self, size: int, duration: float, date: float) -> None:
        """Note the earliest place of such a job, in seconds; it is later than `of` tells."""
        known = self._known.get(size)
        if known is None:
            self._known[size] = ([duration], [date])
        else:
            durations, dates = known
            first = bisect_left(durations, duration)
            last = bisect_right(dates, date, first)
            durations[first:last] = (duration,)
            dates[first:last] = (date,)
        if date > self._latest:
            self._latest = date

    def freed(self, start: float) -> None:
        """Forget what something that was freed from a date on, in seconds, may have changed."""
        if self._latest <= start:
            return
        self._latest = start
        for durations, dates in self._known.values():
            if dates and dates[-1] > start:
                kept = bisect_right(dates, start)
                del durations[kept:], dates[kept:]
