"""Slurm's main scheduler and backfill on a counted machine; see `schedulers.slurm`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import choose, promise
from pred_aware.engine.kernel.codes import BACKFILLED, CHOSEN, NEVER, PLANNED
from pred_aware.engine.kernel.codes import FREE as FREE_NOW
from pred_aware.engine.kernel.gate import is_limited
from pred_aware.engine.kernel.slurm_calls import come_again, main_is_due, whole
from pred_aware.engine.kernel.slurm_masks import (
    copy,
    count_in,
    has_room,
    keep_first,
    leave_out,
    place_side_by_side,
    put_in,
    row_of,
)
from pred_aware.engine.kernel.slurm_memory import begin_memory
from pred_aware.engine.kernel.slurm_planner import plan
from pred_aware.engine.kernel.slurm_rooms import add_end
from pred_aware.engine.kernel.slurm_table import add, begin_table, round_end
from pred_aware.engine.kernel.slurm_values import (
    DUE,
    ENDS,
    ENOUGH,
    FORGETS,
    FREE_IN_PASS,
    FREE_KNOWN,
    IS_FULL,
    LAST_BACKFILL,
    LAST_FULL,
    LAST_MAIN,
    MAIN_DUE,
    NOW,
    PLACED,
    ROOM,
    ROOMS,
    TESTED,
    UNPLANNED,
    UNSEEN,
    UNSETTLED,
    UNUSED,
    Slurm,
)
from pred_aware.engine.kernel.values import Jobs, Schedule, State
from schedulers.slurm.planner import SOON


@compiled
def choose_as_slurm(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Choose among the waiting jobs in their order."""
    if slurm is not None:
        _choose(jobs, state, schedule, slurm, waiting, count, now)


@compiled_apart
def _choose(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    at, chosen = slurm.at, state.counts
    _look_at_machine(state, schedule, slurm)
    if main_is_due(slurm, now):
        full = now >= at[LAST_FULL] + slurm.sched_interval
        at[LAST_MAIN], at[MAIN_DUE] = now, NEVER
        if full:
            at[LAST_FULL] = now
        _go_through(jobs, state, slurm, waiting, count, full)
        slurm.counts[UNSEEN] = not full and count - chosen[CHOSEN] > slurm.default_queue_depth
    if slurm.backfill:
        come_again(slurm, now)
        if now >= at[DUE]:
            at[DUE], at[LAST_BACKFILL] = NEVER, now
            before = chosen[CHOSEN]
            _backfill(jobs, state, schedule, slurm, waiting, count, whole(slurm, now))
            if chosen[CHOSEN] > before:
                # what is entered for them is not what they are planned with while they run
                come_again(slurm, now + slurm.bf_interval)
    passed = False
    for place in range(count):
        if not slurm.started[waiting[place]]:
            passed = True
        elif passed:
            schedule.started_as[waiting[place]] = BACKFILLED
    for place in range(chosen[CHOSEN]):
        slurm.started[state.chosen[place]] = 0
    slurm.counts[UNSETTLED] = chosen[CHOSEN]


@compiled
def _look_at_machine(state: State, schedule: Schedule, slurm: Slurm) -> None:
    """See who runs where, and what is free; of a smaller machine only so many of the lowest."""
    masks, counts, words = slurm.masks, slurm.counts, slurm.words
    known, room = row_of(slurm, UNPLANNED), row_of(slurm, ROOM)
    if counts[UNSETTLED]:
        counts[FORGETS] = 1
    for place in range(counts[UNSETTLED]):
        job = state.chosen[place]
        if schedule.end[job] < 0.0:
            put_in(masks, known, slurm.held[job], words)
    for place in range(counts[UNSETTLED]):
        job = state.chosen[place]
        if schedule.end[job] < 0.0:
            copy(masks, slurm.held[job] + words, slurm.held[job], words)
            leave_out(masks, known, slurm.held[job], words)
    counts[UNSETTLED] = 0
    copy(masks, known, room, words)
    counts[FREE_IN_PASS] = counts[FREE_KNOWN]
    if counts[FREE_KNOWN] > state.counts[FREE_NOW]:
        before = count_in(masks, room, words)
        keep_first(masks, room, words, state.counts[FREE_NOW])
        counts[FREE_IN_PASS] -= before - count_in(masks, room, words)


@compiled
def _take(jobs: Jobs, state: State, slurm: Slurm, job: int) -> None:
    """Let a job start on the processors that were chosen, as far as this pass goes."""
    masks, counts, placed, words = slurm.masks, slurm.counts, row_of(slurm, PLACED), slurm.words
    counts[UNUSED] -= 1
    slurm.held[job] = slurm.unused[counts[UNUSED]]
    copy(masks, placed, slurm.held[job], words)
    leave_out(masks, row_of(slurm, ROOM), placed, words)
    leave_out(masks, row_of(slurm, UNPLANNED), placed, words)
    counts[FREE_KNOWN] -= slurm.sizes[job]
    counts[FREE_IN_PASS] -= slurm.sizes[job]
    slurm.started[job] = 1
    choose(jobs, state, job)


@compiled
def _go_through(
    jobs: Jobs,
    state: State,
    slurm: Slurm,
    waiting: Integers,
    count: int,
    full: bool,  # noqa: FBT001 - compiled
) -> None:
    """Start jobs in their order, up to the first that can't start."""
    room, depth = row_of(slurm, ROOM), slurm.partition_job_depth
    for place in range(count):
        if not full and place >= slurm.default_queue_depth:
            return
        if 0 < depth <= place:
            return
        job = waiting[place]
        if is_limited(state.gate, job):
            continue
        size = jobs.processors[job]
        if not has_room(slurm, room, room, size) or size > state.counts[FREE_NOW]:
            return
        place_side_by_side(slurm, size)
        _take(jobs, state, slurm, job)


@compiled
def _backfill(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Plan all waiting jobs, and start those whose start is now."""
    rooms, slurm.at[NOW] = slurm.counts[ROOMS], now
    begin_table(slurm, now)
    _list_ends(jobs, state, slurm, now)
    begin_memory(slurm, rooms)
    _plan_all(jobs, state, slurm, waiting, count, now)
    for place in range(count):
        job = waiting[place]
        if slurm.planned[job] >= 0.0:
            if not slurm.started[job]:
                promise(state, schedule, job, slurm.planned[job])
            slurm.planned[job] = -1.0


@compiled
def _list_ends(jobs: Jobs, state: State, slurm: Slurm, now: float) -> None:
    """List when the running jobs end, and enter them in the table, if they are to be there."""
    counts = slurm.counts
    counts[ENDS] = counts[ROOMS] = 0
    soon = -NEVER if slurm.old else now + SOON
    for place in range(state.counts[PLANNED]):
        job, end = state.plan[place], state.plan_ends[place]
        add_end(slurm, max(whole(slurm, end), soon), job)
        if slurm.running_job_reserve:
            _enter(slurm, max(end, now + SOON), slurm.held[job])
    for place in range(state.counts[CHOSEN]):
        job = state.chosen[place]
        add_end(slurm, now + jobs.running[job], job)
        if slurm.running_job_reserve:
            _enter(slurm, now + jobs.running[job], slurm.held[job])


@compiled
def _enter(slurm: Slurm, end: float, nodes: int) -> None:
    """Enter in the table what is had now."""
    add(slurm, slurm.times[0], round_end(slurm, end), nodes)


@compiled
def _plan_all(
    jobs: Jobs, state: State, slurm: Slurm, waiting: Integers, count: int, now: float
) -> None:
    """Plan the jobs in their order, and start those that can."""
    counts, started = slurm.counts, 0
    counts[TESTED] = counts[IS_FULL] = counts[ENOUGH] = 0
    slurm.looked_at[:] = 0
    for place in range(count):
        job = waiting[place]
        if slurm.started[job] or not _has_share(slurm, job):
            continue
        old_enough = now - jobs.submit[job] >= slurm.min_age_reserve
        keeps = old_enough and not is_limited(state.gate, job)
        start = plan(jobs, state, slurm, job, keeps)
        if counts[ENOUGH]:
            return
        if start > now:
            if start < NEVER:
                slurm.planned[job] = start
        elif is_limited(state.gate, job):
            pass
        elif jobs.processors[job] > state.counts[FREE_NOW]:
            # who has the room has just reached its limit and goes on
            if keeps:
                _enter(slurm, now + jobs.backfilling[job], row_of(slurm, PLACED))
        else:
            _take(jobs, state, slurm, job)
            end = now + jobs.running[job]
            add_end(slurm, end, job)
            _enter(slurm, end, slurm.held[job])
            started += 1
        if counts[IS_FULL] or started == slurm.max_job_start:
            return


@compiled
def _has_share(slurm: Slurm, job: int) -> bool:
    """Say whether another job of those of its kinds may be looked at, and count it."""
    shares, looked_at = slurm.shares, slurm.looked_at
    for kind in range(len(shares)):
        if looked_at[shares[kind, 1 + job]] >= shares[kind, 0]:
            return False
    for kind in range(len(shares)):
        looked_at[shares[kind, 1 + job]] += 1
    return True
