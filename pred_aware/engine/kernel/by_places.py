"""Backfilling by places in a timetable, as `schedulers.batsched.conservative_bf` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.choosing import choose
from pred_aware.engine.kernel.codes import FAILED, WAITING
from pred_aware.engine.kernel.floors import add_floor, cut_floors, floor_of, forget_floors
from pred_aware.engine.kernel.nodes_masks import first_run
from pred_aware.engine.kernel.nodes_values import BITS
from pred_aware.engine.kernel.timetable import (
    AFTER,
    BEFORE,
    FIRST,
    HEAD,
    LAST,
    MASK,
    NOBODY,
    PART,
    RANK,
    ROW,
    USED,
    WHOLE,
    advance,
    choose_lowest,
    give_back,
    in_parts,
    is_earlier,
    leave_row,
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
    rows = _ROWS_OF_A_JOB * (jobs + 1) > len(table.rows)
    return rows or table.counts[USED] + processors > len(table.placed.first)


@compiled
def leave_place(table: Timetable | None, job: int, size: int, now: float) -> None:
    """Free what is left of the place of a job that has ended."""
    if table is None:
        return
    table.ended[0] = now
    row, last = table.jobs[job, ROW], table.jobs[job, LAST]
    give_back(table.rows, table.counts[HEAD], last, row, size)
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
    longest = queue[first] if first < count else 0
    for place in range(first, count):
        if table.jobs[queue[place], RANK] > table.jobs[longest, RANK]:
            longest = queue[place]
    forget_floors(table.floors)
    whole, part = in_parts(now)
    for place in range(first, count):
        # new ones come as they were told, else all in their order
        job = queue[place] if ended else table.told[queue[place]]
        _place(table, job, longest, jobs.processors[job])
        begin = table.jobs[job, FIRST]
        if is_earlier(table.rows, begin, whole, part + 1):
            choose(jobs, state, job)
            _start(table, job)
            end, rest = in_parts(now + jobs.duration[job])
            if is_earlier(table.rows, table.jobs[job, LAST], end, rest):
                # it may still run at its planned end, of which Python tells
                state.counts[FAILED] = 1


@compiled
def _place(table: Timetable, job: int, longest: int, size: int) -> None:
    """Give a job the earliest place there is, in place of the one that it has."""
    rows, own, floors = table.rows, table.jobs[job], table.floors
    head, had, had_last = table.counts[HEAD], own[FIRST], own[LAST]
    row, rank, freed = own[ROW], float(own[RANK]), 0
    after = floor_of(floors, job, rank)
    if had == NOBODY:
        row, begin = take_row(table), head
        while rows[begin, AFTER] != NOBODY and rows[begin, WHOLE] < after:
            begin = rows[begin, AFTER]
    else:
        give_back(rows, had, had_last, row, size)
        # floors know nothing of who reaches into what it has given back
        after = min(after, float(second_before(rows, had, own[WHOLE], own[PART])))
        freed = second_before(rows, had, table.jobs[longest, WHOLE], table.jobs[longest, PART])
        begin = had
        while begin != head and rows[rows[begin, BEFORE], WHOLE] >= after:
            begin = rows[begin, BEFORE]
    first, inner = search(table, job, size, begin)
    moved = choose_lowest(table, row, size)
    last = slice_at(table, job, inner, first)
    take(rows, first, last, row, size)
    need(rows, first, last)
    if had != NOBODY:
        if moved or had != first or had_last != last:
            cut_floors(floors, float(freed))
        need_no_longer(table, had)
        need_no_longer(table, had_last)
    own[FIRST], own[LAST], own[ROW] = first, last, row
    if rows[first, WHOLE] > floor_of(floors, job, rank):
        add_floor(floors, job, rank, float(rows[first, WHOLE]))


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
