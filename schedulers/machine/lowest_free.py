"""The allocation rule that takes the free processors with the lowest numbers."""

from bisect import bisect_left

from procset import ProcSet

from workload_tools.batsim.intervals import Intervals


class LowestFree:
    """Gives each job the free processors with the lowest numbers.

    The free processors are kept as intervals, lowest first, because a job mostly takes the first of
    them: an allocation costs as much as it has intervals, on a machine of any size.

    Examples
    --------
    >>> rule = LowestFree(8)
    >>> rule.allocate(3), rule.allocate(2)
    (((0, 2),), ((3, 4),))
    >>> rule.release(((0, 2),))
    >>> rule.allocate(4)
    ((0, 2), (5, 5))
    """

    def __init__(self, processors: int) -> None:
        self._first = [0]
        self._last = [processors - 1]

    def processors(self) -> ProcSet:
        """Return the free processors."""
        return ProcSet(*zip(self._first, self._last, strict=True))

    def allocate(self, size: int) -> Intervals:
        """Take processors; there must be as many free."""
        firsts, lasts = self._first, self._last
        first = firsts[0]
        after = first + size
        last = lasts[0]
        if after <= last:
            firsts[0] = after
            return ((first, after - 1),)
        taken = []
        whole = 0
        while True:
            first = firsts[whole]
            last = lasts[whole]
            length = last - first + 1
            if length > size:
                taken.append((first, first + size - 1))
                firsts[whole] = first + size
                break
            taken.append((first, last))
            whole += 1
            size -= length
            if not size:
                break
        del firsts[:whole], lasts[:whole]
        return tuple(taken)

    def release(self, intervals: Intervals) -> None:
        """Give processors back."""
        firsts, lasts = self._first, self._last
        for first, last in intervals:
            place = bisect_left(firsts, first)
            joins_right = place < len(firsts) and firsts[place] == last + 1
            if place and lasts[place - 1] == first - 1:
                if joins_right:
                    lasts[place - 1] = lasts[place]
                    del firsts[place], lasts[place]
                else:
                    lasts[place - 1] = last
            elif joins_right:
                firsts[place] = first
            else:
                firsts.insert(place, first)
                lasts.insert(place, last)
