"""Passes through the queue; each chooses the jobs that start now, see `schedulers.backfilling`."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.choosing import choose, promise, sort_candidates
from pred_aware.engine.kernel.codes import (
    BACKFILLED,
    CHANGES,
    CHOSEN,
    CONSERVATIVE,
    EASY,
    FILLER,
    FREE,
    FROM_QUEUE,
    ORDERED,
    STARTS,
    WAITING,
)
from pred_aware.engine.kernel.conservative import choose_placed
from pred_aware.engine.kernel.queueing import changes, put_in_order, take_out
from pred_aware.engine.kernel.running import plan_job, push_end, reserve
from pred_aware.engine.kernel.values import Integers, Jobs, Rules, Schedule, State


@compiled
def go_through(jobs: Jobs, rules: Rules, state: State, schedule: Schedule, now: float) -> None:
    """Start the jobs that the backfilling chooses."""
    counts = state.counts
    waiting, count = state.queue, counts[WAITING]
    if not count:
        return
    if changes(rules):
        put_in_order(jobs, rules, state, now)
        waiting, count = state.ordered, counts[ORDERED]
    counts[CHOSEN] = 0
    if rules.backfilling == EASY:
        _easy(jobs, rules, state, schedule, waiting, count, now)
    elif rules.backfilling == FILLER:
        _fill(jobs, rules, state, schedule, waiting, count)
    elif rules.backfilling == CONSERVATIVE:
        choose_placed(jobs, rules, state, schedule, waiting, count, now)
    else:
        _take_heads(jobs, state, waiting, count)
    for place in range(counts[CHOSEN]):
        job = state.chosen[place]
        schedule.start[job] = now
        schedule.changes[counts[CHANGES]] = job
        counts[CHANGES] += 1
        state.started[job] = counts[STARTS]
        counts[STARTS] += 1
        state.ends_at[job] = now + jobs.duration[job]
        push_end(state, job)
        if rules.plans and state.planned[job] < 0.0:
            plan_job(state, job, now + jobs.running[job])
    if counts[CHOSEN]:
        take_out(state, schedule.start)


@compiled
def _take_heads(jobs: Jobs, state: State, waiting: Integers, count: int) -> int:
    """Choose the jobs at the head of the queue while they fit; return how many."""
    for place in range(count):
        job = waiting[place]
        if jobs.processors[job] > state.counts[FREE]:
            return place
        choose(jobs, state, job)
    return count


@compiled
def _fill(
    jobs: Jobs, rules: Rules, state: State, schedule: Schedule, waiting: Integers, count: int
) -> None:
    """Choose whatever fits."""
    able, found = state.able, 0
    for place in range(count):
        if jobs.processors[waiting[place]] <= state.counts[FREE]:
            able[found] = place
            found += 1
    sort_candidates(jobs, rules, state, waiting, found)
    head = 0
    for index in range(found):
        place = able[index]
        job = waiting[place]
        if jobs.processors[job] > state.counts[FREE]:
            continue
        if place == head:
            head += 1
        else:
            schedule.started_as[job] = FROM_QUEUE
        choose(jobs, state, job)
        if not state.counts[FREE]:
            break


@compiled
def _easy(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Choose the heads that fit, and who does not delay the first that does not."""
    counts, able = state.counts, state.able
    heads = _take_heads(jobs, state, waiting, count)
    if heads == count:
        return
    for place in range(heads):
        # they count as running in the reservation
        plan_job(state, waiting[place], now + jobs.running[waiting[place]])
    head = waiting[heads]
    reserved, extra = reserve(jobs, state, head, now)
    promise(schedule, head, reserved)
    free = counts[FREE]
    if not free:
        return
    found = 0
    for place in range(heads + 1, count):
        job = waiting[place]
        size = jobs.processors[job]
        # what is free and what is extra only shrink: who has no chance now has none later
        if size <= free and (size <= extra or now + jobs.backfilling[job] <= reserved):
            able[found] = place
            found += 1
    sort_candidates(jobs, rules, state, waiting, found)
    for index in range(found):
        job = waiting[able[index]]
        size = jobs.processors[job]
        if size > counts[FREE]:
            continue
        if now + jobs.backfilling[job] > reserved:
            if size > extra:
                continue
            extra -= size
            schedule.started_as[job] = FROM_QUEUE
        else:
            schedule.started_as[job] = BACKFILLED
        choose(jobs, state, job)
        if not counts[FREE]:
            break
