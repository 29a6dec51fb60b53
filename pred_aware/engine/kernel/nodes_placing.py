"""Choosing nodes for so many units, as `schedulers.machine.placing` defines it.

What is chosen stands in the row `CHOSEN` of the masks, and what each node gives in `GIVEN`.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_masks import (
    count_of,
    first_bits,
    first_in,
    give,
    give_on,
    lowest_of,
    room_in,
)
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    AVAILABLE,
    BITS,
    CHOSEN,
    GIVEN,
    HIGH,
    LOW,
    Nodes,
)
from pred_aware.engine.kernel.values import Integers


@compiled_apart
def spread(
    nodes: Nodes, levels: Integers, count: Integers, first: int, last: int, units: int
) -> bool:
    """Choose nodes, however many, those of the least weight first; say whether there is room."""
    for place in range(first, last):
        among = nodes.weights[place]
        for level in range(units, len(count)):
            if count[level]:
                node = first_in(nodes, levels, level, among)
                if node >= 0:
                    give(nodes, node, units)
                    return True
        room = room_in(nodes, levels, count, among)
        if room >= units:
            _fewest(nodes, levels, count, among, units)
            return True
        if room:
            units -= room
            for level in range(1, len(count)):
                for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
                    found = levels[level, word] & nodes.sets[among, word]
                    give_on(nodes, word, found & nodes.masks[ALLOWED, word], level)
    return False


@compiled
def _fewest(nodes: Nodes, levels: Integers, count: Integers, among: int, units: int) -> None:
    """Fill up the emptiest nodes, and put the rest where it leaves the least over."""
    masks, low, high = nodes.masks, nodes.spans[among, LOW], nodes.spans[among, HIGH]
    for word in range(low, high):
        masks[AVAILABLE, word] = nodes.sets[among, word] & masks[ALLOWED, word]
    for level in range(min(units, len(count)) - 1, 0, -1):
        wanted = (units - 1) // level
        left = wanted
        word = low
        while count[level] and left and word < high:
            found = first_bits(levels[level, word] & masks[AVAILABLE, word], left)
            if found:
                masks[AVAILABLE, word] ^= found
                give_on(nodes, word, found, level)
                left -= count_of(found)
            word += 1
        if left == wanted:
            continue
        units -= level * (wanted - left)
        for enough in range(units, level + 1):
            if not count[enough]:
                continue
            for word in range(low, high):
                found = levels[enough, word] & masks[AVAILABLE, word]
                if found:
                    give(nodes, word * BITS + lowest_of(found), units)
                    return


@compiled_apart
def on_exactly(
    nodes: Nodes,
    levels: Integers,
    count: Integers,
    first: int,
    last: int,
    units: int,
    exactly: int,
    most: int,
) -> bool:
    """Choose exactly so many nodes, at least a unit on each; say whether there is room."""
    each, more = units // exactly, units % exactly
    share = each + (1 if more else 0)
    if not each or 0 < most < share:
        return False
    masks = nodes.masks
    if _fullest(nodes, levels, count, first, last, share, exactly):
        for word in range(masks.shape[1]):
            found = masks[CHOSEN, word]
            larger = first_bits(found, more)
            more -= count_of(larger)
            give_on(nodes, word, larger, share)
            give_on(nodes, word, found ^ larger, each)
        return True
    for place in range(first, last):
        if _emptiest(nodes, levels, count, first, place + 1, units, exactly, most):
            _share(nodes, units, exactly)
            return True
    return False


@compiled
def _fullest(
    nodes: Nodes, levels: Integers, count: Integers, first: int, last: int, units: int, wanted: int
) -> bool:
    """Choose so many nodes of which each has room for so many units, the fullest first."""
    masks = nodes.masks
    for place in range(first, last):
        among = nodes.weights[place]
        for level in range(units, len(count)):
            if not count[level]:
                continue
            for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
                found = levels[level, word] & nodes.sets[among, word] & masks[ALLOWED, word]
                if found:
                    found = first_bits(found, wanted)
                    masks[CHOSEN, word] |= found
                    wanted -= count_of(found)
                    if not wanted:
                        return True
    return False


@compiled
def _emptiest(
    nodes: Nodes,
    levels: Integers,
    count: Integers,
    first: int,
    last: int,
    units: int,
    wanted: int,
    most: int,
) -> bool:
    """Choose so many nodes, those with the most room first; say whether that is enough.

    What they have room for, `most` at most, stands for what they give.
    """
    masks = nodes.masks
    masks[CHOSEN] = 0
    room = 0
    top = len(count) - 1
    if 0 < most < top:
        top = most
    for level in range(top, 0, -1):
        # above the most they are all the same
        tallest = len(count) if level == top else level + 1
        for word in range(masks.shape[1]):
            found = 0
            for each in range(level, tallest):
                found |= levels[each, word]
            among = 0
            for place in range(first, last):
                among |= nodes.sets[nodes.weights[place], word]
            found = first_bits(found & among & masks[ALLOWED, word], wanted)
            if found:
                give_on(nodes, word, found, level)
                wanted -= count_of(found)
                room += level * count_of(found)
                if not wanted:
                    return room >= units
    return False


@compiled
def _share(nodes: Nodes, units: int, count: int) -> None:
    """Share units among the chosen nodes as evenly as their room allows, the fullest first."""
    masks, on = nodes.masks, nodes.on
    level = 1
    while count:
        for word in range(masks.shape[1]):
            left = masks[CHOSEN, word]
            while left:
                node = word * BITS + lowest_of(left)
                if on[node, GIVEN] == level:
                    given = min(level, units // count)
                    on[node, GIVEN] = given
                    units -= given
                    count -= 1
                left &= left - 1
        level += 1
