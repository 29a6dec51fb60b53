"""Bit masks of nodes, in words."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_values import (
    ALLOWED,
    BIT,
    BITS,
    CHOICE_WIDTH,
    CHOICES,
    CHOSEN,
    COUNT_OF,
    GIVEN,
    HIGH,
    KIND_WIDTH,
    KINDS,
    LEVELS,
    LOW,
    NODE,
    NODE_WIDTH,
    ON,
    ON_WIDTH,
    SETS,
    SPANS,
    WORD,
    WORDS,
)

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
def first_run(word: int) -> tuple[int, int]:
    """Return the place of the lowest bit that is set, and how many are set from it on."""
    low = lowest_of(word)
    shifted = word >> low
    return low, BITS if shifted == _WHOLE else count_of(shifted & ~(shifted + 1))


@compiled
def of_kind(values: Integers, kind: int, what: int) -> int:
    """Return what a kind of jobs asks for."""
    return values[values[KINDS] + KIND_WIDTH * kind + what]


@compiled
def of_choice(values: Integers, choice: int, what: int) -> int:
    """Return what is known of a choice."""
    return values[values[CHOICES] + CHOICE_WIDTH * choice + what]


@compiled
def set_at(values: Integers, among: int) -> int:
    """Return where the bit mask of a set stands."""
    return values[SETS] + among * values[WORDS]


@compiled
def low_of(values: Integers, among: int) -> int:
    """Return the first word in which a set has nodes."""
    return values[values[SPANS] + 2 * among + LOW]


@compiled
def high_of(values: Integers, among: int) -> int:
    """Return the word after the last in which a set has nodes."""
    return values[values[SPANS] + 2 * among + HIGH]


@compiled
def has(values: Integers, among: int, node: int) -> bool:
    """Say whether a node is in a set."""
    row = values[NODE] + NODE_WIDTH * node
    return (values[set_at(values, among) + values[row + WORD]] & values[row + BIT]) != 0


@compiled
def first_in(values: Integers, level: int, among: int) -> int:
    """Return the first node of a set on a level, at its place, that is allowed; -1 without any."""
    own, allowed = set_at(values, among), values[ALLOWED]
    for word in range(low_of(values, among), high_of(values, among)):
        found = values[level + word] & values[own + word] & values[allowed + word]
        if found:
            return word * BITS + lowest_of(found)
    return -1


@compiled
def room_in(values: Integers, room: int, among: int) -> int:
    """Return how many units have room on the nodes of a set that are allowed."""
    own, allowed, words = set_at(values, among), values[ALLOWED], values[WORDS]
    low, high, units = low_of(values, among), high_of(values, among), 0
    for level in range(1, values[LEVELS]):
        if values[room + values[COUNT_OF] + level]:
            at = room + level * words
            for word in range(low, high):
                found = values[at + word] & values[own + word] & values[allowed + word]
                if found:
                    units += level * count_of(found)
    return units


@compiled_apart
def free_in(values: Integers, room: int, among: int, outside: int) -> int:
    """Return how many processors are free on a set of nodes, but for another (-1: none)."""
    own, words, free = set_at(values, among), values[WORDS], 0
    other = set_at(values, max(outside, 0))
    low, high = low_of(values, among), high_of(values, among)
    for level in range(1, values[LEVELS]):
        if values[room + values[COUNT_OF] + level]:
            at = room + level * words
            for word in range(low, high):
                found = values[at + word] & values[own + word]
                if outside >= 0:
                    found &= ~values[other + word]
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
def give_on(values: Integers, word: int, found: int, amount: int) -> None:
    """Choose some nodes of a word, and give so much on each."""
    values[values[CHOSEN] + word] |= found
    while found:
        node = word * BITS + lowest_of(found)
        values[values[ON] + ON_WIDTH * node + GIVEN] = amount
        found &= found - 1


@compiled
def give(values: Integers, node: int, amount: int) -> None:
    """Choose a node, and give so much on it."""
    row = values[NODE] + NODE_WIDTH * node
    values[values[CHOSEN] + values[row + WORD]] |= values[row + BIT]
    values[values[ON] + ON_WIDTH * node + GIVEN] = amount
