"""Dates before which no place is searched again, see `schedulers.machine.counted.Floors`.

Of each size a few lengths are kept in ascending order, with dates that ascend as well. Whatever
begins before such a date meets a step, before the date, too, that has too few processors free.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.values import Floors

MOST_LENGTHS = 24
"""Of a size; with more of them, one that tells less is forgotten."""


@compiled
def floor_of(floors: Floors, job: int, duration: float) -> float:
    """Return a date before which a job has no place that long."""
    row = floors.rows[job]
    for place in range(floors.known[row] - 1, -1, -1):
        if floors.lengths[row, place] <= duration:
            return floors.dates[row, place]
    return -NEVER


@compiled
def add_floor(floors: Floors, job: int, duration: float, date: float) -> None:
    """Note a job's earliest place, which is later than `floor_of` tells."""
    row = floors.rows[job]
    known = floors.known[row]
    lengths, dates = floors.lengths[row], floors.dates[row]
    first = 0
    while first < known and lengths[first] < duration:
        first += 1
    last = first
    while last < known and dates[last] <= date:
        last += 1
    if first == last:
        if known < MOST_LENGTHS:
            for place in range(known, first, -1):
                lengths[place], dates[place] = lengths[place - 1], dates[place - 1]
            floors.known[row] = known + 1
        else:
            first = min(first, known - 1)
    else:
        for place in range(last, known):
            moved = first + 1 + place - last
            lengths[moved], dates[moved] = lengths[place], dates[place]
        floors.known[row] = known - (last - first - 1)
    lengths[first], dates[first] = duration, date
    floors.any[0] = 1
    floors.gaps[row, 0] = NEVER


@compiled
def forget_floors(floors: Floors) -> None:
    """Forget all dates."""
    if floors.any[0]:
        floors.any[0] = 0
        floors.known[:] = 0
        floors.gaps[:, 0] = NEVER


@compiled_apart
def lower_floors(
    floors: Floors, times: Floats, free: Integers, count: int, step: int, more: int
) -> None:
    """Let dates be as early as they are now that a step has so many more free.

    That changes something for sizes that had no room there. What begins in the same row of steps
    with room meets none with too few if it ends before the row does, or if its date is in it.
    """
    sizes, known, lengths, dates = floors.sizes, floors.known, floors.lengths, floors.dates
    gaps = floors.gaps
    row, width = 0, len(sizes)
    while width:
        half = (width + 1) >> 1
        row += half * (sizes[row + half - 1] <= free[step])
        width -= half
    first, last = step, step + 1
    while row > 0 and sizes[row - 1] > free[step] - more:
        row -= 1
        if not known[row]:
            continue
        size = sizes[row]
        while first > 0 and free[first - 1] >= size:
            first -= 1
        while last < count and free[last] >= size:
            last += 1
        begin, end = times[first], times[last] if last < count else NEVER
        gap = gaps[row]
        # what moves next is near, and most rows have nothing there
        if gap[0] <= begin and end < gap[1] and end < begin + gap[2]:
            continue
        high = known[row]
        while high and dates[row, high - 1] > end and begin + lengths[row, high - 1] > end:
            high -= 1
        low = high
        while low and dates[row, low - 1] > begin:
            low -= 1
        gap[0] = dates[row, low - 1] if low else -NEVER
        gap[1] = dates[row, high] if high < known[row] else NEVER
        gap[2] = lengths[row, high] if high < known[row] else NEVER
        if low == high:
            continue
        # the shortest of them tells as much as all
        dates[row, low] = gap[0] = begin
        gone = high - low - 1
        for place in range(low + 1, known[row] - gone):
            lengths[row, place] = lengths[row, place + gone]
            dates[row, place] = dates[row, place + gone]
        known[row] -= gone
