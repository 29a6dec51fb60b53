"""What was freed in batsched's timetable lately, and who may have an earlier place for that.

Most jobs stay where they are when others have moved. A place that was none before has something in
it that was freed since; and around that as many processors as the job wants are free for as long as
it needs, the same ones before it and the same ones behind it. So nobody else has to search. Most
who move reach into what they had: of them is looked what is free in there with what they give back.
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
    ROW,
    SEEN,
    WHOLE,
    begin_with,
    begin_with_given_back,
    begin_with_lower,
    end_of,
    is_earlier,
    keep_common,
    keep_with,
    need_no_longer,
)
from pred_aware.engine.kernel.values import Timetable

NEAR, SECOND, REST, BEGIN, END = range(5)
OF_FREED: Final = 5
"""Of what was freed: a slice near to it, with its date, and the seconds from when to when. Of where
a job may begin: a place among what was freed, and from when to when."""
SECONDS_BITS: Final = 23
MOST_SECONDS: Final = 2**SECONDS_BITS - 1
WHICH, FROM_WHEN = range(2)
OF_RUNS: Final = 2
"""Of what was freed, by size: which it was, with for how long so many are free around it, or for
longer, in the lowest bits; and from when."""
PROCESSORS, KINDS, NOTED, FROM_THEN = range(4)
OF_SIZES: Final = 4
"""Of a size: how many, the first kind of jobs that want so many, how often something was noted for
it, and from when so many are free around what is noted now."""
FROM, SINCE, LENGTH = range(3)
OF_KIND: Final = 3
"""Of jobs that want the same: the second from which on they may have a place, how much had been
freed when that was known, and for how many seconds they want it, ascending for each size."""
MOST_KINDS: Final = 16
"""Of a size, that are looked at for something that was freed."""
LATE: Final = 2**60


@compiled_apart
def note_freed(table: Timetable, first: int, last: int) -> None:
    """Note that processors were freed in some slices."""
    rows, counts = table.rows, table.counts
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
    row = first
    while row != last:
        rows[row, CHANGED] = counts[FREED]
        row = rows[row, AFTER]
    _note_runs(table, first, last, place)


@compiled
def _note_runs(table: Timetable, first: int, last: int, place: int) -> None:
    """Note for each size from when to when as many of the same are free around what was freed.

    Who begins before it does so no earlier, who ends behind it no later.
    """
    rows, sizes, freed = table.rows, table.sizes, table.frees[place]
    earliest = freed[BEGIN] - table.counts[LONGEST]
    latest = freed[END] + table.counts[LONGEST]
    most, row = 0, first
    while row != last:
        most = max(most, rows[row, FREE])
        row = rows[row, AFTER]
    count = 0
    while count < len(sizes) and sizes[count, PROCESSORS] <= most:
        count += 1
    begin = first
    begin_with(table, first)
    ahead = _keep(table, rows[first, BEFORE]) if rows[first, WHOLE] > earliest else NOBODY
    for index in range(count - 1, -1, -1):
        while ahead >= sizes[index, PROCESSORS]:
            begin = rows[begin, BEFORE]
            ahead = _keep(table, rows[begin, BEFORE]) if rows[begin, WHOLE] > earliest else NOBODY
        sizes[index, FROM_THEN] = rows[begin, WHOLE]
    end = last
    begin_with(table, rows[last, BEFORE])
    ahead = _keep(table, last)
    for index in range(count - 1, -1, -1):
        size = sizes[index]
        while ahead >= size[PROCESSORS]:
            end = rows[end, AFTER]
            ahead = _keep(table, end) if end != NOBODY and rows[end, WHOLE] < latest else NOBODY
        until = LATE if end == NOBODY else rows[end, WHOLE] + 1
        seconds = until - size[FROM_THEN]
        if _is_of_use(table, index, seconds, freed[BEGIN]):
            runs, number = table.runs[index], size[NOTED] & (len(table.frees) - 1)
            which = (table.counts[FREED] - 1) << SECONDS_BITS
            runs[WHICH, number] = which | min(seconds, MOST_SECONDS)
            runs[FROM_WHEN, number] = size[FROM_THEN]
            size[NOTED] += 1


@compiled
def _is_of_use(table: Timetable, index: int, seconds: int, freed: int) -> bool:
    """Say whether some job of a size may want what is free for so long around what was freed.

    What is known of where such jobs may begin is as it is until one of them is looked at.
    """
    sizes = table.sizes
    first = sizes[index, KINDS]
    last = sizes[index + 1, KINDS] if index + 1 < len(sizes) else len(table.known)
    for kind in range(first, min(last, first + MOST_KINDS)):
        known = table.known[kind]
        if seconds < known[LENGTH]:
            return False
        begin = max(sizes[index, FROM_THEN], freed - known[LENGTH] - 1)
        if known[SINCE] != NOBODY and begin < known[FROM]:
            return True
    return last > first + MOST_KINDS


@compiled
def _keep(table: Timetable, row: int) -> int:
    """Keep those that are free in a slice, too, if there is one; return how many, or that."""
    return NOBODY if row == NOBODY else keep_common(table, row)


@compiled
def is_remembered(table: Timetable, since: int) -> bool:
    """Say whether all is that was freed since so much had been."""
    return since != NOBODY and table.counts[FREED] - since <= len(table.frees)


@compiled
def list_windows(table: Timetable, job: int) -> tuple[int, int]:
    """List what a job may begin in that was freed; return how many there are, and the first second.

    Those behind each other that overlap are one.
    """
    own, windows, found, first = table.jobs[job], table.windows, 0, LATE
    known, runs, length = table.known[own[KIND]], table.runs[own[OF_SIZE]], own[WHOLE]
    oldest, shortest = known[SINCE] << SECONDS_BITS, min(length, MOST_SECONDS)
    noted = table.sizes[own[OF_SIZE], NOTED]
    for number in range(noted - 1, max(noted - runs.shape[1], 0) - 1, -1):
        slot = number & (runs.shape[1] - 1)
        run = runs[WHICH, slot]
        if run < oldest:
            break
        seconds = run & MOST_SECONDS
        if seconds < shortest:
            continue
        place = (run >> SECONDS_BITS) & (runs.shape[1] - 1)
        begin = max(runs[FROM_WHEN, slot], table.frees[place, BEGIN] - length - 1)
        end = table.frees[place, END]
        if seconds < MOST_SECONDS:
            end = min(end, runs[FROM_WHEN, slot] + seconds - length)
        if begin >= min(end, known[FROM]) or not _may_have_room(table, job, place, begin, end):
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
def _may_have_room(table: Timetable, job: int, place: int, begin: int, until: int) -> bool:
    """Say whether so many are free still where all places are that begin from a second to another.

    Others have taken most of what was freed again.
    """
    rows, own = table.rows, table.jobs[job]
    size, row = table.sizes[own[OF_SIZE], PROCESSORS], slice_near(table, place, until, NOBODY)
    behind = is_earlier(rows, own[FIRST], rows[row, WHOLE], rows[row, PART] + 1)
    if behind and is_earlier(rows, row, rows[own[LAST], WHOLE], rows[own[LAST], PART]):
        return True
    begin_with(table, row)
    # what it has itself counts as free
    while row != own[FIRST] and row != NOBODY:
        if not is_earlier(rows, row, begin + own[WHOLE], own[PART]):
            return True
        if keep_common(table, row) < size:
            return False
        row = rows[row, AFTER]
    return True


@compiled
def has_lower(table: Timetable, job: int) -> bool:
    """Say whether a job might have lower processors in its place."""
    rows, own = table.rows, table.jobs[job]
    row = own[FIRST]
    if not rows[row, FREE]:
        return False
    begin_with_lower(table, own[ROW])
    while rows[row, FREE] and keep_common(table, row):
        row = rows[row, AFTER]
        if row == own[LAST]:
            return True
    return False


@compiled
def reached_from(table: Timetable, job: int, size: int, reaching: int) -> int:
    """Return the first slice with which a place may begin that reaches into a job's own.

    If there is none, that is the first of its own; those begin after a second that end before it.
    """
    rows, own, head = table.rows, table.jobs[job], table.counts[HEAD]
    had = first = own[FIRST]
    if had == head or rows[rows[had, BEFORE], FREE] < size:
        return had
    begin_with_given_back(table, had, own[ROW])
    while first != head and rows[first, WHOLE] >= reaching:
        if keep_common(table, rows[first, BEFORE]) < size:
            break
        first = rows[first, BEFORE]
    row = first
    while rows[row, CHANGED] <= own[SEEN]:
        row = rows[row, AFTER]
        if row == own[LAST]:
            return had
    # all that begin from there on and reach into it have what is behind in common
    begin_with_given_back(table, had, own[ROW])
    keep_common(table, rows[had, BEFORE])
    whole, part = end_of(table, job, first)
    row = rows[had, AFTER]
    while row != own[LAST] and is_earlier(rows, row, whole, part):
        if keep_with(table, row, own[ROW]) < size:
            return had
        row = rows[row, AFTER]
    return first


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
