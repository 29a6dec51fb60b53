"""The simulation of a policy on a machine that counts, under the rules of a site.

What is to come out is defined by `pred_aware.simulator.no_delays` and `schedulers.policy.on_site`.
It is compiled by itself, so that who has no rules does not wait for it.
"""

import numpy as np

from pred_aware.engine.compiled import called_by_python, compiled, compiled_apart
from pred_aware.engine.kernel.backfilling import choose_from_apart
from pred_aware.engine.kernel.bound import choose_bounded, count_starts, end_bounded
from pred_aware.engine.kernel.codes import (
    ANEW,
    ASKED,
    ASKS,
    CALLS,
    CHOSEN,
    CONSERVATIVE,
    DUE,
    ENDED,
    ESTIMATED,
    ESTIMATES,
    FAILED,
    FITS,
    FREE,
    HIDDEN,
    HOURS,
    KEEPS,
    LASTS,
    MORE_ROOM,
    NEVER,
    NOW,
    OVER,
    PASSED,
    PLANNED,
    RUNNING,
    SUBMITTED,
    THERE,
    TOO_LATE,
    UNKNOWN,
    WAITING,
    WAKE,
)
from pred_aware.engine.kernel.ends import end
from pred_aware.engine.kernel.estimates import correct, estimate, settle_before
from pred_aware.engine.kernel.gate import gave_back
from pred_aware.engine.kernel.gate_books import book, forget
from pred_aware.engine.kernel.gate_calls import ask_for_call
from pred_aware.engine.kernel.gate_in_time import (
    note_promises,
    sort_out,
    stops_more,
    take_promises_back,
    withdraw,
)
from pred_aware.engine.kernel.heap import pop
from pred_aware.engine.kernel.nodes_room import is_full
from pred_aware.engine.kernel.profile import FULL, STEPS, take
from pred_aware.engine.kernel.queueing import enqueue
from pred_aware.engine.kernel.running import pop_end
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.starting import start_chosen
from pred_aware.engine.kernel.trust import compare
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State, Trust


@called_by_python
def simulate_on_site(  # noqa: C901, PLR0912, PLR0915 - the hot loop, in one piece
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    gate: Gate,
) -> None:
    """Simulate to the end; see `loop`; it returns where hours of windows are not known, too."""
    counts = state.counts
    submitted, number = counts[SUBMITTED], len(jobs.submit)
    corrects = rules.correction != KEEPS
    while not counts[FAILED]:
        now = jobs.submit[submitted] if submitted < number else NEVER
        if counts[RUNNING]:
            now = min(now, state.ends_at[state.ends[0]])
        calls = gate.counts[CALLS]
        if calls:
            now = min(now, gate.calls[calls - 1])
        if now == NEVER:
            break
        if now >= gate.windows.known[0]:
            counts[SUBMITTED], counts[ASKS] = submitted, HOURS
            return
        if is_full(state.nodes, rules):
            counts[SUBMITTED], counts[ASKS] = submitted, MORE_ROOM
            return
        gate.at[NOW] = now
        # what ended then was told before
        goes_on = counts[ESTIMATED] > submitted
        if corrects and not goes_on:
            settle_before(jobs, rules, state, schedule, now)
        acts = False
        while counts[RUNNING] and state.ends_at[state.ends[0]] == now:
            job = pop_end(state)
            acts = True
            gave_back(gate, jobs, job, schedule.start[job])
            end(jobs, rules, state, schedule, job, now)
            if bound is not None:
                end_bounded(jobs, rules, state, bound, job, schedule.start[job], now)
            if trust is not None:
                compare(jobs, rules, state, schedule, trust, job, now)
        if corrects and not goes_on:
            correct(jobs, rules, state, schedule, now)
        submits = submitted < number and jobs.submit[submitted] == now
        if rules.predicts == ASKED and submits and not goes_on:
            counts[SUBMITTED], counts[ASKS] = submitted, ESTIMATES
            return
        if calls and gate.calls[calls - 1] == now:
            gate.counts[CALLS] -= 1
        woken = gate.at[WAKE] <= now
        if woken:
            gate.at[WAKE] = NEVER
        passes = not gate.cycle or woken or now == np.rint(now / gate.cycle) * gate.cycle
        while submitted < number and jobs.submit[submitted] == now:
            _submit(jobs, rules, state, schedule, gate, submitted, now)
            submitted += 1
        acts |= submits
        if corrects and rules.lead > 0.0 and not acts:
            correct(jobs, rules, state, schedule, now)
        if acts or woken:
            if gate.counts[LASTS] and gate.jobs.last[gate.lasts[0]] <= now:
                _reject_late(jobs, rules, state, schedule, bound, gate, now)
            gate.counts[DUE] = 0 if passes else 1
            if passes:
                _start(jobs, rules, state, schedule, bound, trust, gate, now)
        if corrects and rules.lead > 0.0 and acts:
            # one that has just started with a short estimate may be due at once
            correct(jobs, rules, state, schedule, now)
        ask_for_call(state, gate, now)
        if state.profile.counts[FULL] or state.around.counts[FULL]:
            counts[FAILED] = 1


@compiled_apart
def _submit(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    gate: Gate,
    job: int,
    now: float,
) -> None:
    if gate.jobs.alike[job] >= 0:
        refused = book(gate, job, now, len(gate.freezes) > 0)
        if refused:
            jobs.refused[job] = refused
    if jobs.refused[job] == FITS:
        estimate(jobs, rules, state, job)
        schedule.first_estimate[job] = jobs.running[job]
        if rules.plans and (jobs.running[job] == NEVER or jobs.backfilling[job] == NEVER):
            jobs.refused[job] = UNKNOWN
    if jobs.refused[job] == FITS:
        if gate.jobs.alike[job] < 0 or not gate.jobs.since[job] > now:
            enqueue(jobs, rules, state, job, now)
        return
    forget(gate, job)
    schedule.over[state.counts[OVER]] = job
    state.counts[OVER] += 1


@compiled_apart
def _reject_late(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    gate: Gate,
    now: float,
) -> None:
    """Reject the waiting jobs that never can start from now on."""
    counts, booked = state.counts, gate.jobs
    while gate.counts[LASTS] and booked.last[gate.lasts[0]] <= now:
        job = pop(gate.lasts, gate.counts[LASTS], booked.last, booked.number)
        gate.counts[LASTS] -= 1
        if not booked.open[job] or schedule.start[job] >= 0.0:
            continue
        kept = 0
        for place in range(counts[WAITING]):
            if state.queue[place] != job:
                state.queue[kept] = state.queue[place]
                kept += 1
        if kept < counts[WAITING] and gate.remembers:
            withdraw(jobs, rules, state, bound, job, now)
        counts[WAITING] = kept
        forget(gate, job)
        jobs.refused[job] = TOO_LATE
        schedule.over[counts[OVER]] = job
        counts[OVER] += 1


@compiled_apart
def _start(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    gate: Gate,
    now: float,
) -> None:
    """Go through the queue, and once more as often as a limit ends the pass."""
    counts = state.counts
    if gate.in_time:
        _look_at_machine(jobs, rules, state, schedule, bound, gate, now)
    while True:
        sort_out(jobs, rules, state, bound, gate, now)
        if not counts[WAITING] or counts[FAILED]:
            return
        if gate.remembers:
            note_promises(state, schedule, gate)
        counts[CHOSEN] = 0
        if bound is None or trust is None:
            choose_from_apart(jobs, rules, state, schedule, state.queue, counts[WAITING], now)
        else:
            choose_bounded(jobs, rules, state, schedule, bound, trust, now)
        start_chosen(jobs, rules, state, schedule, now)
        if bound is not None:
            count_starts(jobs, rules, state, bound)
        passed = counts[PASSED] != 0
        free = counts[FREE] > 0
        counts[FREE] += counts[HIDDEN]
        counts[PASSED] = counts[HIDDEN] = 0
        # nor may what has a reservation keep it once a limit stops it
        if not passed and not (free and stops_more(gate)):
            return
        if gate.remembers:
            take_promises_back(schedule, gate)


@compiled
def _look_at_machine(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    gate: Gate,
    now: float,
) -> None:
    """Move the machine on to a date."""
    counts = state.counts
    place = np.searchsorted(gate.steps, now, side="right")
    there = rules.processors
    if place:
        there = min(gate.sizes[place - 1], there)
    if there == counts[THERE]:
        return
    counts[FREE] += there - counts[THERE]
    counts[THERE] = there
    if not gate.remembers:
        return
    if bound is not None and rules.bounded:
        counts[ENDED] = 1
        profile = state.profile
        profile.times[0] = now
        profile.free[0] = there
        profile.counts[STEPS] = 1
        for index in range(counts[PLANNED]):
            job = state.plan[index]
            until = max(now, schedule.start[job] + jobs.walltime[job])
            take(profile, now, until, jobs.processors[job])
    elif rules.backfilling == CONSERVATIVE:
        counts[ANEW] = 1
