"""Where on a site's nodes a job has room, as `schedulers.machine.node_fit` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_masks import lowest_of
from pred_aware.engine.kernel.nodes_placing import on_exactly, spread
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    BIT,
    BITS,
    CHOICE,
    CHOSEN,
    CHOSEN_ON,
    CORES,
    EXACTLY,
    FIRST,
    GETS_WHOLE,
    GIVEN,
    HEAVIEST,
    HIGH,
    LAST,
    LIGHTEST,
    LOW,
    MEMORY,
    MEMORY_OF_UNIT,
    MOST,
    PLACES,
    SIZE,
    TAKEN,
    THREADS,
    UNIT,
    WANTS_WHOLE,
    WHOLE,
    WORD,
    Nodes,
    Room,
)


@compiled_apart
def place(nodes: Nodes, room: Room, kind: int, closed: int) -> bool:
    """Choose where a job has room, outside of a set of nodes (-1: none); say whether there is any.

    The first of its choices in which there is any is the one.
    """
    for index in range(nodes.kinds[kind, FIRST], nodes.kinds[kind, LAST]):
        choice = nodes.tried[index]
        if _place_in(nodes, room, kind, choice, closed):
            nodes.counts[CHOICE] = choice
            _list(nodes, kind, choice)
            return True
    return False


@compiled
def is_whole(nodes: Nodes, kind: int, choice: int) -> bool:
    """Say whether such a job has its nodes there as a whole."""
    return nodes.kinds[kind, WANTS_WHOLE] + nodes.choices[choice, GETS_WHOLE] > 0


@compiled
def _place_in(nodes: Nodes, room: Room, kind: int, choice: int, closed: int) -> bool:
    kinds, among = nodes.kinds, nodes.choices[choice, PLACES]
    first, last = nodes.choices[choice, LIGHTEST], nodes.choices[choice, HEAVIEST]
    _allow(nodes, room, kind, choice, closed)
    unit, exactly, most = kinds[kind, UNIT], kinds[kind, EXACTLY], kinds[kind, MOST]
    units = kinds[kind, SIZE] // unit
    levels, count = room.levels, room.count
    if unit > 1 or kinds[kind, MEMORY_OF_UNIT] or (most and not exactly):
        levels, count = nodes.units, nodes.units_count
        _count_units(nodes, room, kind, among, 0 if exactly else most)
    if exactly:
        return on_exactly(nodes, levels, count, first, last, units, exactly, most)
    return spread(nodes, levels, count, first, last, units)


@compiled
def _allow(nodes: Nodes, room: Room, kind: int, choice: int, closed: int) -> None:
    """Note which nodes of a choice are looked at, and that none is chosen."""
    masks, sets, sizes = nodes.masks, nodes.sets, nodes.sizes
    among, whole = nodes.choices[choice, PLACES], is_whole(nodes, kind, choice)
    memory = nodes.kinds[kind, MEMORY]
    for word in range(masks.shape[1]):
        masks[CHOSEN, word] = 0
        found = sets[among, word]
        if closed >= 0:
            found &= ~sets[closed, word]
        if whole:
            idle = 0
            for size in range(len(sizes)):
                idle |= room.levels[sizes[size, 0], word] & sets[sizes[size, 1], word]
            found &= idle
        if memory:
            left = found
            while left:
                if room.memory[word * BITS + lowest_of(left)] < memory:
                    found ^= left & -left
                left &= left - 1
        masks[ALLOWED, word] = found


@compiled
def _count_units(nodes: Nodes, room: Room, kind: int, among: int, most: int) -> None:
    """Fill in how many units have room on each of the nodes that are allowed."""
    masks, levels, count = nodes.masks, nodes.units, nodes.units_count
    unit, memory = nodes.kinds[kind, UNIT], nodes.kinds[kind, MEMORY_OF_UNIT]
    low, high = nodes.spans[among, LOW], nodes.spans[among, HIGH]
    for level in range(len(count)):
        if count[level]:
            count[level] = 0
            for word in range(masks.shape[1]):
                levels[level, word] = 0
    for free in range(unit, len(room.count)):
        if not room.count[free]:
            continue
        top = free // unit
        if most:
            top = min(top, most)
        for word in range(low, high):
            found = room.levels[free, word] & masks[ALLOWED, word]
            if not found:
                continue
            if not memory:
                levels[top, word] |= found
                count[top] = 1
            while memory and found:
                node = word * BITS + lowest_of(found)
                fits = max(room.memory[node], 0) // memory
                if fits:
                    levels[min(top, fits), word] |= found & -found
                    count[min(top, fits)] = 1
                found &= found - 1


@compiled
def _list(nodes: Nodes, kind: int, choice: int) -> None:
    """List the nodes that are chosen, and what each gives."""
    masks, placed, whole = nodes.masks, nodes.placed, is_whole(nodes, kind, choice)
    among, unit = nodes.choices[choice, PLACES], nodes.kinds[kind, UNIT]
    count = total = 0
    for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
        left = masks[CHOSEN, word]
        while left:
            node = word * BITS + lowest_of(left)
            given = nodes.on[node, GIVEN] * unit
            placed[count, 0], placed[count, 1] = node, given
            count += 1
            total += kept(nodes, node, given, whole)
            left &= left - 1
    nodes.counts[CHOSEN_ON], nodes.counts[TAKEN] = count, total


@compiled
def kept(nodes: Nodes, node: int, given: int, whole: bool) -> int:  # noqa: FBT001 - by numba
    """Return how many processors of a node nobody else can have beside so many."""
    if whole or nodes.node[node, WHOLE]:
        return nodes.node[node, CORES]
    threads = nodes.node[node, THREADS]
    if threads == 1:
        return given
    return (given + threads - 1) // threads * threads


@compiled
def memory_of(nodes: Nodes, kind: int, given: int) -> int:
    """Return the memory of a node that such a job has beside so many processors, in KiB."""
    of_unit = nodes.kinds[kind, MEMORY_OF_UNIT]
    if of_unit:
        of_unit *= given // nodes.kinds[kind, UNIT]
    return nodes.kinds[kind, MEMORY] + of_unit


@compiled
def change(nodes: Nodes, room: Room, node: int, more: int) -> None:
    """Let so many more processors of a node be free, or fewer."""
    word, bit = nodes.node[node, WORD], nodes.node[node, BIT]
    before = room.free_on[node]
    after = before + more
    room.free_on[node] = after
    if before > 0:
        room.levels[before, word] ^= bit
        room.count[before] -= 1
        room.free[0] -= before
    if after > 0:
        room.levels[after, word] ^= bit
        room.count[after] += 1
        room.free[0] += after

