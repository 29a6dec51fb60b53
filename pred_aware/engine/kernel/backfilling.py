"""Backfillings; each chooses the jobs that start now, see `schedulers.backfilling`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.around import backfill_around
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.calendar import looks_at_stopped, plan_by_calendar
from pred_aware.engine.kernel.choosing import (
    choose,
    has_a_chance,
    key_candidates,
    list_beside,
    list_fitting,
    promise,
    sort_candidates,
)
from pred_aware.engine.kernel.codes import (
    BACKFILLED,
    CHOSEN,
    CONSERVATIVE,
    EASY,
    FILLER,
    FREE,
    FROM_QUEUE,
    OPENPBS,
    ORDERED,
    PASSED,
    QUEUE,
    SLURM,
    TRUSTS,
)
from pred_aware.engine.kernel.conservative import choose_placed
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.queueing import gather, list_by_submission, put_in_order
from pred_aware.engine.kernel.running import plan_job, reserve
from pred_aware.engine.kernel.slurm import choose_as_slurm
from pred_aware.engine.kernel.sorting import heap_by, without_first
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


def _choose_from(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    items: Integers,
    count: int,
    now: float,
) -> None:
    """Choose among jobs of the queue; without trust, as EASY does."""
    waiting, backfilling = items, rules.backfilling
    if not state.counts[TRUSTS]:
        list_by_submission(rules, state, items, count)
        waiting, backfilling = state.ordered, EASY
    elif (
        rules.changes
        and backfilling == EASY
        and rules.candidates == QUEUE
        and rules.reservations == 1
    ):
        gather(jobs, rules, state, items, count, now)
        _easy_in_time(jobs, state, schedule, now)
        return
    elif rules.changes:
        put_in_order(jobs, rules, state, items, count, now)
        waiting, count = state.ordered, state.counts[ORDERED]
    if backfilling == EASY:
        _easy(jobs, rules, state, schedule, waiting, count, now)
    elif backfilling == FILLER:
        _fill(jobs, rules, state, schedule, waiting, count)
    elif backfilling == CONSERVATIVE:
        choose_placed(jobs, rules, state, schedule, None, waiting, count, now)
    elif backfilling == SLURM:
        choose_as_slurm(jobs, state, schedule, state.slurm, None, waiting, count, now)
    else:
        heads = 0
        if not looks_at_stopped(jobs, rules, state, state.calendar, waiting, count, now):
            heads = _take_heads(jobs, state, waiting, count)
        if backfilling == OPENPBS:
            plan_by_calendar(jobs, state, schedule, state.calendar, waiting, heads, count, now)


choose_from = compiled(_choose_from)
choose_from_apart = compiled_apart(_choose_from)


@compiled
def _take_heads(jobs: Jobs, state: State, waiting: Integers, count: int) -> int:
    """Choose the jobs at the head of the queue while they fit; return how many."""
    for place in range(count):
        job = waiting[place]
        if stops(state.gate, state.counts, job) or jobs.processors[job] > state.counts[FREE]:
            return place
        choose(jobs, state, job)
    return count


@compiled_apart
def _fill(
    jobs: Jobs, rules: Rules, state: State, schedule: Schedule, waiting: Integers, count: int
) -> None:
    """Choose whatever fits."""
    able, found = state.able, list_fitting(jobs, state, waiting, count)
    sort_candidates(jobs, state, waiting, found, rules.candidates)
    head = 0
    for index in range(found):
        place = able[index]
        job = waiting[place]
        if jobs.processors[job] > state.counts[FREE]:
            continue
        if stops(state.gate, state.counts, job):
            break
        if place == head:
            head += 1
        else:
            schedule.started_as[job] = FROM_QUEUE
        choose(jobs, state, job)
        if not state.counts[FREE]:
            break


@compiled
def _easy(  # noqa: C901 - a pass, in one piece
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
    heads = 0
    if jobs.processors[waiting[0]] <= counts[FREE]:
        heads = _take_heads(jobs, state, waiting, count)
    if heads == count:
        return
    for place in range(heads):
        # they count as running in the reservation
        plan_job(state, waiting[place], now + jobs.running[waiting[place]])
    trusts = counts[TRUSTS]
    if counts[PASSED]:
        return
    if trusts and rules.reservations > 1:
        backfill_around(jobs, rules, state, schedule, None, waiting[heads:], count - heads, now)
        return
    head = waiting[heads]
    reserved, extra = reserve(jobs, state, head, now)
    promise(state, schedule, head, reserved)
    if not counts[FREE]:
        return
    if not trusts or rules.candidates == QUEUE:
        for place in range(heads + 1, count):
            if jobs.processors[waiting[place]] > counts[FREE]:
                continue
            extra = _try(jobs, state, schedule, waiting[place], now, reserved, extra)
            if not counts[FREE]:
                break
        return
    found = list_beside(jobs, state, waiting, heads + 1, count, now, reserved, extra)
    key_candidates(jobs, state, waiting, found, rules.candidates)
    heap_by(state.keys, able, found)
    while found and counts[FREE]:
        job = waiting[able[0]]
        found = without_first(state.keys, able, found)
        if jobs.processors[job] <= counts[FREE]:
            extra = _try(jobs, state, schedule, job, now, reserved, extra)


@compiled
def _easy_in_time(jobs: Jobs, state: State, schedule: Schedule, now: float) -> None:
    """Do the same where the order changes with time: only what is looked at is sorted."""
    counts, keys, waiting = state.counts, state.keys, state.ordered
    count, chosen = counts[ORDERED], counts[CHOSEN]
    heap_by(keys, waiting, count)
    if jobs.processors[waiting[0]] <= counts[FREE]:
        while not stops(state.gate, counts, waiting[0]):
            if jobs.processors[waiting[0]] > counts[FREE]:
                break
            choose(jobs, state, waiting[0])
            count = without_first(keys, waiting, count)
            if not count:
                return
    for index in range(chosen, counts[CHOSEN]):
        job = state.chosen[index]
        plan_job(state, job, now + jobs.running[job])
    if counts[PASSED]:
        return
    reserved, extra = reserve(jobs, state, waiting[0], now)
    promise(state, schedule, waiting[0], reserved)
    free, found = counts[FREE], 0
    if not free:
        return
    for place in range(1, count):
        job = waiting[place]
        if has_a_chance(jobs, job, now, free, reserved, extra):
            waiting[found] = job
            found += 1
    heap_by(keys, waiting, found)
    while found and counts[FREE]:
        job = waiting[0]
        found = without_first(keys, waiting, found)
        if jobs.processors[job] <= counts[FREE]:
            extra = _try(jobs, state, schedule, job, now, reserved, extra)


@compiled
def _try(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    job: int,
    now: float,
    reserved: float,
    extra: int,
) -> int:
    """Choose a job that fits now if it does not delay the reserved one; return what is extra."""
    size = jobs.processors[job]
    in_time = now + jobs.backfilling[job] <= reserved
    if not in_time and size > extra:
        return extra
    # a job that is stopped ends the pass, and leaves nothing free
    if stops(state.gate, state.counts, job):
        return extra
    schedule.started_as[job] = BACKFILLED if in_time else FROM_QUEUE
    choose(jobs, state, job)
    return extra if in_time else extra - size
