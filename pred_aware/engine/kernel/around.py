"""EASY with several reservations, as `schedulers.backfilling.places` defines it."""

from pred_aware.engine.compiled import compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import choose, promise, sort_candidates
from pred_aware.engine.kernel.codes import BACKFILLED, FREE
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.profile import begin_anew, fits, give_place, take
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled_apart
def backfill_around(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Reserve for the first of some jobs, and choose others that fit around them."""
    counts, able, profile = state.counts, state.able, state.around
    begin_anew(profile, jobs, state, now)
    tops = min(rules.reservations, count)
    for place in range(tops):
        job = waiting[place]
        start = give_place(profile, job, jobs.processors[job], jobs.backfilling[job])
        if (
            start <= now
            and not stops(state.gate, counts, job)
            and jobs.processors[job] <= counts[FREE]
        ):
            schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
        else:
            promise(state, schedule, job, start)
    for place in range(tops, count):
        able[place - tops] = place
    sort_candidates(jobs, state, waiting, count - tops, rules.candidates)
    for index in range(count - tops):
        job = waiting[able[index]]
        size, end = jobs.processors[job], now + jobs.backfilling[job]
        if size <= counts[FREE] and fits(profile, size, now, end):
            take(profile, now, end, size)
            if stops(state.gate, counts, job):
                break
            schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
