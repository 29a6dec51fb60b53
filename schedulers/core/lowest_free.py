"""The allocation rule that takes the free processors with the lowest numbers."""

from procset import ProcSet

from workload_tools.batsim.intervals import Intervals


class Span:
    """A range of free processors."""

    __slots__ = ("first", "last")

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last


class LowestFree:
    """Gives each job the free processors with the lowest numbers.

    The rule stores the free processors as spans, lowest first. So the time of an allocation depends
    on the number of these spans and not on the size of the machine.

    Examples
    --------
    >>> rule = LowestFree(8)
    >>> rule.allocate(3), rule.allocate(2)
    (((0, 2),), ((3, 4),))
    >>> rule.release(((0, 2),))
    >>> rule.allocate(4)
    ((0, 2), (5, 5))
    """

    __slots__ = ("spans",)

    def __init__(self, processors: int) -> None:
        self.spans: list[Span] = [Span(0, processors - 1)]

    def processors(self) -> ProcSet:
        """Return the free processors."""
        return ProcSet(*[(span.first, span.last) for span in self.spans])

    def allocate(self, size: int) -> Intervals:
        """Take `size` processors. At least `size` processors must be free."""
        spans = self.spans
        span = spans[0]
        first = span.first
        if span.last - first >= size:
            span.first = first + size
            return ((first, first + size - 1),)
        taken = []
        whole = 0
        while size:
            span = spans[whole]
            length = span.last - span.first + 1
            if length > size:
                taken.append((span.first, span.first + size - 1))
                span.first += size
                break
            taken.append((span.first, span.last))
            size -= length
            whole += 1
        del spans[:whole]
        return tuple(taken)

    def release(self, intervals: Intervals) -> None:
        """Give processors back."""
        for first, last in intervals:
            self.free(first, last)

    def free(self, first: int, last: int) -> None:
        """Give back the processors `first` to `last` and join neighbouring spans."""
        spans = self.spans
        low, high = 0, len(spans)
        while low < high:
            middle = (low + high) >> 1
            span = spans[middle]
            if span.first < first:
                low = middle + 1
            else:
                high = middle
        if low < len(spans):
            span = spans[low]
            if span.first == last + 1:
                span.first = first
                if low:
                    before = spans[low - 1]
                    if before.last == first - 1:
                        before.last = span.last
                        del spans[low]
                return
        if low:
            before = spans[low - 1]
            if before.last == first - 1:
                before.last = last
                return
        spans.insert(low, Span(first, last))
