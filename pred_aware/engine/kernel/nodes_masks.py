"""Bit masks of nodes, in words."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_values import BITS, Nodes

_ODD, _PAIRS, _FOURS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
_EIGHTS = 0x0101010101010101
_WHOLE = 2**BITS - 1


@compiled
def count_of(word: int) -> int:
    """Return how many bits of a word are set."""
    word -= (word >> 1) & _ODD
    word = (word & _PAIRS) + ((word >> 2) & _PAIRS)
    word = (word + (word >> 4)) & _FOURS
    # in this form LLVM takes it for the processor's own instruction
    return ((word * _EIGHTS) >> 56) & 0xFF


@compiled
def lowest_of(word: int) -> int:
    """Return the place of the lowest bit that is set."""
    return count_of((word & -word) - 1)


@compiled
def up_to_highest(word: int) -> int:
    """Return the bits up to the highest that is set."""
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> shift
    return word


@compiled
def first_run(word: int) -> tuple[int, int]:
    """Return the place of the lowest bit that is set, and how many are set from it on."""
    low = lowest_of(word)
    shifted = word >> low
    return low, BITS if shifted == _WHOLE else count_of(shifted & ~(shifted + 1))


@compiled
def has(nodes: Nodes, among: int, node: int) -> bool:
    """Say whether a node is in a set."""
    return (nodes.sets.masks[among, nodes.word[node]] & nodes.bit[node]) != 0


@compiled
def first_in(nodes: Nodes, room: int, level: int, among: int) -> int:
    """Return the first node of a set on a level that is allowed; -1 without any."""
    levels, sets, allowed = nodes.rooms.levels, nodes.sets, nodes.choosing.allowed
    for word in range(sets.low[among], sets.high[among]):
        found = levels[room, level, word] & sets.masks[among, word] & allowed[word]
        if found:
            return word * BITS + lowest_of(found)
    return -1


@compiled
def room_in(nodes: Nodes, room: int, among: int) -> int:
    """Return how many units have room on the nodes of a set that are allowed."""
    rooms, sets, allowed, units = nodes.rooms, nodes.sets, nodes.choosing.allowed, 0
    low, high = sets.low[among], sets.high[among]
    for level in range(1, rooms.counts.shape[1]):
        if rooms.counts[room, level]:
            for word in range(low, high):
                found = rooms.levels[room, level, word] & sets.masks[among, word] & allowed[word]
                if found:
                    units += level * count_of(found)
    return units


@compiled_apart
def free_in(nodes: Nodes, room: int, among: int, outside: int) -> int:
    """Return how many processors are free on a set of nodes, but for another (-1: none)."""
    rooms, sets, free = nodes.rooms, nodes.sets, 0
    low, high = sets.low[among], sets.high[among]
    for level in range(1, rooms.counts.shape[1]):
        if rooms.counts[room, level]:
            for word in range(low, high):
                found = rooms.levels[room, level, word] & sets.masks[among, word]
                if outside >= 0:
                    found &= ~sets.masks[outside, word]
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
    nodes.choosing.chosen[word] |= found
    while found:
        nodes.choosing.given[word * BITS + lowest_of(found)] = amount
        found &= found - 1


@compiled
def give(nodes: Nodes, node: int, amount: int) -> None:
    """Choose a node, and give so much on it."""
    nodes.choosing.chosen[nodes.word[node]] |= nodes.bit[node]
    nodes.choosing.given[node] = amount
