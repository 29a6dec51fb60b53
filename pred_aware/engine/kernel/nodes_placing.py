"""Choosing nodes for so many units, as `schedulers.machine.placing` defines it.

What is chosen stands in the bit mask `chosen`, and what each node gives in `given`. How many units
have room on each stands in a room.
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
from pred_aware.engine.kernel.nodes_values import BITS, Nodes


@compiled_apart
def spread(nodes: Nodes, room: int, first: int, last: int, units: int) -> bool:
    """Choose nodes, however many, those of the least weight first; say whether there is room."""
    rooms, sets, allowed = nodes.rooms, nodes.sets, nodes.choosing.allowed
    top = rooms.counts.shape[1]
    for place in range(first, last):
        among = nodes.weights[place]
        for level in range(units, top):
            if rooms.counts[room, level]:
                node = first_in(nodes, room, level, among)
                if node >= 0:
                    give(nodes, node, units)
                    return True
        there = room_in(nodes, room, among)
        if there >= units:
            _fewest(nodes, room, among, units)
            return True
        if there:
            units -= there
            for level in range(1, top):
                for word in range(sets.low[among], sets.high[among]):
                    found = rooms.levels[room, level, word] & sets.masks[among, word]
                    give_on(nodes, word, found & allowed[word], level)
    return False


@compiled
def _fewest(nodes: Nodes, room: int, among: int, units: int) -> None:
    """Fill up the emptiest nodes, and put the rest where it leaves the least over."""
    rooms, sets, available = nodes.rooms, nodes.sets, nodes.choosing.available
    low, high = sets.low[among], sets.high[among]
    for word in range(low, high):
        available[word] = sets.masks[among, word] & nodes.choosing.allowed[word]
    for level in range(min(units, rooms.counts.shape[1]) - 1, 0, -1):
        if not rooms.counts[room, level]:
            continue
        wanted = (units - 1) // level
        left = wanted
        for word in range(low, high):
            found = first_bits(rooms.levels[room, level, word] & available[word], left)
            if found:
                available[word] ^= found
                give_on(nodes, word, found, level)
                left -= count_of(found)
        if left == wanted:
            continue
        units -= level * (wanted - left)
        for enough in range(units, level + 1):
            if not rooms.counts[room, enough]:
                continue
            for word in range(low, high):
                found = rooms.levels[room, enough, word] & available[word]
                if found:
                    give(nodes, word * BITS + lowest_of(found), units)
                    return


@compiled_apart
def on_exactly(
    nodes: Nodes, room: int, first: int, last: int, units: int, exactly: int, most: int
) -> bool:
    """Choose exactly so many nodes, at least a unit on each; say whether there is room."""
    each, more = units // exactly, units % exactly
    share = each + (1 if more else 0)
    if not each or 0 < most < share:
        return False
    chosen = nodes.choosing.chosen
    if _fullest(nodes, room, first, last, share, exactly):
        for word in range(len(chosen)):
            found = chosen[word]
            larger = first_bits(found, more)
            more -= count_of(larger)
            give_on(nodes, word, larger, share)
            give_on(nodes, word, found ^ larger, each)
        return True
    for place in range(first, last):
        if _emptiest(nodes, room, first, place + 1, units, exactly, most):
            _share(nodes, units, exactly)
            return True
    return False


@compiled
def _fullest(nodes: Nodes, room: int, first: int, last: int, units: int, wanted: int) -> bool:
    """Choose so many nodes of which each has room for so many units, the fullest first."""
    rooms, sets, choosing = nodes.rooms, nodes.sets, nodes.choosing
    for place in range(first, last):
        among = nodes.weights[place]
        for level in range(units, rooms.counts.shape[1]):
            if not rooms.counts[room, level]:
                continue
            for word in range(sets.low[among], sets.high[among]):
                found = rooms.levels[room, level, word] & sets.masks[among, word]
                found = first_bits(found & choosing.allowed[word], wanted)
                if found:
                    choosing.chosen[word] |= found
                    wanted -= count_of(found)
                    if not wanted:
                        return True
    return False


@compiled
def _emptiest(
    nodes: Nodes, room: int, first: int, last: int, units: int, wanted: int, most: int
) -> bool:
    """Choose so many nodes, those with the most room first; say whether that is enough.

    What they have room for, `most` at most, stands for what they give.
    """
    levels, choosing, there = nodes.rooms.levels, nodes.choosing, 0
    choosing.chosen[:] = 0
    top = levels.shape[1] - 1
    if 0 < most < top:
        top = most
    for level in range(top, 0, -1):
        # from the most on they are all the same
        tallest = levels.shape[1] if level == top else level + 1
        for word in range(levels.shape[2]):
            found, among = 0, 0
            for each in range(level, tallest):
                found |= levels[room, each, word]
            for place in range(first, last):
                among |= nodes.sets.masks[nodes.weights[place], word]
            found = first_bits(found & among & choosing.allowed[word], wanted)
            if found:
                give_on(nodes, word, found, level)
                wanted -= count_of(found)
                there += level * count_of(found)
                if not wanted:
                    return there >= units
    return False


@compiled
def _share(nodes: Nodes, units: int, count: int) -> None:
    """Share units among the chosen nodes as evenly as their room allows, the fullest first."""
    chosen, given, level = nodes.choosing.chosen, nodes.choosing.given, 1
    while count:
        for word in range(len(chosen)):
            left = chosen[word]
            while left:
                node = word * BITS + lowest_of(left)
                if given[node] == level:
                    given[node] = min(level, units // count)
                    units -= given[node]
                    count -= 1
                left &= left - 1
        level += 1
