"""Slurm's main scheduler and backfill; see `schedulers.slurm`.

On a counted machine there are no `nodes`; who asks for them is not even compiled then.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import choose, promise, start
from pred_aware.engine.kernel.codes import BACKFILLED, CHOSEN, NEVER, PLANNED
from pred_aware.engine.kernel.codes import FREE as FREE_NOW
from pred_aware.engine.kernel.gate import is_limited
from pred_aware.engine.kernel.nodes_had import is_limited_at
from pred_aware.engine.kernel.nodes_room import free_now, take_placed
from pred_aware.engine.kernel.nodes_values import PRESENT, Nodes
from pred_aware.engine.kernel.slurm_calls import come_again, main_is_due, whole
from pred_aware.engine.kernel.slurm_masks import (
    copy,
    count_in,
    keep_first,
    leave_out,
    put_in,
    row_of,
)
from pred_aware.engine.kernel.slurm_memory import begin_memory
from pred_aware.engine.kernel.slurm_nodes import has_what_is_chosen, has_whole_nodes, tries_of
from pred_aware.engine.kernel.slurm_planner import plan
from pred_aware.engine.kernel.slurm_rooms import add_end, place_in
from pred_aware.engine.kernel.slurm_table import add, begin_table, round_end
from pred_aware.engine.kernel.slurm_values import (
    ALL,
    DUE,
    ENDS,
    ENOUGH,
    ENTERED,
    FORGETS,
    FREE_IN_PASS,
    FREE_KNOWN,
    GETS_WHOLE_NODES,
    IN_CHOICE,
    IS_FULL,
    LAST_BACKFILL,
    LAST_FULL,
    LAST_MAIN,
    LOOKED,
    LOOKED_IN,
    MAIN_DUE,
    NOW,
    OF_PARTITION,
    OF_TIER,
    PASSES,
    PLACED,
    ROOM,
    ROOMS,
    STOPPED_IN,
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
def choose_as_slurm(  # noqa: PLR0913, PLR0917 - compiled
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm | None,
    nodes: Nodes | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Choose among the waiting jobs in their order."""
    if slurm is not None:
        _choose(jobs, state, schedule, slurm, nodes, waiting, count, now)


@compiled_apart
def _choose(  # noqa: PLR0913, PLR0917 - compiled
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm,
    nodes: Nodes | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    at, chosen = slurm.at, state.counts
    _look_at_machine(state, schedule, slurm, nodes)
    main = main_is_due(slurm, now)
    if slurm.backfill:
        come_again(slurm, now)
    fills = slurm.backfill and now >= at[DUE]
    if main or fills:
        _enter_all(slurm, nodes, waiting, count)
    if main:
        full = now >= at[LAST_FULL] + slurm.sched_interval
        at[LAST_MAIN], at[MAIN_DUE] = now, NEVER
        if full:
            at[LAST_FULL] = now
        _go_through(jobs, state, slurm, nodes, full)
        slurm.counts[UNSEEN] = not full and count - chosen[CHOSEN] > slurm.default_queue_depth
    if fills:
        at[DUE], at[LAST_BACKFILL] = NEVER, now
        before = chosen[CHOSEN]
        _backfill(jobs, state, schedule, slurm, nodes, waiting, count, whole(slurm, now))
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
def _enter_all(slurm: Slurm, nodes: Nodes | None, waiting: Integers, count: int) -> None:
    """List the jobs once for each place where they are tried, the highest tier first."""
    entries, entered = slurm.entries, 0
    for tier in range(slurm.tiers):
        for index in range(count):
            first, last = tries_of(nodes, waiting[index])
            for tried in range(first, last):
                if slurm.tries[tried, OF_TIER] == tier:
                    entries[entered, 0], entries[entered, 1] = waiting[index], tried
                    entered += 1
    slurm.counts[ENTERED] = entered


@compiled
def _look_at_machine(state: State, schedule: Schedule, slurm: Slurm, nodes: Nodes | None) -> None:
    """See who runs where, and what is free; of a smaller machine only so many of the lowest."""
    if slurm.counts[UNSETTLED]:
        # nor do the rooms of the last pass hold
        slurm.counts[FORGETS] = 1
    if nodes is None:
        _look_at_processors(state, schedule, slurm)
    else:
        slurm.counts[FREE_IN_PASS] = free_now(nodes)


@compiled
def _look_at_processors(state: State, schedule: Schedule, slurm: Slurm) -> None:
    masks, counts, words = slurm.masks, slurm.counts, slurm.words
    known, room = row_of(slurm, UNPLANNED), row_of(slurm, ROOM)
    for place in range(counts[UNSETTLED]):
        job = state.chosen[place]
        if schedule.end[job] < 0.0:
            put_in(masks, known, slurm.held[job], words)
    for place in range(counts[UNSETTLED]):
        job = state.chosen[place]
        if schedule.end[job] < 0.0:
            copy(masks, slurm.held[job] + words, slurm.held[job], words)
            leave_out(masks, known, slurm.held[job], words)
    copy(masks, known, room, words)
    counts[FREE_IN_PASS] = counts[FREE_KNOWN]
    if counts[FREE_KNOWN] > state.counts[FREE_NOW]:
        before = count_in(masks, room, words)
        keep_first(masks, room, words, state.counts[FREE_NOW])
        counts[FREE_IN_PASS] -= before - count_in(masks, room, words)


@compiled
def _take(jobs: Jobs, state: State, slurm: Slurm, nodes: Nodes | None, job: int) -> None:
    """Let a job start where it was chosen, as far as this pass goes."""
    _hold(slurm, nodes, job)
    if nodes is None:
        choose(jobs, state, job)
    else:
        start(jobs, state, nodes, job)


@compiled_apart
def _hold(slurm: Slurm, nodes: Nodes | None, job: int) -> None:
    masks, counts, placed, words = slurm.masks, slurm.counts, row_of(slurm, PLACED), slurm.words
    counts[UNUSED] -= 1
    slurm.held[job] = slurm.unused[counts[UNUSED]]
    copy(masks, placed, slurm.held[job], words)
    slurm.started[job] = 1
    if nodes is None:
        leave_out(masks, row_of(slurm, ROOM), placed, words)
        leave_out(masks, row_of(slurm, UNPLANNED), placed, words)
        counts[FREE_KNOWN] -= slurm.sizes[job]
        counts[FREE_IN_PASS] -= slurm.sizes[job]
    else:
        take_placed(nodes, job)
        counts[FREE_IN_PASS] = free_now(nodes)


@compiled
def _is_free(state: State, slurm: Slurm, nodes: Nodes | None, job: int) -> bool:
    """Say whether a job may be taken where it was chosen."""
    if nodes is None:
        return slurm.sizes[job] <= state.counts[FREE_NOW]
    return has_what_is_chosen(nodes, job)


@compiled
def _room_now(slurm: Slurm, nodes: Nodes | None) -> int:
    """Return where it stands what is free now, or the room of it."""
    return row_of(slurm, ROOM) if nodes is None else PRESENT


@compiled
def _begin_pass(slurm: Slurm) -> None:
    """Begin a pass through the queue, which has looked at nobody."""
    slurm.counts[PASSES] += 1
    slurm.partitions[:] = 0


@compiled
def _go_through(
    jobs: Jobs,
    state: State,
    slurm: Slurm,
    nodes: Nodes | None,
    full: bool,  # noqa: FBT001 - compiled
) -> None:
    """Start jobs in their order; in each partition up to the first that can't start."""
    counts, masks, partitions, words = slurm.counts, slurm.masks, slurm.partitions, slurm.words
    left, depth, looked = row_of(slurm, LOOKED), slurm.partition_job_depth, 0
    _begin_pass(slurm)
    copy(masks, row_of(slurm, ALL), left, words)
    for entry in range(counts[ENTERED]):
        job, tried = slurm.entries[entry, 0], slurm.entries[entry, 1]
        partition = slurm.tries[tried, OF_PARTITION]
        if slurm.started[job] or partitions[partition, STOPPED_IN]:
            continue
        if slurm.marks[job] != counts[PASSES]:
            slurm.marks[job] = counts[PASSES]
            looked += 1
        if not full and looked > slurm.default_queue_depth:
            return
        partitions[partition, LOOKED_IN] += 1
        if 0 < depth < partitions[partition, LOOKED_IN] or is_limited(state.gate, job):
            continue
        placed = place_in(slurm, nodes, job, tried, _room_now(slurm, nodes), left)
        if placed and is_limited_at(state.gate, nodes, job):
            continue
        if placed and _is_free(state, slurm, nodes, job):
            _take(jobs, state, slurm, nodes, job)
            continue
        partitions[partition, STOPPED_IN] = 1
        leave_out(masks, left, slurm.tries[tried, IN_CHOICE], words)
        if not count_in(masks, left, words):
            return


@compiled
def _backfill(  # noqa: PLR0913, PLR0917 - compiled
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    slurm: Slurm,
    nodes: Nodes | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Plan all waiting jobs, and start those whose start is now."""
    rooms, slurm.at[NOW] = slurm.counts[ROOMS], now
    begin_table(slurm, now)
    _list_ends(jobs, state, slurm, nodes, now)
    begin_memory(slurm, rooms)
    _plan_all(jobs, state, slurm, nodes, now)
    for index in range(count):
        job = waiting[index]
        if slurm.planned[job] >= 0.0:
            if not slurm.started[job]:
                promise(state, schedule, job, slurm.planned[job])
            slurm.planned[job] = -1.0


@compiled
def _list_ends(jobs: Jobs, state: State, slurm: Slurm, nodes: Nodes | None, now: float) -> None:
    """List when the running jobs end, and enter them in the table, if they are to be there."""
    counts = slurm.counts
    counts[ENDS] = counts[ROOMS] = 0
    soon = -NEVER if slurm.old else now + SOON
    for index in range(state.counts[PLANNED]):
        job, end = state.plan[index], state.plan_ends[index]
        add_end(slurm, max(whole(slurm, end), soon), job)
        _enter_running(slurm, nodes, job, max(end, now + SOON))
    for index in range(state.counts[CHOSEN]):
        job = state.chosen[index]
        add_end(slurm, now + jobs.running[job], job)
        _enter_running(slurm, nodes, job, now + jobs.running[job])


@compiled
def _enter_running(slurm: Slurm, nodes: Nodes | None, job: int, end: float) -> None:
    if slurm.running_job_reserve and has_whole_nodes(slurm, nodes, job):
        _enter(slurm, end, slurm.held[job])


@compiled
def _enter(slurm: Slurm, end: float, held: int) -> None:
    """Enter in the table what is had now."""
    add(slurm, slurm.times[0], round_end(slurm, end), held)


@compiled
def _plan_all(jobs: Jobs, state: State, slurm: Slurm, nodes: Nodes | None, now: float) -> None:
    """Plan the jobs in their order, and start those that can."""
    counts, started = slurm.counts, 0
    counts[TESTED] = counts[IS_FULL] = counts[ENOUGH] = 0
    slurm.looked_at[:] = 0
    _begin_pass(slurm)
    for entry in range(counts[ENTERED]):
        job, tried = slurm.entries[entry, 0], slurm.entries[entry, 1]
        if slurm.started[job] or not _has_share(slurm, job, slurm.tries[tried, OF_PARTITION]):
            continue
        old_enough = now - jobs.submit[job] >= slurm.min_age_reserve
        keeps = old_enough and not is_limited(state.gate, job)
        begin = plan(slurm, nodes, state.gate, job, tried, jobs.backfilling[job], keeps)
        if counts[ENOUGH]:
            return
        if begin > now:
            if begin < NEVER and not 0.0 <= slurm.planned[job] <= begin:
                slurm.planned[job] = begin
        elif is_limited_at(state.gate, nodes, job) or is_limited(state.gate, job):
            pass
        elif not _is_free(state, slurm, nodes, job):
            # who has the room has just reached its limit and goes on
            if keeps:
                _enter(slurm, now + jobs.backfilling[job], row_of(slurm, PLACED))
        else:
            _take(jobs, state, slurm, nodes, job)
            end = now + jobs.running[job]
            add_end(slurm, end, job)
            if slurm.tries[tried, GETS_WHOLE_NODES]:
                _enter(slurm, end, slurm.held[job])
            started += 1
        if counts[IS_FULL] or started == slurm.max_job_start:
            return


@compiled
def _has_share(slurm: Slurm, job: int, partition: int) -> bool:
    """Say whether another job of those of its kinds may be looked at, and count it there, once."""
    shares, looked_at, partitions = slurm.shares, slurm.looked_at, slurm.partitions
    kinds = len(shares) if slurm.marks[job] != slurm.counts[PASSES] else 0
    for kind in range(kinds):
        if looked_at[shares[kind, 1 + job]] >= shares[kind, 0]:
            return False
    if 0 < slurm.max_job_part <= partitions[partition, LOOKED_IN]:
        return False
    slurm.marks[job] = slurm.counts[PASSES]
    for kind in range(kinds):
        looked_at[shares[kind, 1 + job]] += 1
    partitions[partition, LOOKED_IN] += 1
    return True
