"""Where on a site's nodes a job has room, as `schedulers.machine.node_fit` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_gpus import choose_with_gpus, gpus_free, list_gpus
from pred_aware.engine.kernel.nodes_masks import lowest_of
from pred_aware.engine.kernel.nodes_placing import on_exactly, spread
from pred_aware.engine.kernel.nodes_values import (
    BITS,
    CHOICE,
    CHOSEN_ON,
    GIVEN,
    MEMORY,
    NODE,
    PROCESSORS,
    TAKEN,
    UNITS,
    Nodes,
    Pieces,
)


@compiled_apart
def place(nodes: Nodes, room: int, kind: int, outside: int) -> bool:
    """Choose where a job has room, outside of a set of nodes (-1: none); say whether there is any.

    The first of its choices in which there is any is the one.
    """
    closed = nodes.choosing.closed
    for word in range(len(closed)):
        closed[word] = nodes.sets.masks[outside, word] if outside >= 0 else 0
    for index in range(nodes.kinds.first[kind], nodes.kinds.last[kind]):
        choice = nodes.tried[index]
        if _place_in(nodes, room, kind, choice):
            list_chosen(nodes, room, kind, choice)
            return True
    return False


@compiled
def is_whole(nodes: Nodes, kind: int, choice: int) -> bool:
    """Say whether such a job has its nodes there as a whole."""
    return nodes.kinds.whole[kind] + nodes.choices.whole[choice] > 0


@compiled
def _place_in(nodes: Nodes, room: int, kind: int, choice: int) -> bool:
    kinds, first, last = nodes.kinds, nodes.choices.first[choice], nodes.choices.last[choice]
    allow(nodes, room, kind, choice)
    exactly, most, unit = kinds.exactly[kind], kinds.most[kind], kinds.unit[kind]
    units, together = kinds.processors[kind] // unit, kinds.gpus[kind] > 0
    if unit > 1 or kinds.memory_of_unit[kind] or (most and not exactly) or together:
        count_units(nodes, room, kind, nodes.choices.nodes[choice], 0 if exactly else most)
        if together:
            return choose_with_gpus(nodes, room, kind, first, last, units)
        room = UNITS
    if exactly:
        return on_exactly(nodes, room, first, last, units, exactly, most)
    return spread(nodes, room, first, last, units)


@compiled
def allow(nodes: Nodes, room: int, kind: int, choice: int) -> None:
    """Note which nodes of a choice that are not closed are looked at, and that none is chosen."""
    rooms, sets, choosing = nodes.rooms, nodes.sets, nodes.choosing
    among, whole = nodes.choices.nodes[choice], is_whole(nodes, kind, choice)
    memory, gpus = nodes.kinds.memory[kind], nodes.kinds.gpus_on_node[kind]
    for word in range(len(choosing.allowed)):
        choosing.chosen[word] = 0
        found = sets.masks[among, word] & ~choosing.closed[word]
        if whole:
            idle = 0
            for size in range(len(nodes.sizes)):
                level, of_size = nodes.sizes[size, 0], nodes.sizes[size, 1]
                idle |= rooms.levels[room, level, word] & sets.masks[of_size, word]
            found &= idle
        if memory or gpus:
            left = found
            while left:
                node = word * BITS + lowest_of(left)
                lacks = rooms.free[room, MEMORY, node] < memory
                if lacks or gpus_free(nodes, room, kind, node) < gpus:
                    found ^= left & -left
                left &= left - 1
        choosing.allowed[word] = found


@compiled
def count_units(nodes: Nodes, room: int, kind: int, among: int, most: int) -> None:
    """Fill in how many units have room on each of the nodes that are allowed."""
    rooms, allowed = nodes.rooms, nodes.choosing.allowed
    levels, counts = rooms.levels, rooms.counts
    unit, memory = nodes.kinds.unit[kind], nodes.kinds.memory_of_unit[kind]
    low, high = nodes.sets.low[among], nodes.sets.high[among]
    for level in range(counts.shape[1]):
        if counts[UNITS, level]:
            counts[UNITS, level] = 0
            for word in range(len(allowed)):
                levels[UNITS, level, word] = 0
    for free in range(unit, counts.shape[1]):
        if not counts[room, free]:
            continue
        top = free // unit
        if most:
            top = min(top, most)
        for word in range(low, high):
            found = levels[room, free, word] & allowed[word]
            if not found:
                continue
            if not memory:
                levels[UNITS, top, word] |= found
                counts[UNITS, top] = 1
            while memory and found:
                has = rooms.free[room, MEMORY, word * BITS + lowest_of(found)]
                fits = min(top, max(has, 0) // memory)
                if fits:
                    levels[UNITS, fits, word] |= found & -found
                    counts[UNITS, fits] = 1
                found &= found - 1


@compiled
def list_chosen(nodes: Nodes, room: int, kind: int, choice: int) -> None:
    """List the nodes that are chosen, and what each gives."""
    nodes.counts[CHOICE] = choice
    among, unit, choosing = nodes.choices.nodes[choice], nodes.kinds.unit[kind], nodes.choosing
    whole, count, total = is_whole(nodes, kind, choice), 0, 0
    for word in range(nodes.sets.low[among], nodes.sets.high[among]):
        left = choosing.chosen[word]
        while left:
            node = word * BITS + lowest_of(left)
            given = choosing.given[node] * unit
            choosing.pieces[count, NODE], choosing.pieces[count, GIVEN] = node, given
            list_gpus(nodes, room, kind, node, count)
            count += 1
            total += kept(nodes, node, given, whole)
            left &= left - 1
    nodes.counts[CHOSEN_ON], nodes.counts[TAKEN] = count, total


@compiled
def kept(nodes: Nodes, node: int, given: int, whole: bool) -> int:  # noqa: FBT001 - by numba
    """Return how many processors of a node nobody else can have beside so many."""
    if whole or nodes.whole[node]:
        return nodes.there[PROCESSORS, node]
    threads = nodes.threads[node]
    if threads == 1:
        return given
    return (given + threads - 1) // threads * threads


@compiled
def taken(nodes: Nodes, pieces: Pieces, at: int, thing: int, kind: int, whole: bool) -> int:  # noqa: FBT001 - by numba
    """Return how much of a thing of a piece's node nobody else can have."""
    given = int(pieces[at, GIVEN])
    if thing == PROCESSORS:
        return kept(nodes, int(pieces[at, NODE]), given, whole)
    if thing != MEMORY:
        return int(pieces[at, thing])
    of_unit = nodes.kinds.memory_of_unit[kind]
    if of_unit:
        of_unit *= given // nodes.kinds.unit[kind]
    return nodes.kinds.memory[kind] + of_unit


@compiled
def change(nodes: Nodes, room: int, thing: int, node: int, more: int) -> None:
    """Let so much more of a thing of a node be free, or less."""
    rooms, word, bit = nodes.rooms, nodes.word[node], nodes.bit[node]
    before = rooms.free[room, thing, node]
    after = before + more
    rooms.free[room, thing, node] = after
    if thing != PROCESSORS:
        return
    if before > 0:
        rooms.levels[room, before, word] ^= bit
        rooms.counts[room, before] -= 1
        rooms.total[room] -= before
    if after > 0:
        rooms.levels[room, after, word] ^= bit
        rooms.counts[room, after] += 1
        rooms.total[room] += after
