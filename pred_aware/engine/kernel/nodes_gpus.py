"""GPUs on a site's nodes, as `schedulers.machine.node_fit` gives them.

Their types stand behind the memory in a room. There is none where no job asks for any.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_masks import (
    give,
    high_of,
    low_of,
    lowest_of,
    of_kind,
    room_in,
    set_at,
)
from pred_aware.engine.kernel.nodes_placing import spread
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    BIT,
    BITS,
    CHOSEN,
    GIVEN,
    GPUS_GIVEN,
    GPUS_PLACED,
    LEVELS,
    MANY,
    MEMORY,
    MEMORY_OF,
    MEMORY_OF_UNIT,
    NODE,
    NODE_WIDTH,
    OF_TYPE,
    ON,
    ON_EACH,
    ON_WIDTH,
    PLACED,
    TOGETHER,
    TYPES,
    UNITS,
    WEIGHTS,
    WORD,
    WORDS,
)


@compiled
def gpus_at(values: Integers, room: int, kind_of: int, node: int) -> int:
    """Return where it stands how many GPUs of a type a node has free."""
    return values[MEMORY_OF] + room + (1 + kind_of) * values[MANY] + node


@compiled
def asks_for_rest(values: Integers, kind: int) -> bool:
    """Say whether such a job asks for memory or GPUs."""
    memory = of_kind(values, kind, MEMORY) + of_kind(values, kind, MEMORY_OF_UNIT)
    return memory + of_kind(values, kind, ON_EACH) + of_kind(values, kind, TOGETHER) > 0


@compiled
def gpus_free(values: Integers, room: int, kind: int, node: int) -> int:
    """Return how many GPUs that would do are free on a node."""
    wanted, free = of_kind(values, kind, OF_TYPE), 0
    for kind_of in range(values[TYPES]):
        if wanted < 0 or wanted == kind_of:
            free += values[gpus_at(values, room, kind_of, node)]
    return free


@compiled
def list_gpus(values: Integers, room: int, kind: int, node: int, piece: int) -> None:
    """List the GPUs of each type that a job has on a node that is chosen."""
    left, wanted = of_kind(values, kind, ON_EACH), of_kind(values, kind, OF_TYPE)
    if of_kind(values, kind, TOGETHER):
        left = values[values[ON] + ON_WIDTH * node + GPUS_GIVEN]
    rest, types = asks_for_rest(values, kind), values[TYPES]
    typed = wanted >= 0 and left > 0
    for kind_of in range(types):
        found = 0
        if typed:
            found = left if wanted == kind_of else 0
        elif rest:
            found = min(left, values[gpus_at(values, room, kind_of, node)])
            left -= found
        values[values[GPUS_PLACED] + types * piece + kind_of] = found


@compiled_apart
def choose_with_gpus(
    values: Integers, room: int, kind: int, first: int, last: int, units: int
) -> bool:
    """Choose the nodes that have the GPUs first, and then others for the other units."""
    there = 0
    for place in range(first, last):
        there += room_in(values, values[UNITS], values[values[WEIGHTS] + place])
    if there < units:
        return False
    # those of the least weight, unless that takes more nodes than there are units
    found = _gather(values, room, kind, first, last, True)
    if found < 0 or found > units:
        found = _gather(values, room, kind, first, last, False)
    if found < 0 or found > units:
        return False
    units -= found
    for piece in range(found):
        node = values[values[PLACED] + 2 * piece]
        more = min(units, _level_of(values, node) - 1)
        values[values[ON] + ON_WIDTH * node + GIVEN] = 1 + more
        units -= more
    if not units:
        return True
    for word in range(values[WORDS]):
        values[values[ALLOWED] + word] &= ~values[values[CHOSEN] + word]
    return spread(values, values[UNITS], first, last, units)


@compiled
def _gather(
    values: Integers,
    room: int,
    kind: int,
    first: int,
    last: int,
    by_weight: bool,  # noqa: FBT001 - compiled
) -> int:
    """Choose the nodes with the most GPUs until they are enough; return how many, else -1."""
    for word in range(values[WORDS]):
        values[values[CHOSEN] + word] = 0
    for node in range(values[MANY]):
        values[values[ON] + ON_WIDTH * node + GPUS_GIVEN] = 0
    left, found = of_kind(values, kind, TOGETHER), 0
    while left > 0:
        best, most = -1, 0
        for place in range(first, last):
            if by_weight and best >= 0:
                break
            best, most = _best(values, room, kind, values[values[WEIGHTS] + place], best, most)
        if best < 0:
            return -1
        given = min(left, most)
        give(values, best, 1)
        values[values[ON] + ON_WIDTH * best + GPUS_GIVEN] = given
        values[values[PLACED] + 2 * found] = best
        left -= given
        found += 1
    return found


@compiled
def _best(
    values: Integers, room: int, kind: int, among: int, best: int, most: int
) -> tuple[int, int]:
    """Return the node of a set with the most GPUs, or the best so far, and how many it has."""
    own = set_at(values, among)
    for word in range(low_of(values, among), high_of(values, among)):
        left = values[own + word] & values[values[ALLOWED] + word] & ~values[values[CHOSEN] + word]
        while left:
            node = word * BITS + lowest_of(left)
            free = gpus_free(values, room, kind, node)
            better = free > most or (free == most > 0 and node < best)
            if better and _level_of(values, node):
                best, most = node, free
            left &= left - 1
    return best, most


@compiled
def _level_of(values: Integers, node: int) -> int:
    """Return how many units have room on a node."""
    row = values[NODE] + NODE_WIDTH * node
    for level in range(1, values[LEVELS]):
        if values[values[UNITS] + level * values[WORDS] + values[row + WORD]] & values[row + BIT]:
            return level
    return 0
