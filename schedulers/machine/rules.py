"""The contract of allocation rules, and the rules for contiguous blocks of processors."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol, TypeAlias

from procset import ProcSet

from workload_tools.batsim.intervals import Intervals


class FreeProcessors(Protocol):
    """The free processors of a machine, and the choice among them. The machine counts them."""

    def allocate(self, size: int) -> Intervals:
        """Take `size` free processors. The caller makes sure that enough are free."""
        ...

    def release(self, intervals: Intervals) -> None:
        """Give processors back."""
        ...


Allocation: TypeAlias = Callable[[int], FreeProcessors]
"""Makes the free processors of an idle machine of a size."""


class ByRule:
    """Keeps the free processors as a ``ProcSet``. Subclasses define `choose`."""

    def __init__(self, processors: int) -> None:
        self._processors = ProcSet((0, processors - 1))

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Return `size` of the free processors. Enough are free."""
        raise NotImplementedError

    def allocate(self, size: int) -> Intervals:
        """Take processors; see `FreeProcessors`."""
        chosen = self.choose(self._processors, size)
        assert len(chosen) == size
        assert chosen <= self._processors
        self._processors -= chosen
        return tuple((block.inf, block.sup) for block in chosen.intervals())

    def release(self, intervals: Intervals) -> None:
        """Give processors back; see `FreeProcessors`."""
        self._processors |= ProcSet(*intervals)


def _blocks(free: ProcSet) -> Iterator[tuple[int, int]]:
    for block in free.intervals():
        yield block.inf, block.sup - block.inf + 1


def _lowest(free: ProcSet, size: int) -> ProcSet:
    return ProcSet(*islice(free, size))


class Contiguous(ByRule):
    """Takes the lowest block that holds the whole job, else the lowest free processors.

    Examples
    --------
    >>> rule = Contiguous(10)
    >>> rule.allocate(2), rule.allocate(4)
    (((0, 1),), ((2, 5),))
    >>> rule.release(((0, 1),))
    >>> rule.allocate(3), rule.allocate(3)
    (((6, 8),), ((0, 1), (9, 9)))
    """

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Choose processors; see `ByRule`."""
        for first, length in _blocks(free):
            if length >= size:
                return ProcSet((first, first + size - 1))
        return _lowest(free, size)


class BestFit(ByRule):
    """Takes the smallest block that holds the whole job, else the lowest free processors.

    Of blocks of equal length, it takes the lowest.

    Examples
    --------
    >>> rule = BestFit(10)
    >>> rule.allocate(2), rule.allocate(4)
    (((0, 1),), ((2, 5),))
    >>> rule.release(((0, 1),))
    >>> rule.allocate(1), rule.allocate(3)
    (((0, 0),), ((6, 8),))
    """

    def choose(self, free: ProcSet, size: int) -> ProcSet:
        """Choose processors; see `ByRule`."""
        holding = [(length, first) for first, length in _blocks(free) if length >= size]
        if not holding:
            return _lowest(free, size)
        _, first = min(holding)
        return ProcSet((first, first + size - 1))
