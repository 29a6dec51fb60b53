"""Where on the nodes of a site a job that asks for something has room."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from schedulers.machine.node_layout import Choice, NodeLayout
from schedulers.machine.node_request import Request
from schedulers.machine.node_room import Placement, Room, mask_of
from schedulers.machine.placing import (
    Levels,
    Pieces,
    at_most,
    on_exactly,
    places,
    room_in,
    spread,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE_BY_ONE = 256
"""So many nodes are looked at one by one for their memory, and more of them in arrays."""


class NodeFit:
    """Chooses nodes of a layout for what jobs ask; see `Nodes` for the rules."""

    packs = True
    """Whether what fits on one node has the fullest node that does."""

    def __init__(self, layout: NodeLayout) -> None:
        self._layout = layout
        self._cores, self._whole, self._types = layout.cores, layout.whole, layout.types
        # where a job has more than it asked for
        self._more = layout.whole | layout.threaded

    def place(
        self, request: Request, choice: Choice, room: Room, *, closed: int = 0
    ) -> Placement | None:
        """Choose where a job has room; ``None`` where it has none.

        The nodes in the bit mask `closed` are left out.
        """
        nodes, by_weight = choice.nodes, choice.by_weight
        whole = choice.whole or request.whole
        if self.packs and request.plain and not whole and not closed:
            # by far the most, on most machines
            first, size = by_weight[0] if by_weight else 0, request.processors
            for each in room.levels[size:]:
                if enough := each & first:
                    mask = enough & -enough
                    node = mask.bit_length() - 1
                    total = self._kept(node, size) if self._more & mask else size
                    return Placement((node,), (size,), (total,), None, mask, total)
            found = spread(room.levels, by_weight, request.processors)
            return None if found is None else self._placement(request, found, room, whole=False)
        if closed:
            nodes &= ~closed
        if whole:
            nodes &= self._idle_in(room)
        if request.plain:
            levels: Sequence[int] = room.levels
        else:
            nodes = self._enough_on_each(request, room, nodes)
            levels = self._units(request, room, nodes)
        if nodes != choice.nodes:
            by_weight = tuple(filter(None, (each & nodes for each in by_weight)))
        units = request.processors // request.unit
        if request.gpus:
            levels = at_most(levels, request.most_units)
            return self._with_gpus(request, levels, by_weight, room=room, whole=whole)
        pieces = self._pieces(request, levels, by_weight, units, choice=choice)
        return None if pieces is None else self._placement(request, pieces, room, whole=whole)

    def _pieces(
        self,
        request: Request,
        levels: Levels,
        by_weight: Sequence[int],
        units: int,
        *,
        choice: Choice,
    ) -> Pieces | None:
        """Choose among nodes with room for so many units each; see `placing`."""
        if request.nodes:
            return on_exactly(
                levels, by_weight, units, count=request.nodes, most=request.most_units
            )
        return spread(at_most(levels, request.most_units), by_weight, units)

    def _idle_in(self, room: Room) -> int:
        idle = 0
        for cores, nodes in self._layout.of_size.items():
            if cores < len(room.levels):
                idle |= room.levels[cores] & nodes
        return idle

    def _enough_on_each(self, request: Request, room: Room, nodes: int) -> int:
        """Return those of some nodes that have the memory and GPUs that are needed on each."""
        if room.rest is None:
            return 0 if request.gpus_on_node or request.gpus else nodes
        if request.memory_on_node:
            nodes &= mask_of(room.rest[0] >= request.memory_on_node)
        if request.gpus_on_node:
            nodes &= mask_of(self._gpus(request, room) >= request.gpus_on_node)
        return nodes

    def _gpus(self, request: Request, room: Room) -> "NDArray[np.int64]":
        """Return how many GPUs that would do are free on each node."""
        assert room.rest is not None
        if request.gpu_type:
            typed: NDArray[np.int64] = room.rest[1 + self._types.index(request.gpu_type)]
            return typed
        summed: NDArray[np.int64] = room.rest[1:].sum(axis=0)
        return summed

    def _units(self, request: Request, room: Room, nodes: int) -> list[int]:
        """Return how many units have room on each of some nodes: see `placing`.

        Where all are to be on one, nodes with too few free processors for it are left out.
        """
        unit, memory_of_unit = request.unit, request.memory_of_unit
        top = (len(room.levels) - 1) // unit
        least = request.processors if request.nodes == 1 else unit
        levels = [0] * (top + 1)
        if memory_of_unit and room.rest is not None and nodes.bit_count() <= ONE_BY_ONE:
            fitting = (np.maximum(room.rest[0], 0) // memory_of_unit).tolist()
            for free, each in enumerate(room.levels[least:], least):
                left = each & nodes
                units = free // unit
                while left:
                    lowest = left & -left
                    fits = fitting[lowest.bit_length() - 1]
                    levels[min(units, fits)] |= lowest
                    left ^= lowest
            return levels
        for free, each in enumerate(room.levels[least:], least):
            if each:
                levels[free // unit] |= each & nodes
        if memory_of_unit and room.rest is not None:
            memory = room.rest[0]
            # from the top down: who has too little memory for a level is looked at in the next
            for units in range(top, 0, -1):
                if levels[units]:
                    lacking = levels[units] & ~mask_of(memory >= units * memory_of_unit)
                    levels[units] ^= lacking
                    levels[units - 1] |= lacking
        return levels

    def _with_gpus(
        self,
        request: Request,
        levels: Sequence[int],
        by_weight: Sequence[int],
        *,
        room: Room,
        whole: bool,
    ) -> Placement | None:
        """Choose the nodes that have the GPUs first, and then others for the other units."""
        units = request.processors // request.unit
        if room.rest is None or sum(room_in(levels, nodes) for nodes in by_weight) < units:
            return None
        room_on = {
            place: (level, rank)
            for rank, nodes in enumerate(by_weight)
            for level, each in enumerate(levels)
            if level
            for place in places(each & nodes)
        }
        free = self._gpus(request, room)
        having = [place for place in room_on if free[place]]
        chosen: dict[int, int] = {}
        # those of the least weight, unless that takes more nodes than there are units
        for by_rank in (True, False):
            having.sort(key=lambda place: (by_rank and room_on[place][1], -free[place], place))
            chosen, left = {}, request.gpus
            for place in having:
                chosen[place] = min(left, int(free[place]))
                left -= chosen[place]
                if not left:
                    break
            if not left and len(chosen) <= units:
                break
        else:
            return None
        given = dict.fromkeys(chosen, 1)
        units -= len(chosen)
        for place in chosen:
            more = min(units, room_on[place][0] - 1)
            given[place] += more
            units -= more
        if units:
            others = ~sum(1 << place for place in chosen)
            pieces = spread(levels, [nodes & others for nodes in by_weight], units)
            assert pieces is not None
            given.update((place, each) for nodes, each in pieces for place in places(nodes))
        pieces = [(1 << place, each) for place, each in given.items()]
        return self._placement(request, pieces, room, whole=whole, gpus=chosen)

    def _placement(
        self,
        request: Request,
        pieces: Pieces,
        room: Room,
        *,
        whole: bool,
        gpus: dict[int, int] | None = None,
    ) -> Placement:
        """Return what a job gets of each node, of the units that it gets there."""
        unit, cores, mask, total = request.unit, self._cores, 0, 0
        on: list[tuple[int, int]] = []
        for chosen, units in pieces:
            mask |= chosen
            count = units * unit
            total += count * chosen.bit_count()
            left = chosen
            while left:
                lowest = left & -left
                on.append((lowest.bit_length() - 1, count))
                left ^= lowest
        if len(pieces) > 1:
            on.sort()
        nodes, given = zip(*on, strict=True)
        taken: tuple[int, ...] = given
        if whole or self._more & mask:
            taken = tuple([cores[node] if whole else self._kept(node, count) for node, count in on])
            total = sum(taken)
        rest = self._rest_taken(request, room, on, gpus) if request.of_rest else None
        return Placement(nodes, given, taken, rest, mask, total)

    def _kept(self, node: int, count: int) -> int:
        """Return how many processors of a node nobody else can have beside so many."""
        if self._whole >> node & 1:
            return self._cores[node]
        threads = self._layout.threads[node]
        return -(-count // threads) * threads

    def _rest_taken(
        self, request: Request, room: Room, on: list[tuple[int, int]], gpus: dict[int, int] | None
    ) -> "NDArray[np.int64] | None":
        """Return the memory and GPUs that a job gets on nodes, of which it gets some processors."""
        if room.rest is None:
            return None
        unit, nodes = request.unit, [place for place, _ in on]
        rest = np.zeros((len(room.rest), len(nodes)), dtype=np.int64)
        for column, (place, count) in enumerate(on):
            rest[0, column] = request.memory_on_node + request.memory_of_unit * (count // unit)
            left = request.gpus_on_node if gpus is None else gpus.get(place, 0)
            if left and request.gpu_type:
                rest[1 + self._types.index(request.gpu_type), column] = left
                continue
            for row in range(1, len(room.rest)):
                found = min(left, int(room.rest[row, place]))
                rest[row, column] = found
                left -= found
        return rest

    def holding(self, request: Request, choice: Choice) -> int:
        """Return how many idle nodes have room for what is asked for of each of them, or a unit."""
        nodes = self._enough_on_each(request, self._layout.idle, choice.nodes)
        if request.gpus:
            nodes &= (
                mask_of(self._gpus(request, self._layout.idle) > 0)
                if self._layout.idle.rest is not None
                else 0
            )
        each = -(-request.processors // request.unit // request.nodes) if request.nodes else 1
        levels = self._units(request, self._layout.idle, nodes)
        return sum(one.bit_count() for one in levels[each:])
