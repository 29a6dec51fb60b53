"""The rows of a table that differ, and their numbers in classes, in loops that are compiled."""

from typing import Final

import numpy as np

from predictors.compiled import compiled
from predictors.regression.single_tree.values import (
    COUNT_BITS,
    DIGITS,
    MOST_JOBS,
    Integers,
    Numbers,
    Rows,
    SplitTable,
)

_MIX: Final = -0x61C8864680B583EB
"""Of the golden ratio, as in Fibonacci hashing."""
_BITS: Final = 32
_POSITIVE: Final = 2**31 - 1
_LOWEST: Final = -(2**31)
_DIGIT_BITS: Final = 11


@compiled
def _are_equal(numbers: Integers, one: int, other: int) -> bool:
    """Say whether the rows of two jobs are equal."""
    unlike = 0
    for column in range(numbers.shape[1]):
        unlike |= numbers[one, column] ^ numbers[other, column]
    return unlike == 0


@compiled
def join(numbers: Integers, targets: Integers, rows: Rows) -> int:
    """Join jobs of equal rows, of which `numbers` are the bits; return how many differ."""
    slots, found = rows.slots, 0
    for job in range(len(numbers)):
        mixed = 0
        for column in range(numbers.shape[1]):
            mixed = (mixed ^ numbers[job, column]) * _MIX
            mixed ^= mixed >> _BITS
        slot = mixed & (len(slots) - 1)
        while slots[slot] and not _are_equal(numbers, job, rows.first[slots[slot] - 1]):
            slot = (slot + 1) & (len(slots) - 1)
        if not slots[slot]:
            rows.first[found] = job
            found += 1
            slots[slot] = found
        row, target = slots[slot] - 1, targets[job]
        rows.targets[row] += (target << COUNT_BITS) + 1
        rows.squares[row] += target * target
    return found


@compiled
def _sort(numbers: Numbers, rows: int, unlike: int) -> int:
    """Sort keys by the bits that are not alike in all, digit by digit; return where they are."""
    places, here = numbers.places, 0
    for shift in range(COUNT_BITS, COUNT_BITS + _BITS, _DIGIT_BITS):
        if not (unlike >> (shift - COUNT_BITS)) & (DIGITS - 1):
            continue
        keys, others = numbers.keys[here], numbers.keys[1 - here]
        for digit in range(DIGITS):
            places[digit] = 0
        for one in range(rows):
            places[(keys[one] >> shift) & (DIGITS - 1)] += 1
        place = 0
        for digit in range(DIGITS):
            place, places[digit] = place + places[digit], place
        for one in range(rows):
            digit = (keys[one] >> shift) & (DIGITS - 1)
            others[places[digit]] = keys[one]
            places[digit] += 1
        here = 1 - here
    return here


@compiled
def classify(table: SplitTable, numbers: Numbers) -> None:
    """Find which of the different numbers of its column each is."""
    columns, rows = table.classes.shape
    found = 0
    for column in range(columns):
        bits, unlike = numbers.bits[column], 0
        for row in range(rows):
            unlike |= int(bits[row] ^ bits[0])
            # of negative numbers the larger has the smaller bits
            key = np.int64(bits[row]) ^ (np.int64(bits[row] >> (_BITS - 1)) & _POSITIVE)
            numbers.keys[0, row] = (key - _LOWEST) << COUNT_BITS | row
        keys = numbers.keys[_sort(numbers, rows, unlike)]
        table.first[column] = found
        table.distinct[found] = numbers.numbers[column, keys[0] & MOST_JOBS]
        for one in range(rows):
            row = keys[one] & MOST_JOBS
            number = numbers.numbers[column, row]
            if number != table.distinct[found]:
                found += 1
                table.distinct[found] = number
            table.classes[column, row] = found - table.first[column]
        found += 1
    table.first[columns] = found
