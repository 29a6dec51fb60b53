"""Backfilling by places in a timetable, as `schedulers.batsched.conservative_bf` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.choosing import choose
from pred_aware.engine.kernel.codes import FAILED, RUNNING, WAITING
from pred_aware.engine.kernel.freed import (
    BEGIN,
    END,
    FROM,
    LATE,
    NEAR,
    SINCE,
    has_lower,
    is_remembered,
    list_windows,
    note_freed,
    reached_from,
    slice_from,
    slice_near,
)
from pred_aware.engine.kernel.nodes_masks import first_run
from pred_aware.engine.kernel.nodes_values import BITS
from pred_aware.engine.kernel.sorted_rows import sort_rows
from pred_aware.engine.kernel.timetable import (
    AFTER,
    FIRST,
    FREED,
    HEAD,
    KIND,
    LAST,
    MASK,
    NOBODY,
    PART,
    ROW,
    SEEN,
    SORTED,
    USED,
    WHOLE,
    advance,
    choose_lowest,
    give_back,
    in_parts,
    is_earlier,
    leave_row,
    look_at,
    need,
    need_no_longer,
    search,
    second_before,
    slice_at,
    take,
    take_row,
)
from pred_aware.engine.kernel.values import Jobs, State, Timetable

_ROWS_OF_A_JOB = 3
"""So many at most a job needs: where its place begins and ends, and what it has."""


@compiled
def has_too_few_rows(table: Timetable | None, jobs: int, processors: int) -> bool:
    """Say whether there may be too few for so many jobs, or for what those get that start."""
    if table is None:
        return False
    rows = _ROWS_OF_A_JOB * (jobs + 1) + len(table.frees) > len(table.rows)
    return rows or table.counts[USED] + processors > len(table.placed.first)


@compiled
def leave_place(table: Timetable | None, job: int, size: int, now: float) -> None:
    """Free what is left of the place of a job that has ended."""
    if table is None:
        return
    table.ended[0] = now
    head, row, last = table.counts[HEAD], table.jobs[job, ROW], table.jobs[job, LAST]
    give_back(table.rows, head, last, row, size)
    if head != last:
        note_freed(table, head, last)
    need_no_longer(table, last)
    leave_row(table, row)


@compiled_apart
def choose_by_places(jobs: Jobs, state: State, table: Timetable | None, now: float) -> None:
    """Give new jobs a place, or where some have ended all that wait another; choose who starts."""
    if table is None:
        return
    queue, count = state.queue, state.counts[WAITING]
    advance(table, now)
    ended = table.ended[0] == now
    first = 0
    if not ended:
        first = count
        while first > 0 and table.jobs[queue[first - 1], FIRST] == NOBODY:
            first -= 1
    # it goes through all rows, and all that is remembered
    if ended and table.counts[FREED] - table.counts[SORTED] >= count + len(table.frees) // 4:
        sort_rows(table, queue[:count], state.ends[: state.counts[RUNNING]])
    whole, part = in_parts(now)
    for place in range(first, count):
        # new ones come as they were told, else all in their order
        job = queue[place] if ended else table.told[queue[place]]
        if table.jobs[job, FIRST] == NOBODY:
            _give_place(table, job, jobs.processors[job])
        else:
            _move_up(table, job, jobs.processors[job])
        if is_earlier(table.rows, table.jobs[job, FIRST], whole, part + 1):
            choose(jobs, state, job)
            _start(table, job)
            end, rest = in_parts(now + jobs.duration[job])
            if is_earlier(table.rows, table.jobs[job, LAST], end, rest):
                # it may still run at its planned end, of which Python tells
                state.counts[FAILED] = 1


@compiled
def _give_place(table: Timetable, job: int, size: int) -> None:
    """Give a job the earliest place there is."""
    rows, own = table.rows, table.jobs[job]
    known, begin, first = table.known[own[KIND]], 0, table.counts[HEAD]
    if is_remembered(table, known[SINCE]):
        begin = min(list_windows(table, job)[1], known[FROM])
    while rows[first, AFTER] != NOBODY and rows[first, WHOLE] < begin:
        first = rows[first, AFTER]
    own[ROW] = take_row(table)
    first = search(table, job, size, first, LATE, 0)
    _take_place(table, job, size, first)
    known[FROM], known[SINCE] = rows[first, WHOLE], table.counts[FREED]


@compiled
def _take_place(table: Timetable, job: int, size: int, first: int) -> bool:
    """Take a place that begins with a slice; say whether a job had other processors before."""
    own, inner = table.jobs[job], look_at(table, job, first)
    changed = choose_lowest(table, own[ROW], size)
    last = slice_at(table, job, inner, first)
    take(table.rows, first, last, own[ROW], size)
    need(table.rows, first, last)
    own[FIRST], own[LAST], own[SEEN] = first, last, table.counts[FREED]
    return changed


@compiled
def _move_up(table: Timetable, job: int, size: int) -> None:
    """Give a job the earliest place there is, in place of the one that it has."""
    rows, own = table.rows, table.jobs[job]
    known, had, had_last = table.known[own[KIND]], own[FIRST], own[LAST]
    begin, reaching = rows[had, WHOLE], second_before(rows, had, own[WHOLE], own[PART])
    windows, earliest = 0, LATE
    if is_remembered(table, known[SINCE]):
        windows, earliest = list_windows(table, job)
    else:
        known[FROM] = NOBODY
    reach = reached_from(table, job, size, reaching)
    changed = reach != had or has_lower(table, job)
    # it may have a place in the second in which its own begins
    searched = known[FROM] > begin or (known[FROM] == begin and rows[had, PART] == 0)
    known[SINCE] = own[SEEN] = table.counts[FREED]
    first, given, others = had, changed or earliest <= begin or not searched, False
    if given:
        give_back(rows, had, had_last, own[ROW], size)
        if not searched:
            first = _earlier(table, job, size, slice_from(table, had, known[FROM], had), LATE, had)
        if reach != had:
            first = _earlier(table, job, size, reach, LATE, first)
        for index in range(windows - 1, -1, -1):
            window = table.windows[index]
            if window[BEGIN] <= begin:
                near = slice_near(table, window[NEAR], window[BEGIN], had)
                first = _earlier(table, job, size, near, window[END], first)
        others = _take_place(table, job, size, first)
    if searched:
        _look_behind(table, job, size, windows, rows[first, WHOLE])
    else:
        known[FROM] = rows[first, WHOLE]
    if others or first != had:
        _note_moved(table, job, had, had_last, others)
    if given:
        need_no_longer(table, had)
        need_no_longer(table, had_last)


@compiled
def _look_behind(table: Timetable, job: int, size: int, windows: int, begin: int) -> None:
    """Look where others that want the same may begin from a second on."""
    known = table.known[table.jobs[job, KIND]]
    for index in range(windows):
        window = table.windows[index]
        first = max(window[BEGIN], begin)
        until = min(window[END], known[FROM])
        if first < until:
            near = slice_near(table, window[NEAR], first, NOBODY)
            found = search(table, job, size, near, until, 0)
            if found != NOBODY:
                known[FROM] = table.rows[found, WHOLE]


@compiled
def _earlier(table: Timetable, job: int, size: int, row: int, until: int, first: int) -> int:
    """Return the first slice with which a place can begin, from one on: before another."""
    rows = table.rows
    whole, part = rows[first, WHOLE], rows[first, PART]
    if until < whole:
        whole, part = until, 0
    found = search(table, job, size, row, whole, part)
    return first if found == NOBODY else found


@compiled
def _note_moved(
    table: Timetable,
    job: int,
    had: int,
    had_last: int,
    changed: bool,  # noqa: FBT001 - compiled
) -> None:
    """Note that a job has left some of its place."""
    last = table.jobs[job, LAST]
    if not changed and is_earlier(table.rows, had, table.rows[last, WHOLE], table.rows[last, PART]):
        # it has what is before
        had = last
    note_freed(table, had, had_last)
    table.jobs[job, SEEN] = table.counts[FREED]


@compiled
def _start(table: Timetable, job: int) -> None:
    """Note which processors a job has that starts, as intervals."""
    rows, placed, row, used = table.rows, table.placed, table.jobs[job, ROW], table.counts[USED]
    need_no_longer(table, table.jobs[job, FIRST])
    placed.begin[job], behind = used, NOBODY
    for word in range(len(table.available)):
        bits = rows[row, MASK + word]
        while bits:
            low, length = first_run(bits)
            begin = word * BITS + low
            if begin != behind:
                placed.first[used] = begin
                used += 1
            behind = begin + length
            placed.last[used - 1] = behind - 1
            # all that is below has gone before
            bits &= -1 << (low + length) if low + length < BITS else 0
    placed.end[job] = table.counts[USED] = used
