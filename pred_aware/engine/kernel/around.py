"""EASY with several reservations, as `schedulers.backfilling.places` defines it."""

from pred_aware.engine.compiled import compiled_apart
from pred_aware.engine.kernel.choosing import choose, promise, sort_candidates
from pred_aware.engine.kernel.codes import BACKFILLED, FREE, NEVER, PLANNED
from pred_aware.engine.kernel.profile import earliest, empty, fits, take
from pred_aware.engine.kernel.values import Integers, Jobs, Rules, Schedule, State


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
    empty(profile, rules.processors, now)
    for place in range(counts[PLANNED]):
        job = state.plan[place]
        take(profile, now, state.planned[job], jobs.processors[job])
    tops = min(rules.reservations, count)
    for place in range(tops):
        job = waiting[place]
        size, duration = jobs.processors[job], jobs.backfilling[job]
        start = earliest(profile, size, duration, NEVER)
        take(profile, start, start + duration, size)
        if start <= now and size <= counts[FREE]:
            schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
        else:
            promise(schedule, job, start)
    for place in range(tops, count):
        able[place - tops] = place
    sort_candidates(jobs, state, waiting, count - tops, rules.candidates)
    for index in range(count - tops):
        job = waiting[able[index]]
        size, end = jobs.processors[job], now + jobs.backfilling[job]
        if size <= counts[FREE] and fits(profile, size, now, end):
            take(profile, now, end, size)
            schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
