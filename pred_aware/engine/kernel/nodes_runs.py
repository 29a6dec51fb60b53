"""Choosing nodes that stand side by side, as `schedulers.slurm.runs` defines it.

How many units have room on each node that is looked at stands in `fits`; those with fewer than a
`bottom` are left out.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_fit import allow, count_units, is_whole, list_chosen
from pred_aware.engine.kernel.nodes_gpus import choose_with_gpus
from pred_aware.engine.kernel.nodes_masks import count_of, give, lowest_of
from pred_aware.engine.kernel.nodes_values import BITS, MEMORY, PROCESSORS, Nodes
from schedulers.slurm.runs import ANY_NUMBER


@compiled_apart
def place_in_runs(
    nodes: Nodes,
    room: int,
    kind: int,
    choice: int,
    most: int,
    old: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Choose where a job has room on the nodes of a choice; say whether there is any.

    Those that are closed are left out. It may have so many at most (0: any number).
    """
    kinds, choices = nodes.kinds, nodes.choices
    first, last, among = choices.first[choice], choices.last[choice], choices.nodes[choice]
    allow(nodes, room, kind, choice)
    units = kinds.processors[kind] // kinds.unit[kind]
    if kinds.gpus[kind]:
        count_units(nodes, room, kind, among, kinds.most[kind])
        found = choose_with_gpus(nodes, room, kind, first, last, units)
    else:
        _count_fitting(nodes, room, kind, among)
        found = _in_runs(nodes, kind, choice, units, most, old)
    if found:
        list_chosen(nodes, room, kind, choice)
    return found


@compiled
def _count_fitting(nodes: Nodes, room: int, kind: int, among: int) -> None:
    """Fill in how many units have room on each of the nodes that are allowed."""
    unit, memory, free = nodes.kinds.unit[kind], nodes.kinds.memory_of_unit[kind], nodes.rooms.free
    for word in range(nodes.sets.low[among], nodes.sets.high[among]):
        left = nodes.choosing.allowed[word]
        while left:
            node = word * BITS + lowest_of(left)
            fits = max(free[room, PROCESSORS, node], 0) // unit
            if memory:
                fits = min(fits, max(free[room, MEMORY, node], 0) // memory)
            nodes.choosing.fits[node] = fits
            left &= left - 1


@compiled
def _bounded(fits: int, on_each: int) -> int:
    """Return how many units a node may be given of those that have room there."""
    return min(fits, on_each) if on_each else fits


@compiled
def _in_runs(
    nodes: Nodes,
    kind: int,
    choice: int,
    units: int,
    most: int,
    old: bool,  # noqa: FBT001 - compiled
) -> bool:
    first, last = nodes.choices.first[choice], nodes.choices.last[choice]
    count, on_each, bottom = nodes.kinds.exactly[kind], nodes.kinds.most[kind], 1
    if on_each and count * on_each == units:
        # as many tasks on each
        bottom = on_each
    elif (count or most) == 1:
        # all of them on one
        bottom = units
    by_place = count == 1 and not old and not is_whole(nodes, kind, choice)
    most = count or most
    while True:
        for rank in range(first, last):
            if _may_suffice(nodes, first, rank, last, units, count, on_each, bottom):
                runs = _list_runs(nodes, first, rank, bottom)
                if _choose(nodes, runs, units, count, most, on_each, by_place):
                    _fill(nodes, units, on_each)
                    return True
        bottom = _next_bottom(nodes, first, last, units, count, most, on_each, bottom)
        if bottom < 0:
            return False


@compiled_apart
def _may_suffice(  # noqa: PLR0913, PLR0917 - compiled
    nodes: Nodes,
    first: int,
    rank: int,
    last: int,
    units: int,
    count: int,
    on_each: int,
    bottom: int,
) -> bool:
    """Say whether there are enough nodes, and room on those up to a weight's rank.

    Each node counts that has as much room as one of these; how many have is noted, too.
    """
    sets, choosing, tally, room, enough = nodes.sets, nodes.choosing, nodes.runs.tally, 0, 0
    tally[:] = 0
    for place in range(first, last):
        among = nodes.weights[place]
        for word in range(sets.low[among], sets.high[among]):
            left = sets.masks[among, word] & choosing.allowed[word]
            while left:
                fits = choosing.fits[word * BITS + lowest_of(left)]
                if fits >= bottom:
                    tally[0, fits] += 1
                    if place <= rank:
                        tally[1, fits] = 1
                        room += _bounded(fits, on_each)
                left &= left - 1
    for level in range(1, tally.shape[1]):
        if tally[1, level]:
            enough += tally[0, level]
    return enough >= count and room >= units


@compiled
def _next_bottom(  # noqa: PLR0913, PLR0917 - compiled
    nodes: Nodes,
    first: int,
    last: int,
    units: int,
    count: int,
    most: int,
    on_each: int,
    bottom: int,
) -> int:
    """Return the bottom without the emptiest nodes; -1 where so many can't have the units."""
    if not most or first == last:
        return -1
    _may_suffice(nodes, first, last - 1, last, units, count, on_each, bottom)
    tally, room, left, lowest = nodes.runs.tally, 0, most, 0
    for level in range(tally.shape[1] - 1, 0, -1):
        there = tally[0, level]
        taken = min(left, there)
        room += taken * _bounded(level, on_each)
        left -= taken
        if there:
            lowest = level
    if (count and left) or room < units:
        return -1
    return lowest + 1


@compiled_apart
def _list_runs(nodes: Nodes, first: int, rank: int, bottom: int) -> int:
    """List the runs of neighbours of each weight, the lowest first; return how many there are."""
    runs, sets, choosing, run = nodes.runs, nodes.sets, nodes.choosing, -1
    for place in range(first, rank + 1):
        among, behind = nodes.weights[place], -1
        for word in range(sets.low[among], sets.high[among]):
            left = sets.masks[among, word] & choosing.allowed[word]
            while left:
                node = word * BITS + lowest_of(left)
                fits = choosing.fits[node]
                if fits >= bottom:
                    if node != behind:
                        run += 1
                        runs.rank[run], runs.room[run], runs.begin[run] = place, 0, node
                    behind = node + 1
                    runs.room[run] += fits
                    runs.behind[run] = behind
                left &= left - 1
    return run + 1


@compiled_apart
def _choose(
    nodes: Nodes,
    found: int,
    units: int,
    count: int,
    most: int,
    on_each: int,
    by_place: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Choose the nodes; say whether there are enough."""
    nodes.choosing.chosen[:] = 0
    runs, fits = nodes.runs, nodes.choosing.fits
    needed, most = max(count, 1), most or ANY_NUMBER
    while units > 0 or needed > 0:
        best = _best(nodes, found, units, needed, by_place) if most > 0 else -1
        if best < 0:
            return False
        node, behind = runs.begin[best], runs.behind[best]
        runs.behind[best] = node
        if needed <= 1:
            alone = _fullest(nodes, node, behind, units, on_each)
            if alone >= 0:
                node, behind = alone, alone + 1
        while node < behind and most > 0 and (units > 0 or needed > 0):
            room = _bounded(fits[node], on_each)
            if most > 1 or room >= units:
                # one is kept for each of the others
                units -= min(room, max(1, units - max(0, needed - 1)))
                give(nodes, node, room)
                needed -= 1
                most -= 1
            node += 1
    return True


@compiled
def _best(
    nodes: Nodes,
    found: int,
    units: int,
    needed: int,
    by_place: bool,  # noqa: FBT001 - compiled
) -> int:
    """Return the run to take; -1 where none is left."""
    runs, best, enough = nodes.runs, -1, False
    for run in range(found):
        length, room = runs.behind[run] - runs.begin[run], runs.room[run]
        if not length:
            continue
        suffices = room >= units and length >= needed
        better = best < 0
        if not better and runs.rank[run] == runs.rank[best]:
            # so it is: one that does not suffice is better even than a smaller one that does
            better = room > runs.room[best]
            if suffices:
                better = not enough or (not by_place and room < runs.room[best])
        if better:
            best, enough = run, suffices
    return best


@compiled
def _fullest(nodes: Nodes, begin: int, behind: int, units: int, on_each: int) -> int:
    """Return the first of the fullest nodes of a run with room for so many units; or -1."""
    found, least = -1, 0
    for node in range(begin, behind):
        fits = nodes.choosing.fits[node]
        if _bounded(fits, on_each) >= units and (found < 0 or fits < least):
            found, least = node, fits
    return found


@compiled
def _fill(nodes: Nodes, units: int, on_each: int) -> None:
    """Share units among the nodes that are chosen: as many as have room on the lower ones."""
    choosing, others = nodes.choosing, 0
    for word in range(len(choosing.chosen)):
        others += count_of(choosing.chosen[word])
    for word in range(len(choosing.chosen)):
        left = choosing.chosen[word]
        while left:
            node = word * BITS + lowest_of(left)
            others -= 1
            given = min(_bounded(choosing.fits[node], on_each), units - others)
            give(nodes, node, given)
            units -= given
            left &= left - 1
