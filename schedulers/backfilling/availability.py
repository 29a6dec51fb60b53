"""How many processors will be free, from now on."""

from bisect import bisect_left, bisect_right

NEVER = float("inf")


class Profile:
    """A step function of time: the number of free processors.

    Invariants: `times` ascends strictly, `free` has as many values, and ``free[i]`` holds from
    ``times[i]`` (included) to ``times[i + 1]`` (excluded), the last one for ever.

    Parameters
    ----------
    processors
        How many are free at first.
    now
        Where the profile begins, in seconds.

    Examples
    --------
    >>> profile = Profile(4, 0.0)
    >>> profile.take(0.0, 10.0, 3)
    >>> profile.earliest(2, 5.0), profile.earliest(1, 5.0)
    (10.0, 0.0)
    """

    __slots__ = ("free", "times")

    def __init__(self, processors: int, now: float) -> None:
        self.times = [now]
        self.free = [processors]

    def advance(self, now: float) -> None:
        """Forget what lies before now."""
        times = self.times
        passed = bisect_right(times, now) - 1
        if passed > 0:
            del times[:passed]
            del self.free[:passed]
        times[0] = now

    def take(self, start: float, end: float, size: int) -> None:
        """Take processors from a start to an end, in seconds; a negative size gives them back."""
        if end <= start:
            return
        first = self._split(start)
        last = len(self.times) if end == NEVER else self._split(end)
        free = self.free
        free[first:last] = [count - size for count in free[first:last]]
        # steps that have become level are joined, so that the profile stays short
        if last < len(free) and free[last] == free[last - 1]:
            del self.times[last], free[last]
        if first and free[first] == free[first - 1]:
            del self.times[first], free[first]

    def _split(self, date: float) -> int:
        """Make a step begin at a date, and return its place."""
        times = self.times
        place = bisect_left(times, date)
        if place == len(times) or times[place] != date:
            times.insert(place, date)
            self.free.insert(place, self.free[place - 1])
        return place

    def earliest(
        self, size: int, duration: float, *, after: float = -NEVER, before: float = NEVER
    ) -> float:
        """Find the earliest date from which on so many processors are free for so long.

        Parameters
        ----------
        size
            How many.
        duration
            How long, in seconds.
        after
            Before this date there is known to be none, in seconds: the search begins there.
        before
            From this date on enough are known to be free, in seconds: the search ends there.
        """
        times, free = self.times, self.free
        first = bisect_right(times, after) - 1 if after > times[0] else 0
        end = NEVER
        waiting = True
        start = before
        for place in range(first, len(times)):
            date = times[place]
            if date >= before or date >= end:
                break
            if free[place] < size:
                waiting = True
                end = NEVER
            elif waiting:
                waiting = False
                start = date if date > after else after  # noqa: FURB136 - asked very often
                end = start + duration
        return before if waiting else start

    def fits(self, size: int, duration: float, *, start: float | None = None) -> bool:
        """Say whether so many processors are free for so long from a date on, else from now on."""
        times, free = self.times, self.free
        first = 0 if start is None else bisect_right(times, start) - 1
        end = (times[0] if start is None else start) + duration
        for place in range(first, len(times)):
            if times[place] >= end:
                break
            if free[place] < size:
                return False
        return True
