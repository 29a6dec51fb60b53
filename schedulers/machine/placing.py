"""Rules that choose few nodes for a job, with a low weight and little free room.

Sets of nodes are bit masks. A list of levels states the free room: ``levels[n]`` is the set of
nodes with room for exactly n units. A unit is the processors of one task, in most cases 1. The
fullest nodes are those with the least free room, and the emptiest are those with the most.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from schedulers.core.constants import shifted

Levels: TypeAlias = Sequence[int]
Pieces: TypeAlias = list[tuple[int, int]]
"""Pairs of nodes, as a bit mask, and the number of units that each of them gets."""


FEW = 8


def places(nodes: int) -> Iterator[int]:
    """Yield the numbers of the nodes in a bit mask, in ascending order.

    Examples
    --------
    >>> list(places(0b1101))
    [0, 2, 3]
    """
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


def first_of(nodes: int, count: int) -> int:
    """Return the `count` lowest nodes of a bit mask.

    Examples
    --------
    >>> bin(first_of(0b11010, 2))
    '0b1010'
    """
    if count >= nodes.bit_count():
        return nodes
    left = nodes
    if count <= FEW:
        for _ in range(count):
            left &= left - 1
        return nodes ^ left
    # with many nodes, bisection is faster
    few, many = 0, nodes.bit_length()
    while many - few > 1:
        end = (few + many) >> 1
        left = nodes >> end
        if nodes.bit_count() - left.bit_count() > count:
            many = end
        else:
            few = end
    left = nodes >> few
    return nodes ^ shifted(left, few)


def room_in(levels: Levels, nodes: int) -> int:
    """Return how many units have room on the given nodes together."""
    room = 0
    for units, each in enumerate(levels):
        if each and (found := each & nodes):
            room += units * found.bit_count()
    return room


def at_most(levels: Levels, most: int) -> Levels:
    """Return the levels with at most `most` units on each node; 0 for no limit."""
    if not 0 < most < len(levels):
        return levels
    top = 0
    for nodes in levels[most:]:
        top |= nodes
    return [*levels[:most], top]


def fewest(levels: Levels, nodes: int, units: int) -> Pieces:
    """Choose the fewest nodes for `units`, which must fit on `nodes` but not on a single node.

    The emptiest nodes are filled. The remaining units go to the fullest node that holds them.
    """
    pieces: Pieces = []
    most = min(units, len(levels)) - 1
    for level in range(most, 0, -1):
        found = levels[level] & nodes
        if not found:
            continue
        filled = first_of(found, divmod(units - 1, level)[0])
        pieces.append((filled, level))
        nodes ^= filled
        units -= level * filled.bit_count()
        for enough in range(units, level + 1):
            if rest := levels[enough] & nodes:
                pieces.append((rest & -rest, units))
                return pieces
    raise AssertionError("more units than have room")  # pragma: no cover


def spread(levels: Levels, by_weight: Sequence[int], units: int) -> Pieces | None:
    """Choose any number of nodes for `units`, or return ``None`` if there is no room.

    `by_weight` holds the nodes of each weight in ascending order. Nodes of a greater weight get
    only the units that do not fit on the nodes before.
    """
    pieces: Pieces = []
    for nodes in by_weight:
        for level in range(units, len(levels)):
            found = levels[level]
            if found and (found := found & nodes):
                return [*pieces, (found & -found, units)]
        room = room_in(levels, nodes)
        if room >= units:
            return pieces + fewest(levels, nodes, units)
        if room:
            units -= room
            pieces += [
                (found, level)
                for level, each in enumerate(levels)
                if level and (found := each & nodes)
            ]
    return None


def on_exactly(
    levels: Levels, by_weight: Sequence[int], units: int, count: int, most: int
) -> Pieces | None:
    """Choose exactly `count` nodes for `units`, at least one unit on each, or return ``None``.

    If possible, the nodes get equal numbers of units (or numbers that differ by 1), on the fullest
    nodes with enough room. Otherwise the emptiest nodes share the units as evenly as possible. No
    node gets more than `most` units; 0 means no limit.
    """
    each, more = divmod(units, count)
    share = each + (more > 0)
    if not each or 0 < most < share:
        return None
    chosen = _fullest(levels, by_weight, share, count)
    if chosen is not None:
        if not more:
            return [(chosen, each)]
        larger = first_of(chosen, more)
        return [(larger, share), (chosen ^ larger, each)]
    candidates = 0
    levels = at_most(levels, most)
    for nodes in by_weight:
        candidates |= nodes
        found = _emptiest(levels, candidates, count)
        if found is not None and sum([level * one.bit_count() for one, level in found]) >= units:
            return _shared(found, units, count)
    return None


def _fullest(levels: Levels, by_weight: Sequence[int], units: int, count: int) -> int | None:
    """Return the fullest `count` nodes that have room for `units` each, or ``None``."""
    chosen = 0
    for nodes in by_weight:
        for level in range(units, len(levels)):
            found = levels[level]
            if found and (found := found & nodes):
                found = first_of(found, count)
                chosen |= found
                count -= found.bit_count()
                if not count:
                    return chosen
    return None


def _emptiest(levels: Levels, nodes: int, count: int) -> Pieces | None:
    """Return the emptiest `count` nodes and the room of each node, or ``None``."""
    pieces: Pieces = []
    for level in range(len(levels) - 1, 0, -1):
        if found := levels[level] & nodes:
            found = first_of(found, count)
            pieces.append((found, level))
            count -= found.bit_count()
            if not count:
                return pieces
    return None


def _shared(pieces: Pieces, units: int, count: int) -> Pieces:
    """Share units among nodes as evenly as their room allows."""
    shared: Pieces = []
    for nodes, level in reversed(pieces):
        for place in places(nodes):
            given = min(level, divmod(units, count)[0])
            shared.append((shifted(1, place), given))
            units -= given
            count -= 1
    return shared
