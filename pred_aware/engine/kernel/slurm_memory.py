"""The plan of backfill's last pass, as `schedulers.slurm.memory` defines what of it still holds.

Each job of a pass has a slot. What it might have had then, and the table as it has left it where
that was another one, stand in rows behind the table of plans: those of a slot begin where those of
the slot before end, so that a pass that goes another way writes over what it makes wrong.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.slurm_masks import are_same, copy, period_of
from pred_aware.engine.kernel.slurm_table import look, sees_until
from pred_aware.engine.kernel.slurm_values import (
    AGAIN,
    BEGUN,
    BEYOND,
    CHANGED,
    ENDS,
    ENDS_BEFORE,
    ENDS_BY,
    ENOUGH,
    ENTRIES,
    EVERY,
    FORGETS,
    FREE_BEFORE,
    FREE_IN_PASS,
    GOES_ON,
    IS_FULL,
    KEPT,
    KEPT_BEFORE,
    LOOKED,
    NOW,
    PERIODS,
    ROOMS,
    SEEN,
    SEES,
    SLOT_BEGUN,
    SLOT_BEYOND,
    SLOT_ENDS_BY,
    SLOT_ENTRIES,
    SLOT_FIRST,
    SLOT_FULL,
    SLOT_JOB,
    SLOT_KEEPS,
    SLOT_LIMIT,
    SLOT_NEXT,
    SLOT_PERIODS,
    SLOT_ROW,
    SLOT_SEES,
    SLOT_START,
    SLOT_TABLE,
    SLOT_TESTED,
    SLOT_TRY,
    TAKEN_UP,
    TESTED,
    TOP,
    UNTIL,
    Slurm,
)
from schedulers.slurm.memory import MARGIN
from schedulers.slurm.planner import SOON


@compiled
def begin_memory(slurm: Slurm, rooms: int) -> None:
    """Begin a pass: only beside the same running jobs anything of the last one still holds.

    Of the rooms that they leave so many were known.
    """
    counts, ends, ending, most = slurm.counts, slurm.ends, slurm.ending, len(slurm.unused)
    same = counts[ENDS] == counts[ENDS_BEFORE] and counts[FREE_IN_PASS] == counts[FREE_BEFORE]
    for place in range(counts[ENDS]):
        if ends[most + place] != ends[place] or ending[most + place] != ending[place]:
            same = False
        ends[most + place], ending[most + place] = ends[place], ending[place]
    if counts[FORGETS] or (counts[ENDS] and ends[0] <= slurm.at[NOW] + SOON + MARGIN):
        same = False
    counts[KEPT_BEFORE], counts[ROOMS] = (counts[KEPT], rooms) if same else (0, 0)
    counts[ENDS_BEFORE], counts[FREE_BEFORE] = counts[ENDS], counts[FREE_IN_PASS]
    counts[KEPT] = counts[FORGETS] = counts[TAKEN_UP] = 0
    counts[AGAIN] = counts[GOES_ON] = 1
    counts[TOP] = slurm.most_periods + 1


@compiled
def knows(slurm: Slurm, job: int, tried: int, limit: float, keeps: bool) -> bool:  # noqa: FBT001 - compiled
    """Say whether the last pass had this job as its next one, too, and in the same place."""
    slot = slurm.counts[KEPT]
    return (
        slot < slurm.counts[KEPT_BEFORE]
        and slurm.slots[slot, SLOT_JOB] == job
        and slurm.slots[slot, SLOT_TRY] == tried
        and slurm.slot_dates[slot, SLOT_LIMIT] == limit
        and slurm.slots[slot, SLOT_KEEPS] == keeps
    )


@compiled
def holds(slurm: Slurm, limit: float) -> bool:
    """Say whether the next job is planned now as it was."""
    now, slot, dates = slurm.at[NOW], slurm.counts[KEPT], slurm.slot_dates
    if now > dates[slot, SLOT_START] - MARGIN or now > dates[slot, SLOT_FIRST] - MARGIN:
        return False
    if slurm.at[UNTIL] > min(dates[slot, SLOT_ENDS_BY], dates[slot, SLOT_BEYOND]):
        return False
    return now < dates[slot, SLOT_SEES] - MARGIN or _sees_the_same(slurm, slot, limit)


@compiled_apart
def _sees_the_same(slurm: Slurm, slot: int, limit: float) -> bool:
    """Look again at what a job may have now, and see until when it may have that."""
    now, table, periods = slurm.at[NOW], 0, slurm.counts[PERIODS]
    if slot > 0 and slurm.slots[slot - 1, SLOT_TABLE] > 0:
        table, periods = slurm.slots[slot - 1, SLOT_TABLE], slurm.slots[slot - 1, SLOT_PERIODS]
    every = slurm.tries[slurm.slots[slot, SLOT_TRY], EVERY]
    if look(slurm, every, table, periods, now, limit) != slurm.slot_dates[slot, SLOT_NEXT]:
        return False
    known = period_of(slurm, slurm.slots[slot, SLOT_ROW])
    if not are_same(slurm.masks, LOOKED, known):
        return False
    slurm.slot_dates[slot, SLOT_SEES] = sees_until(slurm, table, periods, now, limit)
    return True


@compiled
def known_again(slurm: Slurm) -> float:
    """Plan the next job as it was; return when it starts."""
    counts, slots, slot = slurm.counts, slurm.slots, slurm.counts[KEPT]
    if slots[slot, SLOT_TESTED]:
        if counts[TESTED] >= slurm.max_job_test:
            counts[ENOUGH] = 1
            return NEVER
        counts[TESTED] += 1
    counts[IS_FULL] = slots[slot, SLOT_FULL]
    counts[TOP] = _after(slurm, slot)
    counts[KEPT] += 1
    return slurm.slot_dates[slot, SLOT_START]


@compiled
def _after(slurm: Slurm, slot: int) -> int:
    """Return the row behind those of a slot."""
    row, table = slurm.slots[slot, SLOT_ROW], slurm.slots[slot, SLOT_TABLE]
    return row + 1 + (slurm.slots[slot, SLOT_PERIODS] if table == row + 1 else 0)


@compiled_apart
def take_up(slurm: Slurm) -> None:
    """Take up the table as the jobs that are planned as they were have left it."""
    counts, slot, times = slurm.counts, slurm.counts[KEPT] - 1, slurm.times
    if slot < 0 or counts[TAKEN_UP] > slot:
        return
    counts[TAKEN_UP] = slot + 1
    table, periods = slurm.slots[slot, SLOT_TABLE], slurm.slots[slot, SLOT_PERIODS]
    if not table:
        return
    for place in range(1, periods):
        times[place] = times[table + place]
    times[periods] = slurm.at[UNTIL]
    _copy_periods(slurm, table, 0, periods)
    counts[PERIODS], counts[ENTRIES] = periods, slurm.slots[slot, SLOT_ENTRIES]
    counts[BEGUN] = slurm.slots[slot, SLOT_BEGUN]
    slurm.at[BEYOND] = slurm.slot_dates[slot, SLOT_BEYOND]


@compiled
def forget_the_rest(slurm: Slurm) -> None:
    """Remember no more of this pass: what follows depends on its date."""
    slurm.counts[AGAIN] = slurm.counts[GOES_ON] = 0


@compiled_apart
def remember(  # noqa: PLR0913, PLR0917 - compiled
    slurm: Slurm,
    job: int,
    tried: int,
    limit: float,
    keeps: bool,  # noqa: FBT001 - compiled
    known: bool,  # noqa: FBT001 - compiled
    start: float,
    following: float,
    tested: bool,  # noqa: FBT001 - compiled
) -> None:
    """Remember what a job was planned by, with what it saw first."""
    counts, slots, dates, slot, row = (
        slurm.counts, slurm.slots, slurm.slot_dates, slurm.counts[KEPT], slurm.counts[TOP]
    )  # fmt: skip
    if not counts[GOES_ON]:
        return
    counts[AGAIN] = known and _is_left_the_same(slurm, slot)
    periods = counts[PERIODS]
    if slot >= len(slots) or row + 2 + periods >= len(slurm.times):
        forget_the_rest(slurm)
        return
    copy(slurm.masks, SEEN, period_of(slurm, row))
    if not counts[AGAIN]:
        _remember_table(slurm, slot, row)
    slots[slot, SLOT_JOB], slots[slot, SLOT_KEEPS] = job, keeps
    slots[slot, SLOT_TESTED], slots[slot, SLOT_FULL] = tested, counts[IS_FULL]
    slots[slot, SLOT_ROW], slots[slot, SLOT_TRY] = row, tried
    dates[slot, SLOT_LIMIT], dates[slot, SLOT_START] = limit, start
    dates[slot, SLOT_NEXT], dates[slot, SLOT_ENDS_BY] = following, slurm.at[ENDS_BY]
    dates[slot, SLOT_FIRST] = slurm.times[1]
    dates[slot, SLOT_SEES] = slurm.at[SEES]
    counts[TOP] = _after(slurm, slot)
    counts[KEPT] = counts[TAKEN_UP] = slot + 1


@compiled
def _is_left_the_same(slurm: Slurm, slot: int) -> bool:
    """Say whether a job leaves the table as it did, but for the begin and the end."""
    counts, masks, times = slurm.counts, slurm.masks, slurm.times
    table, periods = slurm.slots[slot, SLOT_TABLE], counts[PERIODS]
    if not counts[CHANGED] and table == (slurm.slots[slot - 1, SLOT_TABLE] if slot else 0):
        return True
    if (
        not table
        or periods != slurm.slots[slot, SLOT_PERIODS]
        or counts[ENTRIES] != slurm.slots[slot, SLOT_ENTRIES]
        or counts[BEGUN] != slurm.slots[slot, SLOT_BEGUN]
        or slurm.at[BEYOND] != slurm.slot_dates[slot, SLOT_BEYOND]
    ):
        return False
    for place in range(1, periods):
        if times[place] != times[table + place]:
            return False
    for place in range(periods):
        if not are_same(masks, period_of(slurm, place), period_of(slurm, table + place)):
            return False
    return True


@compiled
def _copy_periods(slurm: Slurm, source: int, target: int, count: int) -> None:
    """Copy what nothing is planned for in so many periods."""
    for period in range(count):
        copy(slurm.masks, period_of(slurm, source + period), period_of(slurm, target + period))


@compiled
def _remember_table(slurm: Slurm, slot: int, row: int) -> None:
    """Keep the table as a job has left it; where it has not changed, that is kept before it."""
    counts, slots, table = slurm.counts, slurm.slots, 0
    if counts[CHANGED]:
        table, periods = row + 1, counts[PERIODS]
        for place in range(periods + 1):
            slurm.times[table + place] = slurm.times[place]
        _copy_periods(slurm, 0, table, periods)
    elif slot > 0:
        table = slots[slot - 1, SLOT_TABLE]
    slots[slot, SLOT_TABLE] = table
    slots[slot, SLOT_PERIODS], slots[slot, SLOT_ENTRIES] = counts[PERIODS], counts[ENTRIES]
    slots[slot, SLOT_BEGUN] = counts[BEGUN]
    slurm.slot_dates[slot, SLOT_BEYOND] = slurm.at[BEYOND]
