"""Batsched's timetable as arrays; see `schedulers.batsched.conservative_bf`.

It compares dates exactly. Here they are whole seconds and parts of a second, 2^-62 s each: of these
is any double of a millisecond or more a whole number, and so is whatever is added up of such.
"""

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.job_arrays import Floats, Integers, JobArrays
from pred_aware.engine.kernel import freed
from pred_aware.engine.kernel import timetable as columns
from pred_aware.engine.kernel.codes import FITS
from pred_aware.engine.kernel.nodes_values import BITS
from pred_aware.engine.kernel.values import Jobs, Placed, Timetable
from pred_aware.engine.node_arrays import words_of

_ROWS = 64
_LEAST_REMEMBERED, _MOST_REMEMBERED = 256, 4096
"""How much of what was freed is remembered: about as often as that is in a pass, a power of two."""
_INTERVALS_OF_A_JOB = 4
_LATEST = 2.0**52
"""Dates to come have to be earlier, in seconds, so that none has more than what is told above."""


def has_exact_dates(jobs: JobArrays, refused: Integers, delay: float | None) -> bool:
    """Say whether all dates of jobs are as a timetable has them, if there is one."""
    if delay is None:
        return True
    walltimes = np.where(refused == FITS, jobs.walltime, 0.0)
    dates = np.concatenate([jobs.submit, jobs.duration, walltimes, [delay]])
    latest = jobs.submit.max(initial=0.0) + (walltimes + delay).sum()
    return bool(latest < _LATEST and not (np.ldexp(dates, 62) % 1.0).any())


def timetable_of(
    jobs: Jobs, delay: float | None, *, order: Integers, processors: int
) -> Timetable | None:
    """Return a timetable in which nobody has a place.

    Parameters
    ----------
    jobs
        Those that are to have places.
    delay
        How long places are beyond walltimes, in seconds; without it there is no timetable.
    order
        The place of each in the workload.
    processors
        Size of the machine.
    """
    if delay is None:
        return None
    lengths = _in_parts(np.where(jobs.refused == FITS, jobs.walltime, 0.0)) + _in_parts(
        np.array([delay])
    )
    lengths[:, 0] += lengths[:, 1] // columns.PARTS_OF_A_SECOND
    lengths[:, 1] %= columns.PARTS_OF_A_SECOND
    alike = np.column_stack([jobs.processors, lengths])
    kinds, kind = np.unique(alike, axis=0, return_inverse=True)
    known = np.full((len(kinds), freed.OF_KIND), columns.NOBODY)
    known[:, freed.LENGTH] = kinds[:, 1]
    wanted, size = np.unique(jobs.processors, return_inverse=True)
    sizes = np.zeros((len(wanted), freed.OF_SIZES), np.int64)
    sizes[:, freed.PROCESSORS] = wanted
    sizes[:, freed.KINDS] = np.searchsorted(kinds[:, 0], wanted)
    # those that are refused first, as they are numbered
    told = np.lexsort((order, jobs.refused == FITS, jobs.submit))
    own = np.full((len(told), columns.OF_JOB), columns.NOBODY)
    own[:, : columns.PART + 1] = lengths
    own[:, columns.KIND], own[:, columns.OF_SIZE] = kind.reshape(-1), size
    words = max(1, -(-processors // BITS))
    remembered = _LEAST_REMEMBERED
    while remembered < min(len(told) // 4, _MOST_REMEMBERED):
        remembered *= 2
    rows = _linked(np.zeros((_ROWS + remembered, columns.MASK + words), np.int64), 1)
    rows[0, columns.FREE] = processors
    rows[0, [columns.AFTER, columns.BEFORE]] = columns.NOBODY
    rows[0, columns.MASK :] = words_of((1 << processors) - 1, words)
    counts = np.zeros(columns.TABLE_COUNTS, np.int64)
    counts[columns.UNUSED] = 1
    counts[columns.LONGEST] = lengths[:, 0].max(initial=0) + 1
    intervals = np.zeros((2, _INTERVALS_OF_A_JOB * len(told) + processors), np.int64)
    borders = np.zeros((2, len(told)), np.int64)
    return Timetable(
        rows=rows,
        jobs=own,
        available=np.zeros(words, np.int64),
        counts=counts,
        ended=np.array([-np.inf]),
        told=told,
        sizes=sizes,
        known=known,
        frees=np.full((remembered, freed.OF_FREED), columns.NOBODY),
        runs=np.zeros((len(sizes), freed.OF_RUNS, remembered), np.int64),
        windows=np.zeros((remembered, freed.OF_FREED), np.int64),
        spare=np.zeros_like(rows),
        moved=np.zeros(len(rows), np.int64),
        placed=Placed(*intervals, *borders),
    )


def with_more_rows(table: Timetable) -> Timetable:
    """Return it with room for twice as much."""
    rows, placed = table.rows, table.placed
    first, last = (np.concatenate([one, np.zeros_like(one)]) for one in (placed.first, placed.last))
    longer = _linked(np.concatenate([rows, np.zeros_like(rows)]), len(rows))
    longer[-1, columns.AFTER] = table.counts[columns.UNUSED]
    table.counts[columns.UNUSED] = len(rows)
    placed = placed._replace(first=first, last=last)
    moved = np.zeros(len(longer), np.int64)
    return table._replace(rows=longer, spare=np.zeros_like(longer), moved=moved, placed=placed)


def _in_parts(dates: Floats) -> Integers:
    whole = np.floor(dates)
    return np.array([whole, np.ldexp(dates - whole, 62)], np.int64).T


def _linked(rows: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Link the rows from one on, which nobody uses."""
    rows[first:, columns.AFTER] = np.arange(first + 1, len(rows) + 1)
    return rows
