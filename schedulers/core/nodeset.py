"""A set of nodes of a machine, stored as an integer.

The compiled core uses ``nodeset.pyx`` instead, which stores 64-bit words. No other class of the
core is written twice. ``tests/schedulers/core/test_nodeset.py`` compares the two versions.
"""


class NodeSet:
    """A set of nodes of a machine, which are numbered from 0.

    Two sets can be combined if their machines have the same size.

    Examples
    --------
    >>> nodes = NodeSet(6)
    >>> nodes.add_range(0, 2)
    >>> nodes.add_range(4, 5)
    >>> bin(nodes.bits), nodes.count(), bin(nodes.runs(4).bits)
    ('0b110111', 5, '0b10111')
    """

    __slots__ = ("bits", "nodes")

    def __init__(self, nodes: int, bits: int = 0) -> None:
        self.nodes = nodes
        """How many nodes the machine has."""
        self.bits = bits
        """The set as a bit mask."""

    def copy(self) -> "NodeSet":
        """Return a copy of the set."""
        return NodeSet(self.nodes, self.bits)

    def minus(self, other: "NodeSet") -> "NodeSet":
        """Return the nodes that are not in another set."""
        return NodeSet(self.nodes, self.bits & ~other.bits)

    def assign(self, other: "NodeSet") -> None:
        """Become equal to another set."""
        self.bits = other.bits

    def add(self, other: "NodeSet") -> None:
        """Add the nodes of another set."""
        self.bits |= other.bits

    def add_range(self, first: int, last: int) -> None:
        """Add the nodes `first` to `last`."""
        if first < 0 or last >= self.nodes:
            raise IndexError("no such nodes")
        self.bits |= (1 << last + 1) - (1 << first)

    def remove(self, other: "NodeSet") -> None:
        """Remove the nodes of another set."""
        self.bits &= ~other.bits

    def keep(self, other: "NodeSet") -> bool:
        """Keep only the nodes of another set; return whether any were removed."""
        bits = self.bits
        self.bits = bits & other.bits
        return self.bits != bits

    def count(self) -> int:
        """Return the number of nodes."""
        return self.bits.bit_count()

    def count_common(self, other: "NodeSet") -> int:
        """Return the number of nodes that both sets have."""
        return (self.bits & other.bits).bit_count()

    def equals(self, other: "NodeSet") -> bool:
        """Say whether another set has the same nodes."""
        return self.bits == other.bits

    def overlaps(self, other: "NodeSet") -> bool:
        """Say whether both sets share a node."""
        return bool(self.bits & other.bits)

    def contains(self, other: "NodeSet") -> bool:
        """Say whether the set has all nodes of another set."""
        return not other.bits & ~self.bits

    def gains(self, before: "NodeSet", after: "NodeSet", among: "NodeSet") -> bool:
        """Say whether `after` has nodes of `among` that this set or `before` lacks."""
        return bool(after.bits & among.bits & ~(self.bits & before.bits))

    def runs(self, count: int) -> "NodeSet":
        """Choose `count` nodes from the smallest sufficient run of neighbours.

        If no run suffices, take the whole largest run, and choose the remaining nodes in the same
        way. Among runs of equal size, take the one with the lowest numbers.

        Raises
        ------
        ValueError
            The set has fewer nodes.
        """
        chosen = NodeSet(self.nodes)
        free = self.bits
        while True:
            best = largest = best_size = largest_size = 0
            left = free
            while left:
                behind = left + (left & -left)
                run = left & ~behind
                left &= behind
                size = run.bit_count()
                if size >= count and (not best or size < best_size):
                    best, best_size = run, size
                if size > largest_size:
                    largest, largest_size = run, size
            if best:
                low = best & -best
                chosen.bits |= (low << count) - low
                return chosen
            if not largest:
                raise ValueError("there are fewer nodes than requested")
            chosen.bits |= largest
            free &= ~largest
            count -= largest_size
