"""The choice of nodes for a request."""

from collections.abc import Sequence

from schedulers.machine.node_layout import Choice, NodeLayout
from schedulers.machine.node_request import KIB, Request
from schedulers.machine.node_room import Placement, Room, Rows
from schedulers.machine.placing import Levels, Pieces, at_most, on_exactly, places, room_in, spread


class NodeFit:
    """Chooses nodes for requests by the rules of `Nodes`."""

    packs = True
    """True if a request that fits on one node gets the fullest node with enough room."""

    def __init__(self, layout: NodeLayout) -> None:
        self._layout = layout
        self._cores, self._threads, self._types = layout.cores, layout.threads, layout.types
        self._whole = layout.whole
        # nodes on which a job may get more processors than it requests
        self._more = layout.whole | layout.threaded

    def place(
        self, request: Request, choice: Choice, room: Room, closed: int = 0
    ) -> Placement | None:
        """Return the resources for a request, or ``None`` if there is no room.

        `closed` is a bit mask of nodes that the request may not use.
        """
        nodes, by_weight = choice.nodes, choice.by_weight
        plain, whole = request.plain, choice.whole or request.whole
        if self.packs and plain and not whole and not closed:
            # on most machines, nearly all requests take this branch
            size = request.processors
            found = spread(room.levels, by_weight, size)
            return None if found is None else self._placement(request, found, room)
        if closed:
            nodes &= ~closed
        if whole:
            idle = 0
            for cores, mask in self._layout.of_size.items():
                if cores < len(room.levels):
                    idle |= room.levels[cores] & mask
            nodes &= idle
        if plain:
            levels: Sequence[int] = room.levels
            by_weight = tuple([each & nodes for each in by_weight if each & nodes])
        else:
            levels = self._units(request, room, nodes)
        if request.gpus:
            levels = at_most(levels, request.most_units)
            return self._with_gpus(request, levels, by_weight, room, whole)
        units = divmod(request.processors, request.unit)[0]
        pieces = self._pieces(request, levels, by_weight, units, choice)
        return None if pieces is None else self._placement(request, pieces, room, whole)

    def _pieces(
        self, request: Request, levels: Levels, by_weight: Sequence[int], units: int, choice: Choice
    ) -> Pieces | None:
        """Choose nodes by the number of units that fit on each; see `placing`."""
        most = request.most_units
        if request.nodes:
            return on_exactly(levels, by_weight, units, request.nodes, most)
        return spread(at_most(levels, most), by_weight, units)

    def _gpus(self, request: Request, room: Room, node: int) -> int:
        """Return how many suitable GPUs are free on a node."""
        rest = room.rest
        if rest is None:
            return 0
        if request.gpu_type:
            return rest[1 + self._types.index(request.gpu_type)][node]
        return sum([row[node] for row in rest[1:]])

    def _units(self, request: Request, room: Room, nodes: int) -> list[int]:
        """Return the nodes by the number of units that fit on each, as levels; see `placing`.

        Nodes that lack the memory or GPUs that the request needs on each node are left out. If all
        units must be on one node, nodes with too few free processors are also left out.
        """
        unit, of_rest, gpus = request.unit, request.of_rest, request.gpus_on_node
        on_node, of_unit, memory = request.memory_on_node, request.memory_of_unit, None
        top = len(room.levels) - 1
        levels: list[int] = [0] * (divmod(top, unit)[0] + 1)
        if room.rest is not None:
            memory = room.rest[0]
        elif not gpus:
            of_rest = False
        least = request.processors if request.nodes == 1 else unit
        for free in range(least, len(room.levels)):
            left = room.levels[free] & nodes
            if not left:
                continue
            units = divmod(free, unit)[0]
            if not of_rest:
                levels[units] |= left
                continue
            while left:
                bit = left & -left
                left ^= bit
                node = bit.bit_length() - 1
                fits = units
                if memory is not None:
                    has = memory[node]
                    if has < on_node:
                        continue
                    if of_unit:
                        fits = min(units, divmod(has, of_unit)[0])
                if fits > 0 and (not gpus or self._gpus(request, room, node) >= gpus):
                    levels[fits] |= bit
        return levels

    def _with_gpus(
        self,
        request: Request,
        levels: Sequence[int],
        by_weight: Sequence[int],
        room: Room,
        whole: bool,  # noqa: FBT001 - a compiled method
    ) -> Placement | None:
        """First choose nodes with the requested GPUs, then other nodes for the remaining units."""
        units = divmod(request.processors, request.unit)[0]
        if room.rest is None or sum([room_in(levels, nodes) for nodes in by_weight]) < units:
            return None
        having = []
        on = {}
        for rank, nodes in enumerate(by_weight):
            for level, each in enumerate(levels):
                for place in places(each & nodes if level else 0):
                    free = self._gpus(request, room, place)
                    if free:
                        having.append((rank, -free, place))
                        on[place] = level
        # prefer a low weight, unless this needs more nodes than there are units
        chosen = _having(having, request.gpus, units)
        if chosen is None:
            without_rank = [(0, minus_free, place) for _, minus_free, place in having]
            chosen = _having(without_rank, request.gpus, units)
        if chosen is None:
            return None
        given = dict.fromkeys(chosen, 1)
        units -= len(chosen)
        for place in chosen:
            more = min(units, on[place] - 1)
            given[place] += more
            units -= more
        if units:
            others = ~sum([room.bits[place] for place in chosen])
            pieces = spread(levels, [nodes & others for nodes in by_weight], units)
            assert pieces is not None
            for nodes, each in pieces:
                for place in places(nodes):
                    given[place] = each
        pieces = [(room.bits[place], each) for place, each in given.items()]
        return self._placement(request, pieces, room, whole, chosen)

    def _placement(
        self,
        request: Request,
        pieces: Pieces,
        room: Room,
        whole: bool = False,  # noqa: FBT001, FBT002 - a compiled method
        gpus: dict[int, int] | None = None,
    ) -> Placement:
        """Return the resources that a job gets on the chosen nodes, given the units on each."""
        unit, cores, mask, total = request.unit, self._cores, 0, 0
        on: list[tuple[int, int]] = []
        for left, units in pieces:
            mask |= left
            count = units * unit
            while left:
                bit = left & -left
                on.append((bit.bit_length() - 1, count))
                total += count
                left ^= bit  # noqa: PLW2901 - goes through the nodes
        if len(pieces) > 1:
            on.sort()
        nodes = tuple([node for node, _ in on])
        taken = given = tuple([count for _, count in on])
        if whole:
            taken = tuple([cores[node] for node in nodes])
        elif self._more & mask:
            taken = tuple([self._kept(node, count) for node, count in on])
        if taken is not given:
            total = sum(taken)
        rest = self._rest_taken(request, room, on, gpus) if request.of_rest else None
        return Placement(nodes, given, taken, rest, mask, total)

    def _kept(self, node: int, count: int) -> int:
        """Return how many processors of a node are taken if a job uses `count` of them."""
        if self._whole >> node & 1:
            return self._cores[node]
        threads = self._threads[node]
        return -divmod(-count, threads)[0] * threads

    def _rest_taken(
        self, request: Request, room: Room, on: list[tuple[int, int]], gpus: dict[int, int] | None
    ) -> Rows | None:
        """Return the memory and GPUs that a job gets on its nodes."""
        if room.rest is None:
            return None
        unit, on_node, of_unit = request.unit, request.memory_on_node, request.memory_of_unit
        rows: Rows = [[on_node + of_unit * divmod(count, unit)[0] for _, count in on]]
        on_each, only = request.gpus_on_node, -1
        if request.gpu_type:
            only = self._types.index(request.gpu_type)
        left = [on_each if gpus is None else gpus.get(node, 0) for node, _ in on]
        for kind in range(len(self._types)):
            row = [0] * len(on)
            if only in (kind, -1) and (on_each or gpus is not None):
                free = room.rest[kind + 1]
                for place, (node, _) in enumerate(on):
                    row[place] = left[place] if only == kind else min(left[place], free[node])
                    left[place] -= row[place]
            rows.append(row)
        return rows

    def refusal(self, request: Request, choices: Sequence[Choice]) -> str | None:
        """Return why a request has no room on idle nodes in any choice, or ``None`` if it has."""
        if any(self.place(request, choice, self._layout.idle) is not None for choice in choices):
            return None
        if request.nodes > divmod(request.processors, request.unit)[0]:
            return f"asks for {request.nodes} nodes but only {request.processors} processors"
        had = [f"{choice.where} has {self._offer_in_words(request, choice)}" for choice in choices]
        return f"asks for {_in_words(request)}; {', '.join(had)}"

    def _offer_in_words(self, request: Request, choice: Choice) -> str:
        """Return in words how much of the requested resources the idle nodes of a choice have."""
        idle, count, each = self._layout.idle, 0, 1
        if not choice.nodes:
            return "no such node"
        if request.plain:
            had = room_in(idle.levels, choice.nodes)
            enough = had >= request.processors and choice.most_nodes
            return f"{had}, on at most {choice.most_nodes} nodes" if enough else f"{had}"
        # count the nodes that hold the request's part per node, or at least one unit
        if request.nodes:
            each = -divmod(-divmod(request.processors, request.unit)[0], request.nodes)[0]
        for level, nodes in enumerate(self._units(request, idle, choice.nodes)):
            for node in places(nodes if level >= each else 0):
                count += not request.gpus or self._gpus(request, idle, node) > 0
        if not count:
            return "none"
        return f"{count}" if request.nodes else f"only {count} suitable nodes"


def _in_words(request: Request) -> str:
    whole = "whole " if request.whole else ""
    if request.nodes:
        each = -divmod(-request.processors, request.nodes)[0]
        text = f"{request.nodes} {whole}nodes of {each} processors"
        gpus = request.gpus_on_node
    else:
        text = f"{request.processors} processors" + (" on whole nodes" if whole else "")
        gpus = request.gpus or request.gpus_on_node
        if request.unit > 1:
            text += f", {request.unit} a task"
    if request.most_units:
        text += f", {request.most_units} tasks a node"
    if request.memory_on_node:
        text += f", {request.memory_on_node / KIB:g} GiB a node"
    elif request.memory_of_unit:
        text += f", {request.memory_of_unit / request.unit / KIB:g} GiB each"
    if gpus:
        of_type = f" '{request.gpu_type}'" if request.gpu_type else ""
        text += f", {gpus} GPUs{of_type}" + (" a node" if request.gpus_on_node else "")
    return text


def _having(having: list[tuple[int, int, int]], gpus: int, most: int) -> dict[int, int] | None:
    """Return how many GPUs to take from each node, or ``None`` if `most` nodes have too few."""
    chosen = {}
    for _, minus_free, place in sorted(having):
        chosen[place] = min(gpus, -minus_free)
        gpus -= chosen[place]
        if not gpus:
            break
    return None if gpus or len(chosen) > most else chosen
