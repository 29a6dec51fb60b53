"""What was freed in batsched's timetable lately, and who may have an earlier place for that.

Most jobs stay where they are when others have moved. A place that was none before has something in
it that was freed since; and around that as many processors as the job wants are free for as long as
it needs, be they the same ones or not. So nobody else has to search.
"""

from typing import Final

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.timetable import (
    AFTER,
    BEFORE,
    CHANGED,
    FIRST,
    FREE,
    FREED,
    HEAD,
    KIND,
    LAST,
    LONGEST,
    NEEDED,
    NOBODY,
    OF_SIZE,
    PART,
    SEEN,
    WHOLE,
    need_no_longer,
)
from pred_aware.engine.kernel.values import Timetable

NEAR, SECOND, REST, BEGIN, END = range(5)
OF_FREED: Final = 5
"""Of what was freed: a slice near to it, with its date, and the seconds from when to when. Of where
a job may begin: a place among what was freed, and from when to when."""
FROM, SINCE = range(2)
OF_KIND: Final = 2
"""Of jobs that want the same: the second from which on they may have a place, and how much had been
freed when that was known."""
LATE: Final = 2**60


@compiled_apart
def note_freed(table: Timetable, first: int, last: int) -> None:
    """Note that processors were freed in some slices."""
    rows, sizes, counts = table.rows, table.sizes, table.counts
    place = counts[FREED] & (len(table.frees) - 1)
    counts[FREED] += 1
    freed = table.frees[place]
    near = freed[NEAR]
    if near != NOBODY and rows[near, WHOLE] == freed[SECOND] and rows[near, PART] == freed[REST]:
        need_no_longer(table, near)
    near = first if rows[first, BEFORE] == NOBODY else rows[first, BEFORE]
    rows[near, NEEDED] += 1
    freed[NEAR], freed[SECOND], freed[REST] = near, rows[near, WHOLE], rows[near, PART]
    freed[BEGIN], freed[END] = rows[first, WHOLE], rows[last, WHOLE] + 1
    most, row = 0, first
    while row != last:
        rows[row, CHANGED] = counts[FREED]
        most = max(most, rows[row, FREE])
        row = rows[row, AFTER]
    earliest, latest = freed[BEGIN] - counts[LONGEST], freed[END] + counts[LONGEST]
    begin, end, inner = first, last, rows[last, BEFORE]
    for index in range(len(sizes) - 1, -1, -1):
        size, run = sizes[index], table.runs[index, place]
        if size > most:
            run[0] = run[1] = 0
            continue
        if rows[first, FREE] >= size:
            while rows[begin, BEFORE] != NOBODY and rows[begin, WHOLE] > earliest:
                if rows[rows[begin, BEFORE], FREE] < size:
                    break
                begin = rows[begin, BEFORE]
        if rows[inner, FREE] >= size:
            while end != NOBODY and rows[end, FREE] >= size and rows[end, WHOLE] < latest:
                end = rows[end, AFTER]
        run[0], run[1] = rows[begin, WHOLE], LATE if end == NOBODY else rows[end, WHOLE] + 1


@compiled
def is_remembered(table: Timetable, since: int) -> bool:
    """Say whether all is that was freed since so much had been."""
    return since != NOBODY and table.counts[FREED] - since <= len(table.frees)


@compiled
def begins_in(table: Timetable, job: int, place: int) -> int:
    """Return the second from which on a job may begin with what was freed in it; late if never."""
    run, length = table.runs[table.jobs[job, OF_SIZE], place], table.jobs[job, WHOLE]
    if run[1] - run[0] < length:
        return LATE
    return max(run[0], table.frees[place, BEGIN] - length - 1)


@compiled
def list_windows(table: Timetable, job: int) -> tuple[int, int]:
    """List what a job may begin in that was freed; return how many there are, and the first second.

    Those behind each other that overlap are one.
    """
    known, windows, found, first = table.known[table.jobs[job, KIND]], table.windows, 0, LATE
    for since in range(known[SINCE], table.counts[FREED]):
        place = since & (len(table.frees) - 1)
        begin, end = begins_in(table, job, place), table.frees[place, END]
        if begin >= known[FROM]:
            continue
        first = min(first, begin)
        last = windows[found - 1]
        if found and begin <= last[END] and end >= last[BEGIN]:
            last[BEGIN], last[END] = min(begin, last[BEGIN]), max(end, last[END])
        else:
            windows[found, NEAR], windows[found, BEGIN], windows[found, END] = place, begin, end
            found += 1
    return found, first


@compiled
def is_changed(table: Timetable, job: int, size: int, reaching: int) -> bool:
    """Say whether anything was freed that a job might have in its place, or in one that reaches it.

    That ends before the job's does, and begins after a second.
    """
    rows, own = table.rows, table.jobs[job]
    row, seen, others = own[FIRST], own[SEEN], True
    reaches = is_reached(table, job, size)
    changed = False
    while row != own[LAST]:
        others &= rows[row, FREE] > 0
        if not (others or reaches):
            return False
        changed |= rows[row, CHANGED] > seen
        row = rows[row, AFTER]
    if changed or not reaches:
        return changed
    row, first = rows[own[FIRST], BEFORE], reached_from(table, job, size, reaching)
    while row != first and not changed:
        changed = rows[row, CHANGED] > seen
        row = rows[row, BEFORE]
    return changed or rows[first, CHANGED] > seen


@compiled
def reached_from(table: Timetable, job: int, size: int, reaching: int) -> int:
    """Return the first slice before a job's place, up to which there is room, from a second on."""
    rows, row, head = table.rows, table.jobs[job, FIRST], table.counts[HEAD]
    while row != head and rows[row, WHOLE] >= reaching and rows[rows[row, BEFORE], FREE] >= size:
        row = rows[row, BEFORE]
    return row


@compiled
def is_reached(table: Timetable, job: int, size: int) -> bool:
    """Say whether there is room before a job's place, up to it."""
    had = table.jobs[job, FIRST]
    return had != table.counts[HEAD] and table.rows[table.rows[had, BEFORE], FREE] >= size


@compiled
def slice_near(table: Timetable, place: int, begin: int, bound: int) -> int:
    """Return the first slice from a second on, looked for from what was freed; see `slice_from`."""
    rows, freed = table.rows, table.frees[place]
    row = freed[NEAR]
    if rows[row, WHOLE] != freed[SECOND] or rows[row, PART] != freed[REST]:
        # it is over
        row = table.counts[HEAD]
    return slice_from(table, row, begin, bound)


@compiled
def slice_from(table: Timetable, row: int, begin: int, bound: int) -> int:
    """Return the first slice from a second on, sought from one; at most another, or the last."""
    rows, head = table.rows, table.counts[HEAD]
    if begin == NOBODY:
        return head
    while row != bound and rows[row, WHOLE] < begin and rows[row, AFTER] != NOBODY:
        row = rows[row, AFTER]
    while row != head and rows[rows[row, BEFORE], WHOLE] >= begin:
        row = rows[row, BEFORE]
    return row
