"""Dates before which no place is searched again, see `schedulers.machine.counted.Floors`.

Of each size a few lengths are kept in ascending order, with dates that ascend as well.
"""

from pred_aware.engine.compiled import compiled
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
    floors.latest[0] = max(floors.latest[0], date)


@compiled
def freed(floors: Floors, start: float) -> None:
    """Forget what something that was freed from a date on may have changed."""
    if floors.latest[0] <= start:
        return
    floors.latest[0] = start
    for row in range(len(floors.known)):
        known = floors.known[row]
        while known and floors.dates[row, known - 1] > start:
            known -= 1
        floors.known[row] = known
