"""The nodes of a site, and where on them a job that asks for something has room."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from predictors.registry import nearest
from schedulers.machine.asked import KIB, Request
from schedulers.machine.node_room import Placement, Room, mask_of
from schedulers.machine.placing import Pieces, at_most, on_exactly, places, room_in, spread
from schedulers.site.checks import texts
from schedulers.site.node_sets import node_set
from schedulers.site.site import Partition, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNLIMITED = 2**60
"""The memory, in KiB, of nodes of which the site tells none."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Nodes among which a job may have some: those of a partition with the features it asks for."""

    where: str
    nodes: int
    """As a bit mask."""
    by_weight: tuple[int, ...]
    """The same, those of the least weight first."""
    whole: bool
    """Whether all that is asked for there is whole nodes."""


class NodeLayout:
    """The nodes of a site in the order of its classes; see `Nodes`."""

    def __init__(self, site: Site) -> None:
        self.cores: list[int] = []
        """Processors on each."""
        self.first: list[int] = []
        """The lowest of them."""
        self._weights: dict[int, int] = {}
        self._features: dict[str, int] = {}
        self._of_size: dict[int, int] = {}
        self.whole = 0
        """Nodes that a job has as a whole, as a bit mask."""
        self.processors = 0
        for one in site.nodes:
            start = len(self.cores)
            self.cores += [one.cores] * one.count
            mask = ((1 << one.count) - 1) << start
            self.first += range(self.processors, self.processors + one.count * one.cores, one.cores)
            self.processors += one.count * one.cores
            self._weights[one.weight] = self._weights.get(one.weight, 0) | mask
            self._of_size[one.cores] = self._of_size.get(one.cores, 0) | mask
            for feature in one.features:
                self._features[feature] = self._features.get(feature, 0) | mask
            if one.whole:
                self.whole |= mask
        self.all = (1 << len(self.cores)) - 1
        self.partitions: dict[str, int] = {}
        """The nodes of each, as a bit mask."""
        self._partitions: dict[str, Partition] = {}
        self._default: str | None = None
        for partition in site.partitions:
            found = node_set(texts(partition.nodes), site.nodes, partition.name)
            self.partitions[partition.name] = sum(1 << place for place in found)
            self._partitions[partition.name] = partition
            if partition.default:
                self._default = partition.name
        self._types = sorted({name for one in site.nodes for name in one.gpus})
        self.memory = any(one.memory is not None for one in site.nodes)
        """Whether that of any is told."""
        self.idle = Room(list(self.cores), self._rest_of(site), top=max(self.cores))
        """An idle machine; to be copied."""

    def _rest_of(self, site: Site) -> "NDArray[np.int64] | None":
        """Return the memory and the GPUs of each type, in rows, on each node."""
        if not self._types and not self.memory:
            return None
        columns = [
            [
                UNLIMITED if one.memory is None else round(one.memory * KIB),
                *(one.gpus.get(name, 0) for name in self._types),
            ]
            for one in site.nodes
            for _ in range(one.count)
        ]
        return np.array(columns, dtype=np.int64).T.copy()

    def choices(self, request: Request) -> list[Choice] | str:
        """Return where a job may run, in the order in which it is tried; or why nowhere."""
        names: list[str | None] = [None]
        if self._partitions:
            names = list(request.partitions)
            for name in request.partitions:
                if name not in self._partitions:
                    return (
                        f"asks for partition '{name}', which the site does not have: "
                        f"{nearest(name, self._partitions)}"
                    )
            if not names:
                names = [request.queue if request.queue in self._partitions else self._default]
        with_features = self.all
        if request.features:
            with_features = 0
            for alternative in request.features.split("|"):
                having = self.all
                for feature in alternative.split("&"):
                    having &= self._features.get(feature.strip(), 0)
                with_features |= having
        if request.gpu_type and request.gpu_type not in self._types:
            return f"asks for GPUs of type '{request.gpu_type}', which no node has"
        return [self._choice(name, with_features, request.features) for name in names]

    def _choice(self, partition: str | None, with_features: int, features: str) -> Choice:
        nodes, where, whole = with_features, "the machine", False
        if partition is not None:
            nodes &= self.partitions[partition]
            where, whole = f"partition '{partition}'", self._partitions[partition].whole
        if features:
            where += f" with '{features}'"
        by_weight = (nodes & self._weights[weight] for weight in sorted(self._weights))
        return Choice(where, nodes, tuple(filter(None, by_weight)), whole)

    def place(
        self, request: Request, choice: Choice, room: Room, *, closed: int = 0
    ) -> Placement | None:
        """Choose where a job has room; ``None`` where it has none.

        The nodes in the bit mask `closed` are left out.
        """
        nodes, by_weight = choice.nodes, choice.by_weight
        whole = choice.whole or request.whole
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
        if request.nodes:
            pieces = on_exactly(
                levels, by_weight, units, count=request.nodes, most=request.most_units
            )
        else:
            pieces = spread(at_most(levels, request.most_units), by_weight, units)
        return None if pieces is None else self._placement(request, pieces, room, whole=whole)

    def _idle_in(self, room: Room) -> int:
        idle = 0
        for cores, nodes in self._of_size.items():
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
        """Return how many units have room on each of some nodes: see `placing`."""
        unit = request.unit
        top = (len(room.levels) - 1) // unit
        levels = [0] * (top + 1)
        for free, each in enumerate(room.levels):
            levels[free // unit] |= each & nodes
        if request.memory_of_unit and room.rest is not None:
            memory = room.rest[0]
            # from the top down: who has too little memory for a level is looked at in the next
            for units in range(top, 0, -1):
                if levels[units]:
                    lacking = levels[units] & ~mask_of(memory >= units * request.memory_of_unit)
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
        unit = request.unit
        if len(pieces) == 1 and not pieces[0][0] & (pieces[0][0] - 1):
            mask, units = pieces[0]
            node, count = mask.bit_length() - 1, units * unit
            total = self.cores[node] if whole or self.whole & mask else count
            rest = (
                self._rest_taken(request, room, [(node, count)], gpus) if request.of_rest else None
            )
            return Placement((node,), (count,), (total,), rest, mask, total)
        on = [(place, units * unit) for nodes, units in pieces for place in places(nodes)]
        if len(on) > 1:
            on.sort()
        nodes, given = tuple(place for place, _ in on), tuple(count for _, count in on)
        taken = given
        if whole:
            taken = tuple(self.cores[place] for place in nodes)
        elif self.whole:
            taken = tuple(
                self.cores[place] if self.whole >> place & 1 else count for place, count in on
            )
        mask = 0
        for chosen, _ in pieces:
            mask |= chosen
        total = sum(taken)
        rest = self._rest_taken(request, room, on, gpus) if request.of_rest else None
        return Placement(nodes, given, taken, rest, mask, total)

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

    def processors_of(self, nodes: int) -> int:
        """Return how many processors some nodes have, given as a bit mask."""
        return room_in(self.idle.levels, nodes)

    def holding(self, request: Request, choice: Choice) -> int:
        """Return how many idle nodes have room for what is asked for of each of them, or a unit."""
        nodes = self._enough_on_each(request, self.idle, choice.nodes)
        if request.gpus:
            nodes &= (
                mask_of(self._gpus(request, self.idle) > 0) if self.idle.rest is not None else 0
            )
        each = -(-request.processors // request.unit // request.nodes) if request.nodes else 1
        levels = self._units(request, self.idle, nodes)
        return sum(one.bit_count() for one in levels[each:])
