"""Sorting in place, without any memory: ties by number, so that equal keys stay as they were.

Where a few of many are wanted, a heap gives the first of them again and again.
"""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats, Integers

_FEW = 24


@compiled
def before(keys: Floats, one: int, other: int) -> bool:
    """Say whether an item stands before another: by key, then by its own number."""
    return keys[one] < keys[other] or (keys[one] == keys[other] and one < other)


@compiled
def up_to(values: Floats | Integers, first: int, count: int, more: float, limit: float) -> int:
    """Return how many of ascending values, from one on, are with so much more within a limit."""
    low, width = first, count
    while width:
        # without a branch that could be guessed wrongly
        half = (width + 1) >> 1
        low += half * (more + values[low + half - 1] <= limit)
        width -= half
    return low - first


@compiled
def sort_by(keys: Floats, items: Integers, count: int) -> None:
    """Sort the first items by their keys."""
    if count <= _FEW:
        for first in range(1, count):
            item, place = items[first], first
            while place > 0 and before(keys, item, items[place - 1]):
                items[place] = items[place - 1]
                place -= 1
            items[place] = item
        return
    for root in range(count // 2 - 1, -1, -1):
        _sift(keys, items, root, count)
    for last in range(count - 1, 0, -1):
        items[0], items[last] = items[last], items[0]
        _sift(keys, items, 0, last)


@compiled
def _sift(keys: Floats, items: Integers, root: int, count: int) -> None:
    """Let an item sink in a heap of which the last one is on top."""
    item = items[root]
    while True:
        child = 2 * root + 1
        if child >= count:
            break
        if child + 1 < count and before(keys, items[child], items[child + 1]):
            child += 1
        if not before(keys, item, items[child]):
            break
        items[root] = items[child]
        root = child
    items[root] = item


@compiled
def heap_by(keys: Floats, items: Integers, count: int) -> None:
    """Make a heap of the first items, with the first by its key on top."""
    for root in range(count // 2 - 1, -1, -1):
        _rise(keys, items, root, count)


@compiled
def without_first(keys: Floats, items: Integers, count: int) -> int:
    """Take the first item out of a heap; return how many are left."""
    count -= 1
    items[0] = items[count]
    _rise(keys, items, 0, count)
    return count


@compiled
def _rise(keys: Floats, items: Integers, root: int, count: int) -> None:
    """Let the first of the items from one on rise there, in a heap with the first on top."""
    item = items[root]
    while True:
        child = 2 * root + 1
        if child >= count:
            break
        if child + 1 < count and before(keys, items[child + 1], items[child]):
            child += 1
        if not before(keys, items[child], item):
            break
        items[root] = items[child]
        root = child
    items[root] = item
