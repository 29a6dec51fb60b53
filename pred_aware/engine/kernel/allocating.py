"""Which processors jobs get by the rule ``lowest``, see `schedulers.machine.lowest_free`."""

from typing import NamedTuple

from pred_aware.engine.compiled import called_by_python, compiled
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.values import Placed
from pred_aware.engine.sources import CODE


class Free(NamedTuple):
    """The free processors as intervals, lowest first; shape (most intervals,)."""

    first: Integers
    last: Integers


@called_by_python(CODE)
def allocate_all(
    changes: Integers, sizes: Integers, free: Free, count: int, placed: Placed
) -> bool:
    """Go through all starts (a job's number) and ends (its complement); one interval is free.

    Say whether there was room enough for all intervals.
    """
    used = 0
    for change in changes:
        if change < 0:
            job = ~change
            for index in range(placed.begin[job], placed.end[job]):
                count = _release(free, count, placed.first[index], placed.last[index])
            continue
        size = sizes[change]
        placed.begin[change] = used
        whole = 0
        while size > 0:
            if used == len(placed.first):
                return False
            first, last = free.first[whole], free.last[whole]
            placed.first[used] = first
            if last - first + 1 > size:
                placed.last[used] = first + size - 1
                free.first[whole] = first + size
            else:
                placed.last[used] = last
                whole += 1
            size -= placed.last[used] - first + 1
            used += 1
        placed.end[change] = used
        if whole:
            count -= whole
            for index in range(count):
                free.first[index] = free.first[index + whole]
                free.last[index] = free.last[index + whole]
    return True


@compiled
def _release(free: Free, count: int, first: int, last: int) -> int:
    """Give an interval back; return how many are free."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if free.first[middle] < first:
            low = middle + 1
        else:
            high = middle
    joins_left = low > 0 and free.last[low - 1] == first - 1
    joins_right = low < count and free.first[low] == last + 1
    if joins_left and joins_right:
        free.last[low - 1] = free.last[low]
        count -= 1
        for index in range(low, count):
            free.first[index] = free.first[index + 1]
            free.last[index] = free.last[index + 1]
    elif joins_left:
        free.last[low - 1] = last
    elif joins_right:
        free.first[low] = first
    else:
        for index in range(count, low, -1):
            free.first[index] = free.first[index - 1]
            free.last[index] = free.last[index - 1]
        free.first[low] = first
        free.last[low] = last
        count += 1
    return count
