"""Where on a site's nodes a job has room, as `schedulers.machine.node_fit` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_gpus import choose_with_gpus, gpus_free, list_gpus
from pred_aware.engine.kernel.nodes_masks import (
    high_of,
    low_of,
    lowest_of,
    of_choice,
    of_kind,
    set_at,
)
from pred_aware.engine.kernel.nodes_placing import on_exactly, spread
from pred_aware.engine.kernel.nodes_values import (
    ALL_OF,
    ALLOWED,
    BIT,
    BITS,
    CHOICE,
    CHOSEN,
    CHOSEN_ON,
    CORES,
    COUNT_OF,
    EXACTLY,
    FIRST,
    FREE_OF,
    GETS_WHOLE,
    GIVEN,
    HEAVIEST,
    LAST,
    LEVELS,
    LIGHTEST,
    MANY_SIZES,
    MEMORY,
    MEMORY_OF,
    MEMORY_OF_UNIT,
    MOST,
    NODE,
    NODE_WIDTH,
    ON,
    ON_EACH,
    ON_WIDTH,
    PLACED,
    PLACES,
    SIZE,
    SIZES,
    TAKEN,
    THREADS,
    TOGETHER,
    TRIED,
    UNIT,
    UNITS,
    WANTS_WHOLE,
    WHOLE,
    WORD,
    WORDS,
)


@compiled_apart
def place(values: Integers, room: int, kind: int, closed: int) -> bool:
    """Choose where a job has room, outside of a set of nodes (-1: none); say whether there is any.

    The first of its choices in which there is any is the one.
    """
    without = set_at(values, closed) if closed >= 0 else -1
    for index in range(of_kind(values, kind, FIRST), of_kind(values, kind, LAST)):
        choice = values[values[TRIED] + index]
        if _place_in(values, room, kind, choice, without):
            list_chosen(values, room, kind, choice)
            return True
    return False


@compiled
def is_whole(values: Integers, kind: int, choice: int) -> bool:
    """Say whether such a job has its nodes there as a whole."""
    return of_kind(values, kind, WANTS_WHOLE) + of_choice(values, choice, GETS_WHOLE) > 0


@compiled
def _place_in(values: Integers, room: int, kind: int, choice: int, closed: int) -> bool:
    first, last = of_choice(values, choice, LIGHTEST), of_choice(values, choice, HEAVIEST)
    allow(values, room, kind, choice, closed)
    exactly, most = of_kind(values, kind, EXACTLY), of_kind(values, kind, MOST)
    unit = of_kind(values, kind, UNIT)
    units = of_kind(values, kind, SIZE) // unit
    together = of_kind(values, kind, TOGETHER) > 0
    if unit > 1 or of_kind(values, kind, MEMORY_OF_UNIT) or (most and not exactly) or together:
        among = of_choice(values, choice, PLACES)
        count_units(values, room, kind, among, 0 if exactly else most)
        if together:
            return choose_with_gpus(values, room, kind, first, last, units)
        room = values[UNITS]
    if exactly:
        return on_exactly(values, room, first, last, units, exactly, most)
    return spread(values, room, first, last, units)


@compiled
def allow(values: Integers, room: int, kind: int, choice: int, closed: int) -> None:
    """Note which nodes of a choice are looked at, and that none is chosen.

    Those are left out that the bit mask at a place has (-1: none).
    """
    own = set_at(values, of_choice(values, choice, PLACES))
    whole, memory = is_whole(values, kind, choice), of_kind(values, kind, MEMORY)
    gpus = of_kind(values, kind, ON_EACH)
    words, sizes = values[WORDS], values[SIZES]
    for word in range(words):
        values[values[CHOSEN] + word] = 0
        found = values[own + word]
        if closed >= 0:
            found &= ~values[closed + word]
        if whole:
            idle = 0
            for size in range(values[MANY_SIZES]):
                row = sizes + 2 * size
                of_size = set_at(values, values[row + 1])
                idle |= values[room + words * values[row] + word] & values[of_size + word]
            found &= idle
        if memory or gpus:
            left = found
            while left:
                node = word * BITS + lowest_of(left)
                lacks = values[room + values[MEMORY_OF] + node] < memory
                if lacks or gpus_free(values, room, kind, node) < gpus:
                    found ^= left & -left
                left &= left - 1
        values[values[ALLOWED] + word] = found


@compiled
def count_units(values: Integers, room: int, kind: int, among: int, most: int) -> None:
    """Fill in how many units have room on each of the nodes that are allowed."""
    units, words, count = values[UNITS], values[WORDS], values[UNITS] + values[COUNT_OF]
    unit, memory = of_kind(values, kind, UNIT), of_kind(values, kind, MEMORY_OF_UNIT)
    low, high = low_of(values, among), high_of(values, among)
    for level in range(values[LEVELS]):
        if values[count + level]:
            values[count + level] = 0
            for word in range(words):
                values[units + level * words + word] = 0
    for free in range(unit, values[LEVELS]):
        if not values[room + values[COUNT_OF] + free]:
            continue
        top = free // unit
        if most:
            top = min(top, most)
        for word in range(low, high):
            found = values[room + free * words + word] & values[values[ALLOWED] + word]
            if not found:
                continue
            if not memory:
                values[units + top * words + word] |= found
                values[count + top] = 1
            while memory and found:
                has = values[room + values[MEMORY_OF] + word * BITS + lowest_of(found)]
                fits = min(top, max(has, 0) // memory)
                if fits:
                    values[units + fits * words + word] |= found & -found
                    values[count + fits] = 1
                found &= found - 1


@compiled
def list_chosen(values: Integers, room: int, kind: int, choice: int) -> None:
    """List the nodes that are chosen, and what each gives."""
    values[CHOICE] = choice
    among, unit = of_choice(values, choice, PLACES), of_kind(values, kind, UNIT)
    placed, whole = values[PLACED], is_whole(values, kind, choice)
    count = total = 0
    for word in range(low_of(values, among), high_of(values, among)):
        left = values[values[CHOSEN] + word]
        while left:
            node = word * BITS + lowest_of(left)
            given = values[values[ON] + ON_WIDTH * node + GIVEN] * unit
            values[placed + 2 * count], values[placed + 2 * count + 1] = node, given
            list_gpus(values, room, kind, node, count)
            count += 1
            total += kept(values, node, given, whole)
            left &= left - 1
    values[CHOSEN_ON], values[TAKEN] = count, total


@compiled
def kept(values: Integers, node: int, given: int, whole: bool) -> int:  # noqa: FBT001 - by numba
    """Return how many processors of a node nobody else can have beside so many."""
    row = values[NODE] + NODE_WIDTH * node
    if whole or values[row + WHOLE]:
        return values[row + CORES]
    threads = values[row + THREADS]
    if threads == 1:
        return given
    return (given + threads - 1) // threads * threads


@compiled
def memory_of(values: Integers, kind: int, given: int) -> int:
    """Return the memory of a node that such a job has beside so many processors, in KiB."""
    of_unit = of_kind(values, kind, MEMORY_OF_UNIT)
    if of_unit:
        of_unit *= given // of_kind(values, kind, UNIT)
    return of_kind(values, kind, MEMORY) + of_unit


@compiled
def change(values: Integers, room: int, node: int, more: int) -> None:
    """Let so many more processors of a node be free, or fewer."""
    row, words = values[NODE] + NODE_WIDTH * node, values[WORDS]
    at, bit, count = room + values[row + WORD], values[row + BIT], room + values[COUNT_OF]
    free_on, free = room + values[FREE_OF] + node, room + values[ALL_OF]
    before = values[free_on]
    after = before + more
    values[free_on] = after
    if before > 0:
        values[at + before * words] ^= bit
        values[count + before] -= 1
        values[free] -= before
    if after > 0:
        values[at + after * words] ^= bit
        values[count + after] += 1
        values[free] += after
