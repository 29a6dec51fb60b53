"""The simulation of a policy on a machine that counts, where messages take no time.

What is to come out is defined by `pred_aware.simulator.no_delays` and `schedulers.policy.combined`;
under the rules of a site by `schedulers.policy.on_site`.
"""

from pred_aware.engine.compiled import called_by_python, compiled
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.bound import end_bounded
from pred_aware.engine.kernel.by_places import has_too_few_rows
from pred_aware.engine.kernel.calendar import ask_for_pass, is_called, next_pass
from pred_aware.engine.kernel.codes import (
    ASKED,
    ASKS,
    ESTIMATED,
    ESTIMATES,
    FAILED,
    FITS,
    HOURS,
    KEEPS,
    MORE_ROOM,
    NEVER,
    NOW,
    OVER,
    RUNNING,
    SUBMITTED,
    UNKNOWN,
    WAITING,
)
from pred_aware.engine.kernel.ends import end, reject
from pred_aware.engine.kernel.estimates import correct, estimate, settle_before
from pred_aware.engine.kernel.gate import gave_back
from pred_aware.engine.kernel.gate_books import book, is_held, is_too_late
from pred_aware.engine.kernel.gate_calls import ask_for_call, next_call, passes, wakes
from pred_aware.engine.kernel.gate_in_time import reject_late
from pred_aware.engine.kernel.nodes_room import has_failed, has_too_few_steps, is_full
from pred_aware.engine.kernel.passing import go_through, go_through_on_site
from pred_aware.engine.kernel.pbs import comes
from pred_aware.engine.kernel.priority import note_submission
from pred_aware.engine.kernel.profile import is_full_of_steps
from pred_aware.engine.kernel.queueing import enqueue
from pred_aware.engine.kernel.running import pop_end
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_calls import (
    ask_for_slurm,
    has_no_room_left,
    is_called_for_slurm,
    next_of_slurm,
)
from pred_aware.engine.kernel.trust import compare
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State, Trust
from pred_aware.engine.sources import CODE


@called_by_python(CODE)
def simulate(  # noqa: C901, PLR0912, PLR0915 - the hot loop, in one piece
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    gate: Gate | None,
) -> None:
    """Simulate to the end; where jobs wait for ever or a correction fails, `counts` tells.

    Without a bound on waiting and trust both are ``None``, without a site its `gate`, that of the
    state: each is compiled by itself. Where estimates are asked for, it returns at each date of a
    submission, and where hours of windows are not known, and goes on from there.
    """
    counts = state.counts
    submitted, number = counts[SUBMITTED], len(jobs.submit)
    corrects = rules.correction != KEEPS
    while not counts[FAILED]:
        now = jobs.submit[submitted] if submitted < number else NEVER
        if counts[RUNNING]:
            now = min(now, state.ends_at[state.ends[0]])
        now = min(now, next_pass(state.calendar), next_of_slurm(state.slurm))
        if gate is not None:
            now = min(now, next_call(gate))
        if now == NEVER:
            break
        if state.timetable is not None:
            active = _most_waiting(jobs, counts, submitted, now) + counts[RUNNING]
            if has_too_few_rows(state.timetable, active, rules.processors):
                counts[SUBMITTED], counts[ASKS] = submitted, MORE_ROOM
                return
        if gate is not None:
            if now >= gate.windows.known[0]:
                counts[SUBMITTED], counts[ASKS] = submitted, HOURS
                return
            waiting = _most_waiting(jobs, counts, submitted, now)
            if is_full(state.nodes, rules.processors) or has_too_few_steps(
                rules, state.over, state.beside, counts, waiting
            ):
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
            if gate is not None:
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
        while submitted < number and jobs.submit[submitted] == now:
            _submit(jobs, rules, state, schedule, gate, submitted, now)
            submitted += 1
        acts |= submits
        # asked first: a pass that was due has come, whatever else has happened
        called = is_called(state.calendar, now) or is_called_for_slurm(state.slurm, now)
        passing = acts or called
        woken = False
        if gate is not None:
            woken = wakes(gate, now)
            if passing:
                _go_through_on_site(jobs, rules, state, schedule, bound, trust, gate, now, woken)
        elif passing and counts[WAITING]:
            go_through(jobs, rules, state, schedule, bound, trust, now)
        if corrects and rules.lead > 0.0:
            # one that has just started with a short estimate may be due at once
            correct(jobs, rules, state, schedule, now)
        ask_for_pass(state.calendar, counts[WAITING], now)
        ask_for_slurm(state.slurm, counts, rules.changes, now)
        if gate is not None:
            if woken and not acts:
                _go_through_on_site(jobs, rules, state, schedule, bound, trust, gate, now, woken)
                ask_for_pass(state.calendar, counts[WAITING], now)
                ask_for_slurm(state.slurm, counts, rules.changes, now)
            ask_for_call(state, gate, now)
        full = is_full_of_steps(state.profile) or is_full_of_steps(state.around)
        full = full or has_failed(state.nodes, state.over, state.beside)
        if full or has_no_room_left(state.slurm):
            counts[FAILED] = 1


@compiled
def _most_waiting(jobs: Jobs, counts: Integers, submitted: int, now: float) -> int:
    """Return how many jobs may wait at a date, those that rules stop among them."""
    last = submitted
    while last < len(jobs.submit) and jobs.submit[last] == now:
        last += 1
    return last - counts[OVER] - counts[RUNNING]


@compiled
def _go_through_on_site(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    gate: Gate,
    now: float,
    woken: bool,  # noqa: FBT001 - compiled
) -> None:
    if is_too_late(gate, now):
        reject_late(jobs, rules, state, schedule, bound, gate, now)
    if passes(gate, now, woken):
        go_through_on_site(jobs, rules, state, schedule, bound, trust, gate, now)


@compiled
def _submit(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    gate: Gate | None,
    job: int,
    now: float,
) -> None:
    if gate is not None:
        above = book(gate, job, now)
        if above != FITS:
            jobs.refused[job] = above
    if jobs.refused[job] == FITS:
        estimate(jobs, rules, state, job)
        schedule.first_estimate[job] = jobs.running[job]
        if rules.plans and (jobs.running[job] == NEVER or jobs.backfilling[job] == NEVER):
            jobs.refused[job] = UNKNOWN
    if jobs.refused[job] != FITS:
        reject(jobs, state, schedule, gate, job, jobs.refused[job])
        return
    note_submission(state.priority, job, now)
    comes(state.pbs, job)
    if gate is None or not is_held(gate, job, now):
        enqueue(jobs, rules, state, job, now)
