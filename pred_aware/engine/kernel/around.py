"""EASY with several reservations, as `schedulers.backfilling.places` defines it."""

from pred_aware.engine.compiled import compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import promise, sort_candidates
from pred_aware.engine.kernel.codes import BACKFILLED, FREE
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.nodes_values import Over
from pred_aware.engine.kernel.over_time import (
    begin_beside,
    free_place,
    place_at,
    place_early,
    start_in_place,
)
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled_apart
def backfill_around(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    over: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Reserve for the first of some jobs, and choose others that fit around them."""
    counts, able, profile = state.counts, state.able, state.around
    begin_beside(jobs, state, profile, over, now)
    tops = min(rules.reservations, count)
    for place in range(tops):
        job = waiting[place]
        start = place_early(profile, over, job, jobs.processors[job], jobs.backfilling[job])
        begins = start <= now and not stops(state.gate, counts, job)
        if begins and start_in_place(jobs, state, profile, over, job):
            schedule.started_as[job] = BACKFILLED
        else:
            promise(state, schedule, job, start)
    for place in range(tops, count):
        able[place - tops] = place
    sort_candidates(jobs, state, waiting, count - tops, rules.candidates)
    for index in range(count - tops):
        job = waiting[able[index]]
        length = jobs.backfilling[job]
        if jobs.processors[job] > counts[FREE]:
            continue
        if not place_at(profile, over, job, jobs.processors[job], now, length):
            continue
        if stops(state.gate, counts, job):
            break
        if start_in_place(jobs, state, profile, over, job):
            schedule.started_as[job] = BACKFILLED
        else:
            free_place(profile, over, job, jobs.processors[job], now, now + length)
