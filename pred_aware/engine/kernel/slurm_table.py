"""The table of backfill's plans, as `schedulers.slurm.table` defines it, of nodes alone."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_masks import count_of
from pred_aware.engine.kernel.slurm_masks import (
    are_same,
    copy,
    first_after,
    leave_out,
    period_of,
)
from pred_aware.engine.kernel.slurm_values import (
    ALL,
    BEGUN,
    BEYOND,
    CHANGED,
    ENTRIES,
    LOOKED,
    LOOKED_COUNT,
    OVER,
    PERIODS,
    UNTIL,
    Slurm,
)


@compiled
def begin_table(slurm: Slurm, now: float) -> None:
    """Begin a table in which nothing is planned."""
    counts, begin = slurm.counts, down(slurm, now)
    until = down(slurm, now + slurm.window)
    slurm.at[UNTIL] = begin + slurm.resolution if until <= begin else until
    slurm.times[0], slurm.times[1] = begin, slurm.at[UNTIL]
    copy(slurm.masks, ALL, period_of(slurm, 0))
    counts[PERIODS] = counts[ENTRIES] = 1
    counts[BEGUN], slurm.at[BEYOND] = 0, NEVER


@compiled
def down(slurm: Slurm, date: float) -> float:
    """Return the last date of the grid that is not after a date."""
    return np.floor((date + slurm.epoch) / slurm.resolution) * slurm.resolution - slurm.epoch


@compiled
def round_end(slurm: Slurm, date: float) -> float:
    """Return an entry's end on the grid: not before its date, in 22.05 not after it."""
    if date == NEVER:
        return date
    if slurm.old:
        return down(slurm, date)
    return np.ceil((date + slurm.epoch) / slurm.resolution) * slurm.resolution - slurm.epoch


@compiled_apart
def look(slurm: Slurm, every: int, table: int, periods: int, start: float, limit: float) -> float:
    """Note which of some nodes a job may have that starts at a date; return the next worth a look.

    These are given as a bit mask. The table is the one of this pass, at row 0, or one that is
    remembered.
    """
    masks, times, last = slurm.masks, slurm.times, table + periods - 1
    first = _period_at(slurm, table, periods, start)
    beyond = min(first_after(times, table, last + 1, start + limit), last + 1)
    # where it ends is worth a look whatever comes free there, but not in 22.05
    best = beyond if beyond < last and not slurm.old else last
    count = 0
    for word in range(masks.shape[1]):
        among, period = masks[every, word], first
        mask, row = among, period_of(slurm, first)
        # of each word alone, so that it needs no memory
        while period < min(best, beyond):
            mask &= masks[row, word]
            row += 1
            if masks[row, word] & among & ~mask:
                best = period
            period += 1
        while period < beyond:
            mask &= masks[row, word]
            row += 1
            period += 1
        if slurm.old and beyond < best:
            mixed = among & ~(mask & masks[row, word])
            if masks[row + 1, word] & mixed:
                best = beyond
        masks[LOOKED, word] = mask
        count += count_of(mask)
    slurm.counts[LOOKED_COUNT] = count
    return times[best + 1] if best < last else NEVER


@compiled
def sees_until(slurm: Slurm, table: int, periods: int, now: float, limit: float) -> float:
    """Return the date from which on a job with a limit may see something else in a table."""
    times = slurm.times
    place = first_after(times, table, table + periods + 1, now + limit)
    second = times[table + 1]
    return min(second, times[place] - limit) if place < table + periods else second


@compiled
def _period_at(slurm: Slurm, table: int, periods: int, date: float) -> int:
    """Return the row of the period of a date, or of the first."""
    return max(table, first_after(slurm.times, table, table + periods + 1, date) - 1)


@compiled
def overlaps(slurm: Slurm, start: float, end: float, nodes: int) -> bool:
    """Say whether something is planned for any of some processors from a date to another."""
    masks, times = slurm.masks, slurm.times
    periods = slurm.counts[PERIODS]
    for period in range(_period_at(slurm, 0, periods, start), periods):
        if times[period] >= end:
            break
        if times[period + 1] > start:
            own = period_of(slurm, period)
            for word in range(masks.shape[1]):
                if masks[nodes, word] & ~masks[own, word]:
                    return True
    return False


@compiled_apart
def add(slurm: Slurm, start: float, end: float, nodes: int) -> None:
    """Plan processors for a job from a date to another."""
    counts, times = slurm.counts, slurm.times
    if end >= times[counts[PERIODS]]:
        slurm.at[BEYOND] = min(slurm.at[BEYOND], end)
    start, end = max(start, times[0]), min(end, times[counts[PERIODS]])
    if start >= end:
        return
    counts[CHANGED] = 1
    if start == times[0] and not counts[BEGUN]:
        counts[BEGUN] = 1
        counts[ENTRIES] += 1
    first = _split(slurm, start)
    after = _split(slurm, end)
    for period in range(first, after):
        leave_out(slurm.masks, period_of(slurm, period), nodes)
    _join_one(slurm)


@compiled
def _split(slurm: Slurm, date: float) -> int:
    """Let a period begin at a date, and return its place."""
    counts, times, masks = slurm.counts, slurm.times, slurm.masks
    periods = counts[PERIODS]
    place = _period_at(slurm, 0, periods, date)
    if times[place] == date:
        return place
    if periods >= slurm.most_periods:
        counts[OVER] = 1
        return place
    place += 1
    for other in range(periods, place - 1, -1):
        times[other + 1] = times[other]
    times[place] = date
    for row in range(period_of(slurm, periods), period_of(slurm, place) - 1, -1):
        copy(masks, row - 1, row)
    counts[PERIODS] += 1
    counts[ENTRIES] += 1
    return place


@compiled
def _join_one(slurm: Slurm) -> None:
    """Join the first two neighbours that are the same."""
    counts, times, masks = slurm.counts, slurm.times, slurm.masks
    periods = counts[PERIODS]
    for place in range(1, periods):
        own = period_of(slurm, place)
        if are_same(masks, own, own - 1):
            for other in range(place, periods):
                times[other] = times[other + 1]
            for row in range(own, period_of(slurm, periods - 1)):
                copy(masks, row + 1, row)
            counts[PERIODS] -= 1
            return
