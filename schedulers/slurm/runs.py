"""Slurm's choice of nodes without a topology: runs of neighbouring nodes."""

from collections.abc import Iterator, Sequence

from schedulers.machine.node_fit import NodeFit
from schedulers.machine.node_layout import Choice, NodeLayout
from schedulers.machine.node_request import Request
from schedulers.machine.placing import Levels, Pieces, at_most, places, room_in

ANY_NUMBER = 2**60
"""The most nodes of a job without a limit."""


class FitInRuns(NodeFit):
    """Chooses neighbouring nodes; see `in_runs`.

    A job that requests one shared node gets the first sufficient run, except in Slurm 22.05.
    """

    packs = False

    def __init__(self, layout: NodeLayout, *, old: bool = False) -> None:
        super().__init__(layout)
        self._old = old

    def _pieces(
        self, request: Request, levels: Levels, by_weight: Sequence[int], units: int, choice: Choice
    ) -> Pieces | None:
        most = request.most_units
        if most and request.nodes * most == units:
            # each node must hold the full number of tasks
            levels = [0] * most + [*levels[most:]]
        elif (request.nodes or choice.most_nodes) == 1 and units < len(levels):
            # one node must hold all units
            levels = [0] * units + [*levels[units:]]
        whole = choice.whole or request.whole
        first = request.nodes == 1 and not whole and not self._old
        return in_runs(
            levels, by_weight, units,
            count=request.nodes, most=choice.most_nodes, on_each=most, first=first,
        )  # fmt: skip


def runs_in(nodes: int) -> Iterator[int]:
    """Yield the runs of neighbouring nodes in a bit mask, from the lowest on.

    Examples
    --------
    >>> [bin(run) for run in runs_in(0b1101100)]
    ['0b1100', '0b1100000']
    """
    while nodes:
        behind = nodes + (nodes & -nodes)
        yield nodes & ~behind
        nodes &= behind


def in_runs(
    levels: Levels,
    by_weight: Sequence[int],
    units: int,
    *,
    count: int = 0,
    most: int = 0,
    on_each: int = 0,
    first: bool = False,
) -> Pieces | None:
    """Choose nodes for `units` (such as processors), or return ``None`` if there is no room.

    `count` is the exact number of nodes, `most` the largest number; 0 means any number. `on_each`
    is the most units on a node; 0 means no limit. Slurm chooses as follows:

    - It uses nodes of a greater weight only if the other nodes do not suffice.
    - Of the runs of neighbours with enough free units, it takes the run with the fewest free units,
      or the `first` one. It begins at the lowest node of this run. The comparison ignores
      `on_each`.
    - If no run suffices, it takes all nodes of the largest run and continues with the other runs.
    - The last node is the fullest node that holds all remaining units.
    - It fills the lower nodes first, but leaves at least one unit for each other chosen node.
    - If this finds no choice, it leaves out the nodes with the fewest free units, step by step.

    Examples
    --------
    >>> in_runs([0, 0, 0b1011], [0b1011], 3), in_runs([0, 0, 0b1011], [0b1011], 2)
    ([(1, 2), (2, 1)], [(8, 2)])
    >>> in_runs([0, 0b00111, 0, 0, 0b11000], [0b00111, 0b11000], 8, count=2)
    [(8, 4), (16, 4)]
    """
    most = count or most
    bounded = at_most(levels, on_each)
    usable = 0
    for rank, nodes in enumerate(by_weight, 1):
        usable |= nodes
        enough = sum(level.bit_count() for level in levels[1:] if level & usable) >= count
        if enough and room_in(bounded, usable) >= units:
            chosen = _chosen(
                levels, bounded, by_weight[:rank], units, count=count, most=most, first=first
            )
            if chosen is not None:
                return _filled(bounded, chosen, units)
    fuller = _without_emptiest(levels, usable, units, count=count, most=most, on_each=on_each)
    if fuller is None:
        return None
    return in_runs(fuller, by_weight, units, count=count, most=most, on_each=on_each, first=first)


def _without_emptiest(
    levels: Levels, nodes: int, units: int, *, count: int, most: int, on_each: int
) -> Levels | None:
    """Return the levels without the nodes with the fewest free units.

    Return ``None`` if no choice is possible.
    """
    room, left = 0, most
    for level in range(len(levels) - 1, 0, -1):
        taken = min(left, (levels[level] & nodes).bit_count())
        room, left = room + taken * (min(level, on_each) if on_each else level), left - taken
    if not most or (count and left) or room < units:
        return None
    lowest = next(level for level in range(1, len(levels)) if levels[level] & nodes)
    return [*[0] * (lowest + 1), *levels[lowest + 1 :]]


def _chosen(
    levels: Levels,
    bounded: Levels,
    by_weight: Sequence[int],
    units: int,
    *,
    count: int,
    most: int,
    first: bool,
) -> int | None:
    """Return the chosen nodes as a bit mask. `bounded` levels limit the units on each node."""
    top = _union(levels[1:])
    runs = [
        (rank, room_in(levels, run), run)
        for rank, nodes in enumerate(by_weight)
        for run in runs_in(nodes & top)
    ]
    needed, most, chosen = count or 1, most or ANY_NUMBER, 0
    while units > 0 or needed > 0:
        if not runs or most <= 0:
            return None
        best = _best(runs, units, needed, first=first)
        left = best[2]
        runs.remove(best)
        if needed <= 1:
            alone = left & _union(bounded[units:])
            left = _fullest(levels, alone, units) or left
        while left and most > 0 and (units > 0 or needed > 0):
            node = left & -left
            left ^= node
            room = room_in(bounded, node)
            if most == 1 and room < units:
                continue
            # leave one unit for each of the other nodes
            units -= min(room, max(1, units - max(0, needed - 1)))
            chosen |= node
            needed -= 1
            most -= 1
    return chosen


def _union(levels: Levels) -> int:
    union = 0
    for level in levels:
        union |= level
    return union


def _best(
    runs: list[tuple[int, int, int]], units: int, needed: int, *, first: bool
) -> tuple[int, int, int]:
    """Return the best run: the rank of its weight, its free units, and its nodes."""
    best, enough = runs[0], False
    for place, run in enumerate(runs):
        rank, room, nodes = run
        suffices = room >= units and nodes.bit_count() >= needed
        # as in Slurm: an insufficient run with more free units replaces a smaller sufficient run
        smaller = not enough or (not first and room < best[1])
        better = smaller if suffices else room > best[1]
        if not place or rank < best[0] or (rank == best[0] and better):
            best, enough = run, suffices
    return best


def _fullest(levels: Levels, nodes: int, units: int) -> int:
    """Return the fullest node with at least `units` free units, the lowest such node, or 0."""
    for level in range(max(1, units), len(levels)):
        if found := levels[level] & nodes:
            return found & -found
    return 0


def _filled(levels: Levels, chosen: int, units: int) -> Pieces:
    """Fill the lower nodes first, with at least one unit for each node."""
    pieces: Pieces = []
    others = chosen.bit_count()
    for place in places(chosen):
        node = 1 << place
        others -= 1
        given = min(room_in(levels, node), units - others)
        units -= given
        pieces.append((node, given))
    return pieces
