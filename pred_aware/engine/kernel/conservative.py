"""Conservative backfilling, as `schedulers.backfilling.conservative` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import choose, promise, sort_candidates
from pred_aware.engine.kernel.codes import (
    ANEW,
    BACKFILLED,
    CHOSEN,
    ENDED,
    FREE,
    PLANNED,
)
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.profile import advance, begin_anew, give_earlier, give_place, take
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled
def give_back(jobs: Jobs, state: State, job: int, now: float) -> None:
    """Free what is left of the estimate of a job that has ended."""
    state.counts[ENDED] = 1
    if state.planned[job] > now:
        advance(state.profile, now)
        take(state.profile, now, state.planned[job], -jobs.processors[job])


@compiled_apart
def choose_placed(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
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
        _plan_anew(jobs, state, schedule, waiting, count, now)
    else:
        advance(state.profile, now)
        if counts[ENDED]:
            _compress(jobs, state, schedule, waiting, count, now)
    counts[ENDED] = counts[ANEW] = 0
    for index in range(count):
        job = waiting[able[index]]
        if state.place[job] < 0.0:
            _place(jobs, state, schedule, job)
    passed = False
    first = state.counts[CHOSEN]
    for place in range(count):
        job = waiting[place]
        begins = state.place[job] <= now and not stops(state.gate, counts, job)
        if begins and jobs.processors[job] <= counts[FREE]:
            if passed:
                schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
        else:
            passed = True
    for index in range(first, counts[CHOSEN]):
        _adjust(jobs, state, state.chosen[index], now)


@compiled
def _place(jobs: Jobs, state: State, schedule: Schedule, job: int) -> None:
    """Give a job the earliest place."""
    start = give_place(state.profile, job, jobs.processors[job], jobs.backfilling[job])
    state.place[job] = start
    promise(state, schedule, job, start)


@compiled
def _compress(
    jobs: Jobs, state: State, schedule: Schedule, waiting: Integers, count: int, now: float
) -> None:
    """Give each waiting job that has a place the earliest one again."""
    for index in range(count):
        job = waiting[state.able[index]]
        size, duration = jobs.processors[job], jobs.backfilling[job]
        if give_earlier(state.profile, state.place, job, size, duration, now):
            promise(state, schedule, job, state.place[job])


@compiled
def _plan_anew(
    jobs: Jobs, state: State, schedule: Schedule, waiting: Integers, count: int, now: float
) -> None:
    """Give all places anew, beside the running jobs."""
    begin_anew(state.profile, jobs, state, now)
    for index in range(count):
        job = waiting[state.able[index]]
        if state.place[job] >= 0.0:
            _place(jobs, state, schedule, job)


@compiled
def _adjust(jobs: Jobs, state: State, job: int, now: float) -> None:
    """Plan a job that starts by its estimate while it runs."""
    if jobs.running[job] != jobs.backfilling[job]:
        size = jobs.processors[job]
        take(state.profile, now, now + jobs.backfilling[job], -size)
        take(state.profile, state.profile.times[0], now + jobs.running[job], size)
        state.counts[ANEW] = 1
