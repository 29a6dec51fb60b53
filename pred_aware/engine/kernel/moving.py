"""Which of the jobs that have places may have an earlier one, since something was freed.

One that has none can't until it is freed just before its own place, or until it fits somewhere as a
whole: then the date becomes earlier before which there was no place for it (`floors`). So nobody
else has to look.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_values import BITS
from pred_aware.engine.kernel.sorting import up_to
from pred_aware.engine.kernel.values import Floors, Moving, Profile


@compiled_apart
def note_place(profile: Profile | None, job: int, length: float, begin: float) -> None:
    """Note where the place of a job begins now, and that it may have an earlier one."""
    if profile is None:
        return
    moving = profile.moving
    begins, jobs = moving.begins, moving.jobs
    if moving.slots[job] < 0:
        row, place = profile.floors.rows[job], moving.counts[0]
        moving.slots[job] = slot = moving.rows[row] + moving.many[row]
        moving.whose[slot], moving.lengths[slot] = job, length
        moving.many[row] += 1
        moving.counts[0] += 1
    else:
        place = _find(moving, job)
    count = moving.counts[0]
    while place > 0 and begins[place - 1] > begin:
        begins[place], jobs[place] = begins[place - 1], jobs[place - 1]
        place -= 1
    while place + 1 < count and begins[place + 1] < begin:
        begins[place], jobs[place] = begins[place + 1], jobs[place + 1]
        place += 1
    begins[place], jobs[place], moving.dates[moving.slots[job]] = begin, job, begin
    let_look(moving, job)


@compiled_apart
def note_none(profile: Profile | None, job: int) -> None:
    """Note that a job has no place any more."""
    if profile is None or profile.moving.slots[job] < 0:
        return
    moving, row = profile.moving, profile.floors.rows[job]
    begins, jobs = moving.begins, moving.jobs
    first = _find(moving, job)
    moving.counts[0] -= 1
    for place in range(first, moving.counts[0]):
        begins[place], jobs[place] = begins[place + 1], jobs[place + 1]
    moving.many[row] -= 1
    slot, last = moving.slots[job], moving.rows[row] + moving.many[row]
    moving.whose[slot], moving.slots[moving.whose[last]] = moving.whose[last], slot
    moving.dates[slot], moving.lengths[slot] = moving.dates[last], moving.lengths[last]
    moving.slots[job] = -1


@compiled
def _find(moving: Moving, job: int) -> int:
    """Return where a job stands by its place."""
    place = up_to(moving.begins, 0, moving.counts[0], 0.0, moving.dates[moving.slots[job]]) - 1
    while moving.jobs[place] != job:
        place -= 1
    return place


@compiled
def let_look(moving: Moving, job: int) -> None:
    """Note that a job may have an earlier place."""
    moving.may[job // BITS] |= 1 << (job % BITS)


@compiled_apart
def let_neighbours_look(
    moving: Moving | None,
    floors: Floors,
    times: Floats,
    free: Integers,
    count: int,
    first: int,
    last: int,
) -> None:
    """Note whose place begins in some steps, or behind them, and may now begin before."""
    if moving is None or first == last:
        return
    begins, end = moving.begins, times[last] if last < count else NEVER
    place, step = up_to(begins, 0, moving.counts[0], 0.0, times[first]), first
    while place < moving.counts[0] and begins[place] <= end:
        while step + 1 < last and times[step + 1] < begins[place]:
            step += 1
        job = moving.jobs[place]
        if free[step] >= floors.sizes[floors.rows[job]]:
            let_look(moving, job)
        place += 1


@compiled_apart
def let_row_look(
    moving: Moving | None, row: int, begin: float, shortest: float, longest: float
) -> None:
    """Note that jobs of a size, from one length on up to another, may have a place at a date."""
    if moving is None:
        return
    first, last = moving.rows[row], moving.rows[row] + moving.many[row]
    dates, lengths, whose = moving.dates[first:last], moving.lengths[first:last], moving.whose
    for place in range(len(dates)):
        if dates[place] > begin and shortest <= lengths[place] < longest:
            let_look(moving, whose[first + place])
