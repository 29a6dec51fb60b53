"""What a site's gate does at a date: who leaves the queue and who comes back, and what is next."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.backlog import withdrawn_from
from pred_aware.engine.kernel.codes import (
    CHANGES_AT,
    COME,
    CONSERVATIVE,
    DATED,
    ENDED,
    HELD,
    KEPT,
    LASTS,
    LEAVES,
    NEVER,
    PAST,
    STAYS,
    TOO_LATE,
    TOUCHED,
    UNSURE,
    WAITING,
)
from pred_aware.engine.kernel.ends import reject
from pred_aware.engine.kernel.gate import touch
from pred_aware.engine.kernel.gate_books import is_too_late, join, looked_at, rule_of
from pred_aware.engine.kernel.heap import pop
from pred_aware.engine.kernel.linked import AFTER, FIRST
from pred_aware.engine.kernel.moving import note_none
from pred_aware.engine.kernel.over_time import free_place, move_on
from pred_aware.engine.kernel.protected import free_place_of
from pred_aware.engine.kernel.queueing import put_back, take_out
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_calls import note_withdrawn
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State


@compiled_apart
def sort_out(
    jobs: Jobs, rules: Rules, state: State, bound: Bound | None, gate: Gate, now: float
) -> None:
    """Take the jobs that a rule stops out of the queue, and put back those that none stops."""
    counts, booked = gate.counts, gate.jobs
    if not (counts[COME] or counts[TOUCHED] or gate.by_time or _releases(gate, now)):
        return
    released = 0
    while _releases(gate, now):
        job = pop(gate.held, counts[HELD], booked.since, booked.number)
        counts[HELD] -= 1
        join(gate, job, now)
        gate.released[released] = job
        released += 1
    _touch_by_time(gate, now)
    gone, back = _look(gate, now)
    for place in range(released):
        job = gate.released[place]
        # it was in no queue before, whatever stops those that are alike
        gate.leaves[job] = STAYS
        if gate.alikes.rule[booked.alike[job]] < 0:
            back = _come_back(gate, job, back)
    if gate.remembers:
        for place in range(gone):
            if gate.leaves[gate.gone[place]] != STAYS:
                withdraw(jobs, rules, state, bound, gate.gone[place], now)
    if gone or back:
        _requeue(jobs, rules, state, gate, gone, back, now)


@compiled
def _look(gate: Gate, now: float) -> tuple[int, int]:
    """List the jobs that a rule stops from now on, and those that none stops any more."""
    counts, alikes = gate.counts, gate.alikes
    gone, back = 0, 0
    for place in range(counts[COME]):
        job = gate.come[place]
        if alikes.rule[gate.jobs.alike[job]] >= 0:
            gone = _go(gate, job, gone)
    counts[COME] = 0
    for place in range(counts[TOUCHED]):
        alike = gate.touched[place]
        alikes.touched[alike] = 0
        before = alikes.rule[alike]
        if not looked_at(gate, alike, now):
            continue
        job = gate.waiting.ends[alike, FIRST]
        while job >= 0:
            if before < 0:
                gone = _go(gate, job, gone)
            elif alikes.rule[alike] < 0:
                back = _come_back(gate, job, back)
            job = gate.waiting.links[job, AFTER]
    counts[TOUCHED] = 0
    return gone, back


@compiled
def _go(gate: Gate, job: int, gone: int) -> int:
    if gate.leaves[job] != STAYS:
        return gone
    gate.leaves[job] = LEAVES
    gate.gone[gone] = job
    return gone + 1


@compiled
def _come_back(gate: Gate, job: int, back: int) -> int:
    if gate.returns[job]:
        return back
    gate.returns[job] = 1
    gate.back[back] = job
    return back + 1


@compiled
def _requeue(
    jobs: Jobs, rules: Rules, state: State, gate: Gate, gone: int, back: int, now: float
) -> None:
    """Leave some jobs out of the queue, and put others at their places in it."""
    take_out(state, gate.leaves, state.counts[WAITING])
    for place in range(gone):
        gate.leaves[gate.gone[place]] = STAYS
    for place in range(back):
        put_back(jobs, rules, state, gate.back[place], now)
        gate.returns[gate.back[place]] = 0


@compiled
def _releases(gate: Gate, now: float) -> bool:
    """Say whether a job was held until now."""
    return bool(gate.counts[HELD] and gate.jobs.since[gate.held[0]] <= now)


@compiled
def _touch_by_time(gate: Gate, now: float) -> None:
    """Touch those that the clock may stop, or no longer stops."""
    windows = gate.windows
    passed = np.searchsorted(gate.dates, now, side="right")
    anew = passed != gate.counts[DATED]
    gate.counts[DATED] = passed
    gate.at[PAST] = now
    if gate.at[CHANGES_AT] <= now:
        first = NEVER
        for window in range(len(windows.rule)):
            place = windows.place[window]
            while windows.dates[window, place] <= now:
                place += 1
                anew = True
            windows.place[window] = place
            first = min(first, windows.dates[window, place])
        gate.at[CHANGES_AT] = first
    if anew or gate.by_clock or gate.runs_off:
        alikes = gate.alikes
        alike = gate.alikes_waiting.ends[0, FIRST]
        while alike >= 0:
            if anew or alikes.by_clock[alike] or alikes.stopped[alike]:
                touch(gate, alike)
            alike = gate.alikes_waiting.links[alike, AFTER]


@compiled_apart
def reject_late(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    gate: Gate,
    now: float,
) -> None:
    """Reject the waiting jobs that never can start from now on."""
    counts, booked = gate.counts, gate.jobs
    while is_too_late(gate, now):
        job = pop(gate.lasts, counts[LASTS], booked.last, booked.number)
        counts[LASTS] -= 1
        if not booked.open[job] or schedule.start[job] >= 0.0:
            continue
        waiting = state.counts[WAITING]
        gate.leaves[job] = LEAVES
        take_out(state, gate.leaves, 1)
        gate.leaves[job] = STAYS
        if state.counts[WAITING] < waiting and gate.remembers:
            withdraw(jobs, rules, state, bound, job, now)
        reject(jobs, state, schedule, gate, job, TOO_LATE)


@compiled
def withdraw(
    jobs: Jobs, rules: Rules, state: State, bound: Bound | None, job: int, now: float
) -> None:
    """Free the place of a job that is not in the queue any more."""
    note_withdrawn(state.slurm, now)
    if bound is not None and rules.bounded:
        if state.place[job] >= 0.0:
            # others may move to where it was
            if state.counts[KEPT]:
                free_place_of(jobs, state, job, state.place[job], now)
            note_none(state.profile, job)
            state.place[job] = -1.0
            state.counts[ENDED] = 1
        bound.waited[job] = 0
        withdrawn_from(rules, bound, job)
    elif rules.backfilling == CONSERVATIVE and state.place[job] >= 0.0:
        place, end = state.place[job], state.place[job] + jobs.backfilling[job]
        state.place[job] = -1.0
        state.counts[ENDED] = 1
        move_on(state.profile, state.beside, now)
        free_place(state.profile, state.beside, job, jobs.processors[job], max(place, now), end)


@compiled_apart
def stops_more(gate: Gate) -> bool:
    """Say whether limits that the last pass has filled stop jobs that were in its queue."""
    if not gate.counts[UNSURE]:
        return False
    alikes = gate.alikes
    for place in range(gate.counts[TOUCHED]):
        alike = gate.touched[place]
        waits = alikes.waiting[alike] and alikes.rule[alike] < 0
        if waits and rule_of(gate, alike, gate.at[PAST]) >= 0:
            return True
    return False


@compiled
def note_promises(state: State, schedule: Schedule, gate: Gate) -> None:
    """Keep what the jobs of the queue are promised before a pass."""
    for place in range(state.counts[WAITING]):
        job = state.queue[place]
        gate.first_promise[job] = schedule.first_promise[job]
        gate.last_promise[job] = schedule.last_promise[job]


@compiled_apart
def take_promises_back(schedule: Schedule, gate: Gate) -> None:
    """Forget what was promised to jobs that a limit stops which was filled in the pass."""
    for place in range(gate.counts[TOUCHED]):
        alike = gate.touched[place]
        # those that were stopped before were not in its queue
        if gate.alikes.rule[alike] >= 0 or rule_of(gate, alike, gate.at[PAST]) < 0:
            continue
        job = gate.waiting.ends[alike, FIRST]
        while job >= 0:
            schedule.first_promise[job] = gate.first_promise[job]
            schedule.last_promise[job] = gate.last_promise[job]
            job = gate.waiting.links[job, AFTER]
