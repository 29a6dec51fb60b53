"""The calendar of OpenPBS's scheduler, as `schedulers.backfilling.openpbs` defines it.

Where a policy has another backfilling there is none, and what asks for it is not even compiled.
"""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.calendar_values import Calendar, LimitsOverTime
from pred_aware.engine.kernel.choosing import choose, note_promise, promise
from pred_aware.engine.kernel.codes import (
    BACKFILLED,
    CALLED_AT,
    FREE,
    LAST_PASS,
    NEVER,
    PASS_AT,
    PASSED,
    PLANNED,
)
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.limits_over_time import (
    gather,
    how_many,
    is_stopped,
    job_at,
    joins_stopped,
    let,
    note_place,
)
from pred_aware.engine.kernel.profile import begin_anew, fits, give_place, take
from pred_aware.engine.kernel.running import plan_job
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled
def looks_at_stopped(
    jobs: Jobs,
    rules: Rules,
    state: State,
    calendar: Calendar | None,
    waiting: Integers,
    count: int,
    now: float,
) -> bool:
    """Begin a pass; say whether it goes through jobs that limits stop as well."""
    if calendar is None:
        return False
    return joins_stopped(jobs, rules, state, calendar.limits, state.gate, waiting, count, now)


@compiled
def plan_by_calendar(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    calendar: Calendar | None,
    waiting: Integers,
    heads: int,
    count: int,
    now: float,
) -> None:
    """Choose who starts of the jobs behind the heads that were chosen, and plan the top jobs."""
    if calendar is not None and heads < count and not state.counts[PASSED]:
        for place in range(heads):
            plan_job(state, waiting[place], now + jobs.running[waiting[place]])
        _go_through(jobs, state, schedule, calendar, waiting[heads:], count - heads, now)


@compiled_apart
def _go_through(
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    calendar: Calendar,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    counts, profile, depth = state.counts, state.around, calendar.depth
    limits = calendar.limits
    begin_anew(profile, jobs, state, now)
    calendar.counts[0] = 0
    for place in range(counts[PLANNED]):
        _add_event(calendar, max(state.plan_ends[place], now))
    tops = 0
    for place in range(how_many(limits, count)):
        if tops >= depth > 0 and not counts[FREE]:
            break
        job = job_at(limits, waiting, place)
        size, duration = jobs.processors[job], jobs.backfilling[job]
        room = size <= counts[FREE] and fits(profile, size, now, now + duration)
        # one that a limit stops since it was filled in this pass ends it: nobody else starts
        if room and not is_stopped(limits, job) and not stops(state.gate, counts, job):
            take(profile, now, now + duration, size)
            _add_event(calendar, now + duration)
            schedule.started_as[job] = BACKFILLED
            choose(jobs, state, job)
        elif not calendar.strict and now - calendar.since[job] <= calendar.starves_after:
            continue
        elif not depth:
            break
        elif tops < depth:
            gather(limits, jobs, state, schedule, state.gate, job, now)
            start = _place(calendar, state, limits, job, size, duration, now)
            if start == -NEVER:
                continue
            tops += 1
            _add_event(calendar, start)
            _add_event(calendar, start + duration)
            if is_stopped(limits, job):
                # whose promises nobody takes back
                note_promise(schedule, job, start)
            else:
                promise(state, schedule, job, start)


@compiled
def _place(
    calendar: Calendar,
    state: State,
    limits: LimitsOverTime | None,
    job: int,
    size: int,
    duration: float,
    now: float,
) -> float:
    """Give a top job a place at the first event that has room: the last of its window.

    Where limits let it start at none it has none, and the date is before all.
    """
    profile, events, gate = state.around, calendar.events, state.gate
    count = calendar.counts[0]
    last = events[count - 1] if count else now
    # one that never comes is the last
    if count and events[count - 1] == NEVER:
        count -= 1
    until = NEVER
    for index in range(count):
        event = events[index]
        if until == NEVER or event > until:
            until = (np.floor((event + calendar.epoch) / calendar.window) + 1.0) * calendar.window
            until -= calendar.epoch
        if index + 1 < count and events[index + 1] <= until:
            continue
        if fits(profile, size, event, event + duration) and let(limits, gate, job, event):
            take(profile, event, event + duration, size)
            note_place(limits, job, event, event + duration)
            return event
    if not let(limits, gate, job, last):
        return -NEVER
    start = give_place(profile, job, size, duration)
    note_place(limits, job, start, start + duration)
    return start


@compiled
def _add_event(calendar: Calendar, date: float) -> None:
    events, count = calendar.events, calendar.counts[0]
    place = count
    while place > 0 and events[place - 1] > date:
        place -= 1
    if place > 0 and events[place - 1] == date:
        return
    for other in range(count, place, -1):
        events[other] = events[other - 1]
    events[place] = date
    calendar.counts[0] = count + 1


@compiled
def next_pass(calendar: Calendar | None) -> float:
    """Return when the queue is to be gone through by itself."""
    if calendar is None:
        return NEVER
    return calendar.at[CALLED_AT]


@compiled
def is_called(calendar: Calendar | None, now: float) -> bool:
    """Say whether a pass is due that was asked for, and is still wanted."""
    if calendar is None:
        return False
    if calendar.at[CALLED_AT] > now:
        return False
    calendar.at[CALLED_AT] = NEVER
    return calendar.at[PASS_AT] <= now


@compiled
def note_pass(calendar: Calendar | None, now: float) -> None:
    """Note that the queue is gone through."""
    if calendar is not None:
        calendar.at[LAST_PASS] = now


@compiled
def ask_for_pass(calendar: Calendar | None, waiting: int, now: float) -> None:
    """Ask for a pass where jobs wait."""
    if calendar is None:
        return
    at = NEVER
    if waiting and calendar.iteration:
        at = calendar.at[LAST_PASS] + calendar.iteration
    calendar.at[PASS_AT] = at
    if now < at < calendar.at[CALLED_AT]:
        calendar.at[CALLED_AT] = at
