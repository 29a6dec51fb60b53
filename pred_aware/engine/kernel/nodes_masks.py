"""Bit masks of nodes, in words."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    BITS,
    CHOSEN,
    GIVEN,
    HIGH,
    LOW,
    Nodes,
    Room,
)
from pred_aware.engine.kernel.values import Integers

_ODD, _PAIRS, _FOURS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F


@compiled
def count_of(word: int) -> int:
    """Return how many bits of a word are set."""
    word -= (word >> 1) & _ODD
    word = (word & _PAIRS) + ((word >> 2) & _PAIRS)
    word = (word + (word >> 4)) & _FOURS
    word += word >> 8
    word += word >> 16
    word += word >> 32
    return word & 0x7F


@compiled
def lowest_of(word: int) -> int:
    """Return the place of the lowest bit that is set."""
    return count_of((word & -word) - 1)


@compiled
def first_in(nodes: Nodes, levels: Integers, level: int, among: int) -> int:
    """Return the first node of a set on a level that is allowed; -1 without any."""
    sets, masks = nodes.sets, nodes.masks
    for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
        found = levels[level, word] & sets[among, word] & masks[ALLOWED, word]
        if found:
            return word * BITS + lowest_of(found)
    return -1


@compiled_apart
def room_in(nodes: Nodes, levels: Integers, count: Integers, among: int) -> int:
    """Return how many units have room on the nodes of a set that are allowed."""
    sets, masks, room = nodes.sets, nodes.masks, 0
    for level in range(1, len(count)):
        if count[level]:
            for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
                found = levels[level, word] & sets[among, word] & masks[ALLOWED, word]
                if found:
                    room += level * count_of(found)
    return room


@compiled_apart
def free_in(nodes: Nodes, room: Room, among: int, outside: int) -> int:
    """Return how many processors are free on a set of nodes, but for another (-1: none)."""
    sets, free = nodes.sets, 0
    for level in range(1, len(room.count)):
        if room.count[level]:
            for word in range(nodes.spans[among, LOW], nodes.spans[among, HIGH]):
                found = room.levels[level, word] & sets[among, word]
                if outside >= 0:
                    found &= ~sets[outside, word]
                if found:
                    free += level * count_of(found)
    return free


@compiled
def first_bits(word: int, count: int) -> int:
    """Return the lowest of the bits that are set: so many, or all."""
    if count_of(word) <= count:
        return word
    left = word
    for _ in range(count):
        left &= left - 1
    return word ^ left


@compiled
def give_on(nodes: Nodes, word: int, found: int, amount: int) -> None:
    """Choose some nodes of a word, and give so much on each."""
    nodes.masks[CHOSEN, word] |= found
    while found:
        nodes.on[word * BITS + lowest_of(found), GIVEN] = amount
        found &= found - 1


@compiled
def give(nodes: Nodes, node: int, amount: int) -> None:
    """Choose a node, and give so much on it."""
    word = node // BITS
    give_on(nodes, word, 1 << (node - word * BITS), amount)
