"""The free processors, memory and GPUs of each node, and the choice of a job's processors."""

from collections.abc import Sequence

from schedulers.core.constants import shifted
from workload_tools.batsim.intervals import Intervals

Rows = list[list[int]]
"""A row for memory (in KiB) and a row for each type of GPU, with a number for each node."""


class Placement:
    """The resources of a job on its nodes.

    `nodes` holds the numbers of the nodes in ascending order. `mask` is a bit mask of them.
    `given` holds the requested processors on each node. `taken` holds the processors that no other
    job can use, such as all processors of a whole node. `total` is the sum of `taken`. `rest` holds
    the job's memory and GPUs on each node, or is ``None``.
    """

    __slots__ = ("given", "mask", "nodes", "rest", "taken", "total")

    def __init__(
        self,
        nodes: Sequence[int],
        given: Sequence[int],
        taken: Sequence[int],
        rest: Rows | None = None,
        mask: int = 0,
        total: int = 0,
    ) -> None:
        self.nodes = tuple(nodes)
        self.given = tuple(given)
        self.taken = tuple(taken)
        self.rest = rest
        self.mask = mask
        self.total = total

    def within(self, nodes: int) -> int:
        """Return how many processors the job takes on the nodes of a bit mask."""
        common = self.mask & nodes
        if common == self.mask:
            return self.total
        total = 0
        if common:
            for place, node in enumerate(self.nodes):
                if common >> node & 1:
                    total += self.taken[place]
        return total


class Room:
    """The free resources on each node.

    `free_on` holds the free processors on each node. `free` is the sum of the positive numbers. A
    number is negative if jobs run on processors that an outage has taken away. Invariant: a node
    with ``n`` > 0 free processors is in the bit mask ``levels[n]``. `rest` holds the free memory
    and GPUs on each node, or is ``None`` if the site states no memory and no GPUs.
    """

    __slots__ = ("bits", "free", "free_on", "levels", "rest")

    def __init__(
        self, free_on: Sequence[int], rest: Rows | None, *, top: int, bits: list[int] | None = None
    ) -> None:
        self.free_on = list(free_on)
        self.rest = rest
        self.bits = bits or bits_of(len(free_on))
        self.levels = [0] * (top + 1)
        self.free = 0
        for place, free in enumerate(self.free_on):
            if free > 0:
                self.levels[free] |= self.bits[place]
                self.free += free

    def has(self, placement: Placement) -> bool:
        """Return ``True`` if all resources of a placement are free."""
        free_on, nodes = self.free_on, placement.nodes
        for place, node in enumerate(nodes):
            if free_on[node] < placement.taken[place]:
                return False
        if placement.rest is not None and self.rest is not None:
            for row, amounts in enumerate(placement.rest):
                free_on = self.rest[row]
                for place, node in enumerate(nodes):
                    if free_on[node] < amounts[place]:
                        return False
        return True

    def copy(self) -> "Room":
        """Return a copy that can be changed."""
        other = Room.__new__(Room)
        other.free_on, other.levels, other.free = self.free_on[:], self.levels[:], self.free
        other.bits = self.bits
        other.rest = None if self.rest is None else [row[:] for row in self.rest]
        return other

    def take(self, placement: Placement) -> None:
        """Take the resources of a placement."""
        self._add(placement, -1)

    def give_back(self, placement: Placement) -> None:
        """Free the resources of a placement."""
        self._add(placement, 1)

    def _add(self, placement: Placement, sign: int) -> None:
        free_on, levels, bits, nodes = self.free_on, self.levels, self.bits, placement.nodes
        taken, free = placement.taken, self.free
        for place, node in enumerate(nodes):
            before = free_on[node]
            after = before + sign * taken[place]
            free_on[node] = after
            bit = bits[node]
            if before > 0:
                levels[before] ^= bit
                free -= before
            if after > 0:
                levels[after] ^= bit
                free += after
        self.free = free
        if placement.rest is not None and self.rest is not None:
            for number, amounts in enumerate(placement.rest):
                row = self.rest[number]
                for place, node in enumerate(nodes):
                    amount = amounts[place]
                    if amount:
                        row[node] += sign * amount

    def having(self, number: int, least: int) -> int:
        """Return the nodes, as a bit mask, that have at least `least` in row `number` of `rest`."""
        assert self.rest is not None
        nodes = 0
        for place, free in enumerate(self.rest[number]):
            if free >= least:
                nodes |= self.bits[place]
        return nodes


def bits_of(count: int) -> list[int]:
    """Return the bit mask of each single node, by its number."""
    bits, bit = [], 1
    for _ in range(count):
        bits.append(bit)
        bit += bit
    return bits


class NodeProcessors:
    """Gives jobs the lowest free processors of their nodes.

    ``first[i]`` is the lowest processor of node i.
    """

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
            else:  # the lowest free processors are not neighbours
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
        """Also take the processors that the job does not use but no other job can use."""
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
