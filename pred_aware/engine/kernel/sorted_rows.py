"""The rows of batsched's timetable in the order of its slices, which are gone through so sooner."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.freed import NEAR, REST, SECOND
from pred_aware.engine.kernel.timetable import (
    AFTER,
    BEFORE,
    FIRST,
    FREED,
    HEAD,
    LAST,
    NOBODY,
    PART,
    ROW,
    SORTED,
    UNUSED,
    WHOLE,
)
from pred_aware.engine.kernel.values import Timetable


@compiled_apart
def sort_rows(table: Timetable, waiting: Integers, running: Integers) -> None:
    """Let slices stand behind each other, and behind them what jobs have, in their order."""
    rows, spare, counts = table.rows, table.spare, table.counts
    used, row = 0, counts[HEAD]
    while row != NOBODY:
        _copy(table, row, used)
        spare[used, BEFORE], spare[used, AFTER] = used - 1, used + 1
        used, row = used + 1, rows[row, AFTER]
    spare[used - 1, AFTER] = NOBODY
    for freed in table.frees:
        near = freed[NEAR]
        if near != NOBODY:
            is_there = rows[near, WHOLE] == freed[SECOND] and rows[near, PART] == freed[REST]
            freed[NEAR] = table.moved[near] if is_there else NOBODY
    for jobs in (running, waiting):
        for job in jobs:
            own = table.jobs[job]
            if own[FIRST] == NOBODY:
                continue
            _copy(table, own[ROW], used)
            own[ROW], own[FIRST], own[LAST] = used, table.moved[own[FIRST]], table.moved[own[LAST]]
            used += 1
    for row in range(used):
        for column in range(rows.shape[1]):
            rows[row, column] = spare[row, column]
    for row in range(used, len(rows)):
        rows[row, WHOLE], rows[row, AFTER] = NOBODY, row + 1
    counts[HEAD], counts[UNUSED], counts[SORTED] = 0, used, counts[FREED]


@compiled
def _copy(table: Timetable, row: int, to: int) -> None:
    table.moved[row] = to
    for column in range(table.rows.shape[1]):
        table.spare[to, column] = table.rows[row, column]
