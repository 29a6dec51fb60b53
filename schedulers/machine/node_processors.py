"""The free processors of each node, and the choice of a job's processors."""

from collections.abc import Sequence

from schedulers.core.constants import shifted
from schedulers.machine.node_room import Placement, bits_of
from workload_tools.batsim.intervals import Intervals


class NodeProcessors:
    """Gives jobs the lowest free processors of their nodes; node i begins at ``first[i]``."""

    def __init__(self, cores: Sequence[int], first: Sequence[int]) -> None:
        self._first = list(first)
        self._all = [bit - 1 for bit in bits_of(max(cores) + 1)]
        self._free = [self._all[count] for count in cores]
        self._given: dict[int, list[tuple[int, int]]] = {}

    def allocate(self, number: int, placement: Placement) -> Intervals:
        """Give a job the processors of a placement. Enough processors must be free."""
        free, first, masks = self._free, self._first, self._all
        given: list[tuple[int, int]] = []
        intervals: list[tuple[int, int]] = []
        last = -2
        for place, node in enumerate(placement.nodes):
            count = placement.given[place]
            left = free[node]
            mask = masks[count]
            begin = first[node]
            if not left & 1:
                lowest = (left & -left).bit_length() - 1
                mask = shifted(mask, lowest)
                begin += lowest
            if left & mask == mask:
                if begin == last + 1:
                    intervals[-1] = (intervals[-1][0], begin + count - 1)
                else:
                    intervals.append((begin, begin + count - 1))
                last = begin + count - 1
            else:  # they do not stand side by side
                mask = 0
                for _ in range(count):
                    bit = left & -left
                    left ^= bit
                    mask |= bit
                    processor = first[node] + bit.bit_length() - 1
                    if processor == last + 1:
                        intervals[-1] = (intervals[-1][0], processor)
                    else:
                        intervals.append((processor, processor))
                    last = processor
            free[node] ^= mask
            given.append((node, mask))
        if placement.taken != placement.given:
            self._keep_rest(given, placement)
        self._given[number] = given
        return tuple(intervals)

    def _keep_rest(self, given: list[tuple[int, int]], placement: Placement) -> None:
        """Keep the processors that a job does not use and that no other job can use."""
        for place, (node, mask) in enumerate(given):
            more = placement.taken[place] - placement.given[place]
            left = self._free[node]
            if more >= left.bit_count():
                rest = left
            else:
                rest = 0
                for _ in range(more):
                    rest |= (left ^ rest) & -(left ^ rest)
            self._free[node] ^= rest
            given[place] = node, mask | rest

    def release(self, number: int) -> None:
        """Free the processors of a job, if it has any."""
        free = self._free
        for node, mask in self._given.pop(number, ()):
            free[node] ^= mask
