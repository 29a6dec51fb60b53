"""Choosing nodes for so many units, as `schedulers.machine.placing` defines it.

What is chosen stands in the bit mask `CHOSEN`, and what each node gives in `GIVEN`. How many units
have room on each stands in the room that begins at a place.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_masks import (
    count_of,
    first_bits,
    first_in,
    give,
    give_on,
    high_of,
    low_of,
    lowest_of,
    room_in,
    set_at,
)
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    AVAILABLE,
    BITS,
    CHOSEN,
    COUNT_OF,
    GIVEN,
    LEVELS,
    ON,
    ON_WIDTH,
    WEIGHTS,
    WORDS,
)


@compiled_apart
def spread(values: Integers, room: int, first: int, last: int, units: int) -> bool:
    """Choose nodes, however many, those of the least weight first; say whether there is room."""
    words = values[WORDS]
    for place in range(first, last):
        among = values[values[WEIGHTS] + place]
        for level in range(units, values[LEVELS]):
            if values[room + values[COUNT_OF] + level]:
                node = first_in(values, room + level * words, among)
                if node >= 0:
                    give(values, node, units)
                    return True
        there = room_in(values, room, among)
        if there >= units:
            _fewest(values, room, among, units)
            return True
        if there:
            units -= there
            own, allowed = set_at(values, among), values[ALLOWED]
            for level in range(1, values[LEVELS]):
                for word in range(low_of(values, among), high_of(values, among)):
                    found = values[room + level * words + word] & values[own + word]
                    give_on(values, word, found & values[allowed + word], level)
    return False


@compiled
def _fewest(values: Integers, room: int, among: int, units: int) -> None:
    """Fill up the emptiest nodes, and put the rest where it leaves the least over."""
    words, available = values[WORDS], values[AVAILABLE]
    low, high, own = low_of(values, among), high_of(values, among), set_at(values, among)
    for word in range(low, high):
        values[available + word] = values[own + word] & values[values[ALLOWED] + word]
    for level in range(min(units, values[LEVELS]) - 1, 0, -1):
        if not values[room + values[COUNT_OF] + level]:
            continue
        wanted = (units - 1) // level
        left = wanted
        for word in range(low, high):
            here = values[room + level * words + word] & values[available + word]
            found = first_bits(here, left)
            if found:
                values[available + word] ^= found
                give_on(values, word, found, level)
                left -= count_of(found)
        if left == wanted:
            continue
        units -= level * (wanted - left)
        for enough in range(units, level + 1):
            if not values[room + values[COUNT_OF] + enough]:
                continue
            for word in range(low, high):
                found = values[room + enough * words + word] & values[available + word]
                if found:
                    give(values, word * BITS + lowest_of(found), units)
                    return


@compiled_apart
def on_exactly(
    values: Integers, room: int, first: int, last: int, units: int, exactly: int, most: int
) -> bool:
    """Choose exactly so many nodes, at least a unit on each; say whether there is room."""
    each, more = units // exactly, units % exactly
    share = each + (1 if more else 0)
    if not each or 0 < most < share:
        return False
    if _fullest(values, room, first, last, share, exactly):
        for word in range(values[WORDS]):
            found = values[values[CHOSEN] + word]
            larger = first_bits(found, more)
            more -= count_of(larger)
            give_on(values, word, larger, share)
            give_on(values, word, found ^ larger, each)
        return True
    for place in range(first, last):
        if _emptiest(values, room, first, place + 1, units, exactly, most):
            _share(values, units, exactly)
            return True
    return False


@compiled
def _fullest(values: Integers, room: int, first: int, last: int, units: int, wanted: int) -> bool:
    """Choose so many nodes of which each has room for so many units, the fullest first."""
    words, allowed = values[WORDS], values[ALLOWED]
    for place in range(first, last):
        among = values[values[WEIGHTS] + place]
        own = set_at(values, among)
        for level in range(units, values[LEVELS]):
            if not values[room + values[COUNT_OF] + level]:
                continue
            for word in range(low_of(values, among), high_of(values, among)):
                found = values[room + level * words + word] & values[own + word]
                found = first_bits(found & values[allowed + word], wanted)
                if found:
                    values[values[CHOSEN] + word] |= found
                    wanted -= count_of(found)
                    if not wanted:
                        return True
    return False


@compiled
def _emptiest(
    values: Integers, room: int, first: int, last: int, units: int, wanted: int, most: int
) -> bool:
    """Choose so many nodes, those with the most room first; say whether that is enough.

    What they have room for, `most` at most, stands for what they give.
    """
    words, there = values[WORDS], 0
    for word in range(words):
        values[values[CHOSEN] + word] = 0
    top = values[LEVELS] - 1
    if 0 < most < top:
        top = most
    for level in range(top, 0, -1):
        # from the most on they are all the same
        tallest = values[LEVELS] if level == top else level + 1
        for word in range(words):
            found, among = 0, 0
            for each in range(level, tallest):
                found |= values[room + each * words + word]
            for place in range(first, last):
                among |= values[set_at(values, values[values[WEIGHTS] + place]) + word]
            found = first_bits(found & among & values[values[ALLOWED] + word], wanted)
            if found:
                give_on(values, word, found, level)
                wanted -= count_of(found)
                there += level * count_of(found)
                if not wanted:
                    return there >= units
    return False


@compiled
def _share(values: Integers, units: int, count: int) -> None:
    """Share units among the chosen nodes as evenly as their room allows, the fullest first."""
    level = 1
    while count:
        for word in range(values[WORDS]):
            left = values[values[CHOSEN] + word]
            while left:
                given = values[ON] + ON_WIDTH * (word * BITS + lowest_of(left)) + GIVEN
                if values[given] == level:
                    values[given] = min(level, units // count)
                    units -= values[given]
                    count -= 1
                left &= left - 1
        level += 1
