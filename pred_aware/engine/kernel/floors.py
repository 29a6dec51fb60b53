"""Dates before which no place is searched again, see `schedulers.machine.counted.Floors`.

Of each size the lengths are kept in ascending order, with dates that ascend as well. Whatever
begins before such a date meets a step, before the date, too, that has too few processors free.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.moving import let_row_look
from pred_aware.engine.kernel.sorting import up_to
from pred_aware.engine.kernel.values import Floors, Moving


@compiled
def floor_of(floors: Floors, job: int, duration: float) -> float:
    """Return a date before which a job has no place that long."""
    row = floors.rows[job]
    begin = floors.begins[row]
    found = up_to(floors.lengths, begin, floors.known[row], 0.0, duration)
    return floors.dates[begin + found - 1] if found else -NEVER


@compiled
def add_floor(floors: Floors, job: int, duration: float, date: float) -> None:
    """Note a job's earliest place, which is later than `floor_of` tells."""
    row = floors.rows[job]
    begin, known = floors.begins[row], floors.known[row]
    lengths = floors.lengths[begin : floors.begins[row + 1]]
    dates = floors.dates[begin : floors.begins[row + 1]]
    first = up_to(lengths, 0, known, 0.0, duration)
    if first and lengths[first - 1] == duration:
        first -= 1
    last = max(first, up_to(dates, 0, known, 0.0, date))
    if first == last and known == len(lengths):
        # a bound asks for walltimes alone, of which there are not so many: `moving` relies on that
        first = min(first, known - 1)
    elif first == last:
        for place in range(known, first, -1):
            lengths[place], dates[place] = lengths[place - 1], dates[place - 1]
        floors.known[row] = known + 1
    else:
        for place in range(last, known):
            moved = first + 1 + place - last
            lengths[moved], dates[moved] = lengths[place], dates[place]
        floors.known[row] = known - (last - first - 1)
    lengths[first], dates[first] = duration, date
    floors.any[0] = 1
    floors.gaps[0, row] = NEVER


@compiled
def forget_floors(floors: Floors) -> None:
    """Forget all dates."""
    if floors.any[0]:
        floors.any[0] = 0
        floors.known[:] = 0
        floors.gaps[0] = NEVER


@compiled_apart
def lower_floors(
    floors: Floors,
    moving: Moving | None,
    times: Floats,
    free: Integers,
    count: int,
    step: int,
    more: int,
) -> None:
    """Let dates be as early as they are now that a step has so many more free.

    That changes something for sizes that had no room there. What begins in the same row of steps
    with room meets none with too few if it ends before the row does, or if its date is in it.
    """
    sizes, gaps, least = floors.sizes, floors.gaps, free[step] - more
    row, first, last = up_to(sizes, 0, len(sizes), 0, free[step]), step, step + 1
    while row > 0 and sizes[row - 1] > least:
        rows, size = row, sizes[row - 1]
        while first > 0 and free[first - 1] >= size:
            first -= 1
        while last < count and free[last] >= size:
            last += 1
        # and so have all but those that fit in one more
        other = least
        if first > 0:
            other = max(other, free[first - 1])
        if last < count:
            other = max(other, free[last])
        while row > 0 and sizes[row - 1] > other:
            row -= 1
        begin, end = times[first], times[last] if last < count else NEVER
        # what moves next is near, and most rows have nothing there
        before, after, length = gaps[0, row:rows], gaps[1, row:rows], gaps[2, row:rows]
        for place in range(len(before)):
            if before[place] > begin or end >= min(after[place], begin + length[place]):
                _lower(floors, moving, row + place, begin, end)


@compiled_apart
def _lower(floors: Floors, moving: Moving | None, row: int, begin: float, end: float) -> None:
    """Let the dates of a size be as early as steps with room begin, up to their end."""
    lengths, dates, gaps, known = floors.lengths, floors.dates, floors.gaps, floors.known
    of_row, last = floors.begins[row], floors.begins[row] + known[row]
    low = high = of_row + up_to(dates, of_row, known[row], 0.0, begin)
    while high < last and (dates[high] <= end or begin + lengths[high] <= end):
        high += 1
    gaps[0, row] = dates[low - 1] if low > of_row else -NEVER
    gaps[1, row] = dates[high] if high < last else NEVER
    gaps[2, row] = longest = lengths[high] if high < last else NEVER
    if low == high:
        return
    let_row_look(moving, row, begin, lengths[low], longest)
    # the shortest of them tells as much as all
    dates[low] = gaps[0, row] = begin
    gone = high - low - 1
    for place in range(low + 1, last - gone):
        lengths[place], dates[place] = lengths[place + gone], dates[place + gone]
    known[row] -= gone
