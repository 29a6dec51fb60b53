"""The free processors on each node, and free memory and GPUs if the site states them."""

from collections.abc import Sequence

Rows = list[list[int]]
"""One row for memory (KiB) and one for each type of GPU, with a number for each node."""


class Placement:
    """The resources of a job on its nodes. `nodes` is ascending, `mask` is the same as bit mask.

    `given` holds the requested processors on each node. `taken` holds the processors that no other
    job can use, which are all processors of whole nodes. `total` is the sum of `taken`. `rest`
    holds the job's memory and GPUs on each node, or is ``None``.
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
        """Return how many processors the job takes on some nodes, given as a bit mask."""
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

    `free_on` holds the free processors on each node, and `free` is their sum. A number is negative
    if jobs run on processors that an outage has taken away. Invariant: a node with ``n`` > 0 free
    processors is in the bit mask ``levels[n]``. `rest` holds the free memory and GPUs on each node,
    or is ``None`` if the site states none.
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
        """Return True if a placement has room."""
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
        """Return the nodes, as a bit mask, with at least an amount in a row of `rest`."""
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
