"""Batsched's timetable of who has which processors, see `schedulers.batsched.conservative_bf`.

Its slices are linked in the order of time. Each begins where somebody's place begins or ends, even
where the same processors are free in the one before: so a job that gets the place that it had
changes no slice. Dates are whole seconds and whole parts of a second, since they are compared
exactly; see `pred_aware.engine.timetable_arrays`.
"""

from typing import Final

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_masks import count_of, first_bits, up_to_highest
from pred_aware.engine.kernel.values import Timetable

WHOLE, PART, FREE, AFTER, BEFORE, NEEDED, CHANGED, MASK = range(8)
"""Of a slice: when it begins, how many processors are free, the next and the one before, how many
places begin or end there, how often any had been freed when some were in it, and the words of the
bit mask of what is free. That of what a job has stands in such a row as well, and those that are
not used are linked, too."""
KIND, OF_SIZE, SEEN, FIRST, LAST, ROW = range(2, 8)
OF_JOB: Final = 8
"""Of a job: how long its place is, as dates are, which jobs want the same, its size among all of
these, how much was freed when it got its place, the slices where that begins and where the next
one begins when it ends, and where it stands what it has."""
HEAD, UNUSED, USED, FREED, LONGEST, SORTED = range(6)
TABLE_COUNTS: Final = 6
"""Places in `Timetable.counts`: the slice that is now, the first row that is not used, how many
intervals of processors are noted, how often some were freed, the seconds of the longest, and how
often some had been freed when rows were last sorted."""
NOBODY: Final = -1
PARTS_OF_A_SECOND: Final = 2**62


@compiled
def in_parts(date: float) -> tuple[int, int]:
    """Return a date in whole seconds and parts of a second."""
    whole = np.floor(date)
    return int(whole), int((date - whole) * PARTS_OF_A_SECOND)


@compiled
def is_earlier(rows: Integers, row: int, whole: int, part: int) -> bool:
    """Say whether a slice begins before a date."""
    return rows[row, WHOLE] < whole or (rows[row, WHOLE] == whole and rows[row, PART] < part)


@compiled
def end_of(table: Timetable, job: int, row: int) -> tuple[int, int]:
    """Return when a job's place ends that begins with a slice."""
    whole = table.rows[row, WHOLE] + table.jobs[job, WHOLE]
    part = table.rows[row, PART] + table.jobs[job, PART]
    return (whole + 1, part - PARTS_OF_A_SECOND) if part >= PARTS_OF_A_SECOND else (whole, part)


@compiled
def second_before(rows: Integers, row: int, whole: int, part: int) -> int:
    """Return the second in which begins what is so long and ends when a slice begins."""
    second: int = rows[row, WHOLE] - whole - (rows[row, PART] < part)
    return second


@compiled
def take_row(table: Timetable) -> int:
    """Return a row that is not used; there is one."""
    row: int = table.counts[UNUSED]
    table.counts[UNUSED] = table.rows[row, AFTER]
    return row


@compiled
def leave_row(table: Timetable, row: int) -> None:
    """Use a row no longer."""
    table.rows[row, WHOLE] = NOBODY
    table.rows[row, AFTER] = table.counts[UNUSED]
    table.counts[UNUSED] = row


@compiled
def advance(table: Timetable, now: float) -> None:
    """Forget what was before now."""
    rows, head = table.rows, table.counts[HEAD]
    whole, part = in_parts(now)
    while True:
        later = rows[head, AFTER]
        if later == NOBODY:
            break
        if not is_earlier(rows, later, whole, part + 1):
            break
        leave_row(table, head)
        head = later
    rows[head, BEFORE] = NOBODY
    rows[head, WHOLE], rows[head, PART] = whole, part
    table.counts[HEAD] = head


@compiled
def need(rows: Integers, first: int, last: int) -> None:
    """Note that a place begins with a slice and ends where another begins."""
    rows[first, NEEDED] += 1
    rows[last, NEEDED] += 1


@compiled
def need_no_longer(table: Timetable, row: int) -> None:
    """Note that a place does not begin or end there; if none does, that is no slice any more."""
    rows = table.rows
    rows[row, NEEDED] -= 1
    if rows[row, NEEDED] or row == table.counts[HEAD]:
        return
    before, after = rows[row, BEFORE], rows[row, AFTER]
    rows[before, AFTER] = after
    rows[before, CHANGED] = max(rows[before, CHANGED], rows[row, CHANGED])
    if after != NOBODY:
        rows[after, BEFORE] = before
    leave_row(table, row)


@compiled
def give_back(rows: Integers, first: int, last: int, job: int, size: int) -> None:
    """Free a job's processors in some slices."""
    words = rows.shape[1] - MASK
    while first != last:
        rows[first, FREE] += size
        for word in range(MASK, MASK + words):
            rows[first, word] |= rows[job, word]
        first = rows[first, AFTER]


@compiled
def take(rows: Integers, first: int, last: int, job: int, size: int) -> None:
    """Take a job's processors in some slices."""
    words = rows.shape[1] - MASK
    while first != last:
        rows[first, FREE] -= size
        for word in range(MASK, MASK + words):
            rows[first, word] &= ~rows[job, word]
        first = rows[first, AFTER]


@compiled
def choose_lowest(table: Timetable, row: int, size: int) -> bool:
    """Let a job have the lowest of those that are available; say whether it had others."""
    changed, left = False, size
    for word in range(len(table.available)):
        found = first_bits(table.available[word], max(left, 0))
        left -= count_of(found)
        changed |= table.rows[row, MASK + word] != found
        table.rows[row, MASK + word] = found
    return changed


@compiled
def slice_at(table: Timetable, job: int, inner: int, first: int) -> int:
    """Return the slice where a job's place ends, which is behind one; make it if there is none."""
    rows = table.rows
    whole, part = end_of(table, job, first)
    after = rows[inner, AFTER]
    if after != NOBODY and rows[after, WHOLE] == whole and rows[after, PART] == part:
        return after
    row = take_row(table)
    for column in range(rows.shape[1]):
        rows[row, column] = rows[inner, column]
    rows[row, WHOLE], rows[row, PART], rows[row, NEEDED] = whole, part, 0
    rows[row, BEFORE], rows[inner, AFTER] = inner, row
    if after != NOBODY:
        rows[after, BEFORE] = row
    return row


@compiled_apart
def search(table: Timetable, job: int, size: int, row: int, until: int, rest: int) -> int:
    """Return the first slice from one on, before a date, with which a place can begin, if any."""
    rows = table.rows
    while True:
        while rows[row, FREE] < size and is_earlier(rows, row, until, rest):
            row = rows[row, AFTER]
        first = inner = row
        if not is_earlier(rows, first, until, rest):
            return NOBODY
        begin_with(table, row)
        whole, part = end_of(table, job, first)
        while True:
            row = rows[inner, AFTER]
            if row == NOBODY or not is_earlier(rows, row, whole, part):
                return first
            if rows[row, FREE] < size:
                row = rows[row, AFTER]
                break
            inner = row
            if keep_common(table, row) >= size:
                continue
            # who begins before has too few beside this slice: the first who has not
            first = row
            begin_with(table, row)
            while has_common(table, rows[first, BEFORE], size):
                first = rows[first, BEFORE]
                keep_common(table, first)
            if not is_earlier(rows, first, until, rest):
                return NOBODY
            whole, part = end_of(table, job, first)


@compiled
def look_at(table: Timetable, job: int, first: int) -> int:
    """Leave in `available` what is free in a job's place; return the last slice of that."""
    rows, inner = table.rows, first
    whole, part = end_of(table, job, first)
    begin_with(table, first)
    while rows[inner, AFTER] != NOBODY and is_earlier(rows, rows[inner, AFTER], whole, part):
        inner = rows[inner, AFTER]
        keep_common(table, inner)
    return inner


@compiled
def begin_with(table: Timetable, row: int) -> None:
    """Begin with what is free in a slice."""
    for word in range(len(table.available)):
        table.available[word] = table.rows[row, MASK + word]


@compiled
def begin_with_given_back(table: Timetable, row: int, job: int) -> None:
    """Begin with what is free in a slice and what a job has, of which that is the row."""
    for word in range(len(table.available)):
        table.available[word] = table.rows[row, MASK + word] | table.rows[job, MASK + word]


@compiled
def begin_with_lower(table: Timetable, job: int) -> None:
    """Begin with all that are lower than some that a job has, of which that is the row."""
    others = 0
    for word in range(len(table.available) - 1, -1, -1):
        had = table.rows[job, MASK + word]
        below = others
        if not others and had:
            below, others = up_to_highest(had), -1
        table.available[word] = below & ~had


@compiled
def has_common(table: Timetable, row: int, size: int) -> bool:
    """Say whether so many of those that are available are free in a slice, too."""
    count = 0
    for word in range(len(table.available)):
        count += count_of(table.available[word] & table.rows[row, MASK + word])
        if count >= size:
            return True
    return False


@compiled
def keep_common(table: Timetable, row: int) -> int:
    """Keep those that are free in a slice, too; return how many."""
    count = 0
    for word in range(len(table.available)):
        kept = table.available[word] & table.rows[row, MASK + word]
        table.available[word] = kept
        count += count_of(kept)
    return count


@compiled
def keep_with(table: Timetable, row: int, job: int) -> int:
    """Likewise with what a job has that gives that back, of which that is the row."""
    count = 0
    for word in range(len(table.available)):
        free = table.rows[row, MASK + word] | table.rows[job, MASK + word]
        kept = table.available[word] & free
        table.available[word] = kept
        count += count_of(kept)
    return count
