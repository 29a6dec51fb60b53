"""GPUs on a site's nodes, as `schedulers.machine.node_fit` gives them.

There is none where no job asks for any.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_masks import give, lowest_of, room_in
from pred_aware.engine.kernel.nodes_placing import spread
from pred_aware.engine.kernel.nodes_values import BITS, GPUS, NODE, UNITS, Nodes


@compiled
def asks_for_rest(nodes: Nodes, kind: int) -> bool:
    """Say whether such a job asks for memory or GPUs."""
    kinds = nodes.kinds
    memory = kinds.memory[kind] + kinds.memory_of_unit[kind]
    return memory + kinds.gpus_on_node[kind] + kinds.gpus[kind] > 0


@compiled
def gpus_free(nodes: Nodes, room: int, kind: int, node: int) -> int:
    """Return how many GPUs that would do are free on a node."""
    wanted, there, free = nodes.kinds.gpu_type[kind], nodes.rooms.free, 0
    for thing in range(GPUS, there.shape[1]):
        if wanted < 0 or wanted == thing:
            free += there[room, thing, node]
    return free


@compiled
def list_gpus(nodes: Nodes, room: int, kind: int, node: int, piece: int) -> None:
    """List the GPUs of each type that a job has on a node that is chosen."""
    left, wanted = nodes.kinds.gpus_on_node[kind], nodes.kinds.gpu_type[kind]
    if nodes.kinds.gpus[kind]:
        left = nodes.choosing.gpus[node]
    there, rest = nodes.rooms.free, asks_for_rest(nodes, kind)
    typed = wanted >= 0 and left > 0
    for thing in range(GPUS, there.shape[1]):
        found = 0
        if typed:
            found = left if wanted == thing else 0
        elif rest:
            found = min(left, there[room, thing, node])
            left -= found
        nodes.choosing.pieces[piece, thing] = found


@compiled_apart
def choose_with_gpus(nodes: Nodes, room: int, kind: int, first: int, last: int, units: int) -> bool:
    """Choose the nodes that have the GPUs first, and then others for the other units."""
    choosing, there = nodes.choosing, 0
    for place in range(first, last):
        there += room_in(nodes, UNITS, nodes.weights[place])
    if there < units:
        return False
    # those of the least weight, unless that takes more nodes than there are units
    found = _gather(nodes, room, kind, first, last, True)
    if found < 0 or found > units:
        found = _gather(nodes, room, kind, first, last, False)
    if found < 0 or found > units:
        return False
    units -= found
    for piece in range(found):
        node = int(choosing.pieces[piece, NODE])
        more = min(units, _level_of(nodes, node) - 1)
        choosing.given[node] = 1 + more
        units -= more
    if not units:
        return True
    for word in range(len(choosing.chosen)):
        choosing.allowed[word] &= ~choosing.chosen[word]
    return spread(nodes, UNITS, first, last, units)


@compiled
def _gather(
    nodes: Nodes,
    room: int,
    kind: int,
    first: int,
    last: int,
    by_weight: bool,  # noqa: FBT001 - compiled
) -> int:
    """Choose the nodes with the most GPUs until they are enough; return how many, else -1."""
    choosing = nodes.choosing
    choosing.chosen[:] = choosing.gpus[:] = 0
    left, found = nodes.kinds.gpus[kind], 0
    while left > 0:
        best, most = -1, 0
        for place in range(first, last):
            if by_weight and best >= 0:
                break
            best, most = _best(nodes, room, kind, nodes.weights[place], best, most)
        if best < 0:
            return -1
        given = min(left, most)
        give(nodes, best, 1)
        choosing.gpus[best] = given
        choosing.pieces[found, NODE] = best
        left -= given
        found += 1
    return found


@compiled
def _best(nodes: Nodes, room: int, kind: int, among: int, best: int, most: int) -> tuple[int, int]:
    """Return the node of a set with the most GPUs, or the best so far, and how many it has."""
    sets, choosing = nodes.sets, nodes.choosing
    for word in range(sets.low[among], sets.high[among]):
        left = sets.masks[among, word] & choosing.allowed[word] & ~choosing.chosen[word]
        while left:
            node = word * BITS + lowest_of(left)
            free = gpus_free(nodes, room, kind, node)
            better = free > most or (free == most > 0 and node < best)
            if better and _level_of(nodes, node):
                best, most = node, free
            left &= left - 1
    return best, most


@compiled
def _level_of(nodes: Nodes, node: int) -> int:
    """Return how many units have room on a node."""
    levels = nodes.rooms.levels
    for level in range(1, levels.shape[1]):
        if levels[UNITS, level, nodes.word[node]] & nodes.bit[node]:
            return level
    return 0
