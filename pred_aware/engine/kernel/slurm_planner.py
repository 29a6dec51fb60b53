"""Backfill's plan of one job, as `schedulers.slurm.planner` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_had import is_limited_at
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_masks import copy, keep_common
from pred_aware.engine.kernel.slurm_memory import (
    forget_the_rest,
    holds,
    known_again,
    knows,
    remember,
    take_up,
)
from pred_aware.engine.kernel.slurm_rooms import first_room
from pred_aware.engine.kernel.slurm_table import add, down, look, overlaps, round_end, sees_until
from pred_aware.engine.kernel.slurm_values import (
    ABLE,
    AGAIN,
    CHANGED,
    ENDS_BY,
    ENOUGH,
    ENTRIES,
    EVERY,
    IS_FULL,
    LEAST_NODES,
    LOOKED,
    LOOKED_COUNT,
    NOW,
    PERIODS,
    PLACED,
    SEEN,
    SEES,
    TESTED,
    UNTIL,
    Slurm,
)
from schedulers.slurm.planner import SOON


@compiled_apart
def plan(
    slurm: Slurm,
    nodes: Nodes | None,
    gate: Gate | None,
    job: int,
    tried: int,
    limit: float,
    keeps: bool,  # noqa: FBT001 - compiled
) -> float:
    """Return when a job starts, beside those before it, or never; where, is noted."""
    counts, known = slurm.counts, False
    if counts[AGAIN]:
        known = knows(slurm, job, tried, limit, keeps)
        if known and holds(slurm, limit):
            return known_again(slurm)
        take_up(slurm)
    tested = counts[TESTED]
    counts[CHANGED], slurm.at[ENDS_BY] = 0, NEVER
    every = slurm.tries[tried, EVERY]
    following = look(slurm, every, 0, counts[PERIODS], slurm.at[NOW], limit)
    slurm.at[SEES] = sees_until(slurm, 0, counts[PERIODS], slurm.at[NOW], limit)
    copy(slurm.masks, LOOKED, SEEN)
    start = _planned(slurm, nodes, gate, job, tried, limit, keeps, following)
    if counts[ENOUGH]:
        return start
    if start <= slurm.at[NOW]:
        forget_the_rest(slurm)
    else:
        tests = counts[TESTED] > tested
        remember(slurm, job, tried, limit, keeps, known, start, following, tests)
    return start


@compiled
def _planned(  # noqa: PLR0913, PLR0917 - compiled
    slurm: Slurm,
    nodes: Nodes | None,
    gate: Gate | None,
    job: int,
    tried: int,
    limit: float,
    keeps: bool,  # noqa: FBT001 - compiled
    following: float,
) -> float:
    """Plan a job by what it may have now, which was looked at; and what is worth a look next."""
    counts, at = slurm.counts, slurm.at
    least, able, every = (
        slurm.tries[tried, LEAST_NODES], slurm.tries[tried, ABLE], slurm.tries[tried, EVERY]
    )  # fmt: skip
    now, tested, date = at[NOW], False, at[NOW]
    while True:
        start = NEVER
        if nodes is None:
            least = slurm.sizes[job]
        elif able != every:
            counts[LOOKED_COUNT] = keep_common(slurm.masks, LOOKED, able)
        if counts[LOOKED_COUNT] >= least:
            if not tested and counts[TESTED] >= slurm.max_job_test:
                counts[ENOUGH] = 1
                return NEVER
            if not tested:
                counts[TESTED] += 1
            tested = True
            start = first_room(slurm, nodes, job, tried, date, following)
        found = start < NEVER
        if start < now:
            # a job has outlived its limit
            start = max(start + slurm.kill_wait, now + SOON)
        start = max(start, date)
        if not found or start > following:
            if following == NEVER:
                return NEVER
            date = following
        elif start <= now or _keeps(slurm, nodes, gate, job, start, limit, keeps):
            return start
        else:
            date = start if start > date else start + slurm.resolution
        if date >= at[UNTIL]:
            at[ENDS_BY] = min(at[ENDS_BY], at[UNTIL])
        following = look(slurm, every, 0, counts[PERIODS], date, limit)


@compiled
def _keeps(
    slurm: Slurm,
    nodes: Nodes | None,
    gate: Gate | None,
    job: int,
    start: float,
    limit: float,
    keeps: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Keep processors from a start to come on; say no where something else is planned there."""
    counts, at = slurm.counts, slurm.at
    if start >= at[UNTIL]:
        at[ENDS_BY] = min(at[ENDS_BY], start)
        return True
    begin, end = down(slurm, start), round_end(slurm, start + limit)
    if overlaps(slurm, begin, end, PLACED):
        return False
    # what is had there depends on the running jobs alone, with which it is remembered
    if keeps and not is_limited_at(gate, nodes, job):
        counts[IS_FULL] = counts[ENTRIES] >= slurm.node_space_size
        if not counts[IS_FULL]:
            add(slurm, begin, end, PLACED)
    return True
