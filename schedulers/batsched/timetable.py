"""The free processors over time."""

from bisect import bisect_left

from schedulers.batsched.processors import lowest
from workload_tools.batsim.intervals import Intervals


class Timetable:
    """The processors that nobody has, from now on; dates are whole numbers of any unit.

    It is a list of slices. Each lasts until the next begins, the last for ever; in none of two
    neighbours the same processors are free.

    Examples
    --------
    >>> timetable = Timetable(4)
    >>> timetable.take(3, 10)
    (0, 7, ((0, 2),))
    >>> timetable.take(2, 5)
    (10, 3, ((0, 1),))
    >>> timetable.take(1, 12)
    (0, 8, ((3, 3),))
    """

    def __init__(self, processors: int) -> None:
        self._begins = [0]
        self._free = [(1 << processors) - 1]

    def advance(self, now: int) -> None:
        """Forget what was before a date, which is not before the last one."""
        begins = self._begins
        passed = bisect_left(begins, now + 1) - 1
        if passed:
            del begins[:passed]
            del self._free[:passed]
        begins[0] = now

    def give_back(self, bits: int, begin: int, end: int) -> None:
        """Free processors from a date to another, or from now if that is later."""
        begins, free = self._begins, self._free
        if end <= begins[0]:
            return
        first = self._split(begin) if begin > begins[0] else 0
        last = self._split(end)
        for place in range(first, last):
            free[place] |= bits
        self._join(last)
        self._join(first)

    def take(self, size: int, length: int) -> tuple[int, int, Intervals]:
        """Take the lowest processors that are free for some time, as early as possible.

        Returns the date from which on, and the processors as bits and as intervals.
        """
        begins, free = self._begins, self._free
        first, last, available = self._first_fit(size, length)
        begin = begins[first]
        end = begin + length
        bits, intervals = lowest(available, size)
        if last == len(begins) or begins[last] != end:
            begins.insert(last, end)
            free.insert(last, free[last - 1])
        for place in range(first, last):
            free[place] ^= bits
        self._join(last)
        self._join(first)
        return begin, bits, intervals

    def _first_fit(self, size: int, length: int) -> tuple[int, int, int]:
        """Return the first slice, the one behind the last, and what is free in all of them."""
        begins, free = self._begins, self._free
        count = len(begins)
        first = 0
        while True:
            available = free[first]
            if available.bit_count() >= size:
                end = begins[first] + length
                last = first + 1
                while last < count and begins[last] < end:
                    available &= free[last]
                    if available.bit_count() < size:
                        break
                    last += 1
                else:
                    return first, last, available
            first += 1

    def _split(self, date: int) -> int:
        """Return the slice that begins at a date, which is later than the first one's."""
        begins = self._begins
        place = bisect_left(begins, date)
        if place == len(begins) or begins[place] != date:
            begins.insert(place, date)
            self._free.insert(place, self._free[place - 1])
        return place

    def _join(self, place: int) -> None:
        """Make one slice of this one and the one before, if the same processors are free."""
        if place and self._free[place] == self._free[place - 1]:
            del self._free[place]
            del self._begins[place]
