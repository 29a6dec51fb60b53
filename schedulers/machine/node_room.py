"""What is free on each node: processors, and memory and GPUs where the site tells of any."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Placement(NamedTuple):
    """What a job has, or is to have, of some nodes."""

    nodes: tuple[int, ...]
    """Their numbers, ascending."""
    given: tuple[int, ...]
    """The processors that it asked for, on each."""
    taken: tuple[int, ...]
    """Those that nobody else can have: all, of whole nodes."""
    rest: "NDArray[np.int64] | None" = None
    """Memory in KiB and GPUs of each type, in rows, on each node; ``None`` without."""
    mask: int = 0
    """The nodes."""
    total: int = 0
    """Of what is taken."""

    def within(self, nodes: int) -> int:
        """Return how many processors it takes of some nodes, given as a bit mask."""
        common = self.mask & nodes
        if common == self.mask:
            return self.total
        if not common:
            return 0
        return sum(
            count for node, count in zip(self.nodes, self.taken, strict=True) if common >> node & 1
        )


class Room:
    """What is free on each node.

    Invariant: the node is in the bit mask ``levels[free]`` where ``free``, the processors that are
    free there, is above 0. It is below where jobs go on that run on what has been taken away.
    """

    __slots__ = ("free", "free_on", "levels", "rest")

    def __init__(self, free_on: list[int], rest: "NDArray[np.int64] | None", *, top: int) -> None:
        self.free_on = free_on
        """Processors on each node."""
        self.rest = rest
        """Memory in KiB and GPUs of each type, in rows, on each node."""
        self.levels = levels = [0] * (top + 1)
        for place, free in enumerate(free_on):
            if free > 0:
                levels[free] |= 1 << place
        self.free = sum(free for free in free_on if free > 0)

    @classmethod
    def of(cls, free_on: "NDArray[np.int64]", rest: "NDArray[np.int64] | None") -> "Room":
        """Return room to choose in, not to be changed; nothing is below 0."""
        room = cls.__new__(cls)
        counts = np.bincount(free_on)
        room.levels = [
            mask_of(free_on == level) if level and count else 0
            for level, count in enumerate(counts.tolist())
        ]
        room.rest = rest
        return room

    def has(self, placement: Placement) -> bool:
        """Say whether what is placed has room."""
        free_on = self.free_on
        if any(
            free_on[node] < count
            for node, count in zip(placement.nodes, placement.taken, strict=True)
        ):
            return False
        if placement.rest is None or self.rest is None:
            return True
        return bool((self.rest[:, placement.nodes] >= placement.rest).all())

    def copy(self) -> "Room":
        """Return the same room, to be changed."""
        other = Room.__new__(Room)
        other.free_on, other.levels, other.free = self.free_on[:], self.levels[:], self.free
        other.rest = None if self.rest is None else self.rest.copy()
        return other

    def take(self, placement: Placement) -> None:
        """Take what a job gets."""
        self._add(placement, -1)

    def give_back(self, placement: Placement) -> None:
        """Give back what a job had."""
        self._add(placement, 1)

    def give_back_all(self, placements: Sequence[Placement]) -> None:
        """Give back what several jobs had."""
        for placement in placements:
            self._count(placement, 1)
        rests = [one for one in placements if one.rest is not None]
        if rests and self.rest is not None:
            nodes = [node for one in rests for node in one.nodes]
            amounts = np.concatenate([one.rest for one in rests if one.rest is not None], axis=1)
            for row, more in zip(self.rest, amounts, strict=True):
                np.add.at(row, nodes, more)

    def _add(self, placement: Placement, sign: int) -> None:
        self._count(placement, sign)
        if placement.rest is not None and self.rest is not None:
            self.rest[:, placement.nodes] += sign * placement.rest

    def _count(self, placement: Placement, sign: int) -> None:
        free_on, levels, free = self.free_on, self.levels, self.free
        for node, count in zip(placement.nodes, placement.taken):  # noqa: B905 - asked very often
            before = free_on[node]
            free_on[node] = after = before + sign * count
            bit = 1 << node
            if before > 0:
                levels[before] ^= bit
                free -= before
            if after > 0:
                levels[after] ^= bit
                free += after
        self.free = free


def mask_of(chosen: "NDArray[np.bool_]") -> int:
    """Return a bit mask of the nodes for which an array says so."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
