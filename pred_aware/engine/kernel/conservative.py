"""Conservative backfilling, as `schedulers.backfilling.conservative` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import promise, sort_candidates
from pred_aware.engine.kernel.codes import (
    ANEW,
    BACKFILLED,
    CHOSEN,
    ENDED,
    PLANNED,
)
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.nodes_values import Over
from pred_aware.engine.kernel.over_time import (
    begin_beside,
    hold,
    let_go,
    move_on,
    move_up,
    place_early,
    start_in_place,
)
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled
def give_back(jobs: Jobs, state: State, over: Over | None, job: int, now: float) -> None:
    """Free what is left of the estimate of a job that has ended."""
    state.counts[ENDED] = 1
    if state.planned[job] > now:
        move_on(state.profile, over, now)
        let_go(state.profile, over, job, jobs.processors[job], now, state.planned[job])


@compiled_apart
def choose_placed(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    over: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Give each waiting job a place, and choose those whose place begins."""
    counts, able = state.counts, state.able
    for place in range(count):
        able[place] = place
    sort_candidates(jobs, state, waiting, count, rules.candidates)
    if counts[ANEW] or (counts[PLANNED] and state.planned[state.plan[0]] < now):
        _plan_anew(jobs, state, schedule, over, waiting, count, now)
    else:
        move_on(state.profile, over, now)
        if counts[ENDED]:
            _compress(jobs, state, schedule, over, waiting, count, now)
    counts[ENDED] = counts[ANEW] = 0
    for index in range(count):
        job = waiting[able[index]]
        if state.place[job] < 0.0:
            _place(jobs, state, schedule, over, job)
    passed = False
    first = state.counts[CHOSEN]
    for place in range(count):
        job = waiting[place]
        begins = state.place[job] <= now and not stops(state.gate, counts, job)
        if begins and start_in_place(jobs, state, state.profile, over, job):
            if passed:
                schedule.started_as[job] = BACKFILLED
        else:
            passed = True
    for index in range(first, counts[CHOSEN]):
        _adjust(jobs, state, over, state.chosen[index], now)


@compiled
def _place(jobs: Jobs, state: State, schedule: Schedule, over: Over | None, job: int) -> None:
    """Give a job the earliest place."""
    start = place_early(state.profile, over, job, jobs.processors[job], jobs.backfilling[job])
    state.place[job] = start
    promise(state, schedule, job, start)


@compiled
def _compress(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    over: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Give each waiting job that has a place the earliest one again."""
    for index in range(count):
        job = waiting[state.able[index]]
        if move_up(
            state.profile, over, state.place, job, jobs.processors[job], jobs.backfilling[job], now
        ):
            promise(state, schedule, job, state.place[job])


@compiled
def _plan_anew(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    over: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Give all places anew, beside the running jobs."""
    begin_beside(jobs, state, state.profile, over, now)
    for index in range(count):
        job = waiting[state.able[index]]
        if state.place[job] >= 0.0:
            _place(jobs, state, schedule, over, job)


@compiled
def _adjust(jobs: Jobs, state: State, over: Over | None, job: int, now: float) -> None:
    """Plan a job that starts by its estimate while it runs."""
    if jobs.running[job] != jobs.backfilling[job]:
        let_go(state.profile, over, job, jobs.processors[job], now, now + jobs.backfilling[job])
        hold(state.profile, over, job, jobs.processors[job], now, now + jobs.running[job])
        state.counts[ANEW] = 1
