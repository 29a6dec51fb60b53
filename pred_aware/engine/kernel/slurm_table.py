"""The table of backfill's plans, as `schedulers.slurm.table` defines it, of processors alone."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.slurm_masks import are_same, copy, leave_out, period_of, row_of
from pred_aware.engine.kernel.slurm_values import (
    ALL,
    BEGUN,
    BEYOND,
    CHANGED,
    ENTRIES,
    LOOKED,
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
    copy(slurm.masks, row_of(slurm, ALL), period_of(slurm, 0), slurm.words)
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
def look(slurm: Slurm, table: int, periods: int, start: float, limit: float) -> float:
    """Note what a job may have that starts at a date; return the next that is worth a look.

    The table is the one of this pass, at row 0, or one that is remembered.
    """
    masks, times, words, last = slurm.masks, slurm.times, slurm.words, table + periods - 1
    looked, end, following = row_of(slurm, LOOKED), start + limit, NEVER
    copy(masks, row_of(slurm, ALL), looked, words)
    for period in range(_period_at(slurm, table, periods, start), last + 1):
        if times[period + 1] <= start:
            continue
        beyond = times[period] > end
        own = period_of(slurm, period)
        if not beyond:
            for word in range(words):
                masks[looked + word] &= masks[own + word]
        if following == NEVER and period < last:
            more = beyond and not slurm.old
            for word in range(words):
                if masks[own + words + word] & ~(masks[looked + word] & masks[own + word]):
                    more = True
                    break
            if more:
                following = times[period + 1]
        if beyond:
            break
    return following


@compiled
def sees_until(slurm: Slurm, table: int, periods: int, now: float, limit: float) -> float:
    """Return the date from which on a job with a limit may see something else in a table."""
    times, place = slurm.times, _after(slurm, table, periods, now + limit)
    second = times[table + 1]
    return min(second, times[place] - limit) if place < table + periods else second


@compiled
def _period_at(slurm: Slurm, table: int, periods: int, date: float) -> int:
    """Return the row of the period of a date, or of the first."""
    return max(table, _after(slurm, table, periods, date) - 1)


@compiled
def _after(slurm: Slurm, table: int, periods: int, date: float) -> int:
    """Return the row of the first period that begins after a date, or of the table's end."""
    low, high, times = table, table + periods + 1, slurm.times
    while low < high:
        middle = (low + high) // 2
        if times[middle] <= date:
            low = middle + 1
        else:
            high = middle
    return low


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
            for word in range(slurm.words):
                if masks[nodes + word] & ~masks[own + word]:
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
        leave_out(slurm.masks, period_of(slurm, period), nodes, slurm.words)
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
    begin, words = period_of(slurm, place - 1), slurm.words
    for at in range(period_of(slurm, periods) - 1, begin - 1, -1):
        masks[at + words] = masks[at]
    counts[PERIODS] += 1
    counts[ENTRIES] += 1
    return place


@compiled
def _join_one(slurm: Slurm) -> None:
    """Join the first two neighbours that are the same."""
    counts, times, masks, words = slurm.counts, slurm.times, slurm.masks, slurm.words
    periods = counts[PERIODS]
    for place in range(1, periods):
        own = period_of(slurm, place)
        if are_same(masks, own, own - words, words):
            for other in range(place, periods):
                times[other] = times[other + 1]
            for at in range(own, period_of(slurm, periods - 1)):
                masks[at] = masks[at + words]
            counts[PERIODS] -= 1
            return
