"""The simulation of a policy on a machine that counts, where messages take no time.

What is to come out is defined by `pred_aware.simulator.no_delays` and `schedulers.policy.combined`.
"""

from pred_aware.engine.compiled import called_by_python, compiled
from pred_aware.engine.kernel.backfilling import choose_from
from pred_aware.engine.kernel.bound import choose_bounded, count_starts, end_bounded
from pred_aware.engine.kernel.codes import (
    ASKED,
    ASKS,
    CHOSEN,
    ESTIMATED,
    ESTIMATES,
    FAILED,
    FITS,
    KEEPS,
    NEVER,
    OVER,
    RUNNING,
    SUBMITTED,
    UNKNOWN,
    WAITING,
)
from pred_aware.engine.kernel.ends import end
from pred_aware.engine.kernel.estimates import correct, estimate, settle_before
from pred_aware.engine.kernel.priority import bring_up, note_submission
from pred_aware.engine.kernel.profile import FULL
from pred_aware.engine.kernel.queueing import enqueue
from pred_aware.engine.kernel.running import pop_end
from pred_aware.engine.kernel.starting import start_chosen
from pred_aware.engine.kernel.trust import compare
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State, Trust


@called_by_python
def simulate(  # noqa: C901, PLR0912 - the hot loop, in one piece
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
) -> None:
    """Simulate to the end; where jobs wait for ever or a correction fails, `counts` tells.

    Without a bound on waiting and trust both are ``None``: that is compiled by itself. Where
    estimates are asked for, it returns at each date of a submission, and goes on from there.
    """
    counts = state.counts
    submitted, number = counts[SUBMITTED], len(jobs.submit)
    corrects = rules.correction != KEEPS
    while not counts[FAILED]:
        now = jobs.submit[submitted] if submitted < number else NEVER
        if counts[RUNNING]:
            now = min(now, state.ends_at[state.ends[0]])
        if now == NEVER:
            break
        # what ended then was told before
        goes_on = counts[ESTIMATED] > submitted
        if corrects and not goes_on:
            settle_before(jobs, rules, state, schedule, now)
        while counts[RUNNING] and state.ends_at[state.ends[0]] == now:
            job = pop_end(state)
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
            _submit(jobs, rules, state, schedule, submitted, now)
            submitted += 1
        if counts[WAITING]:
            counts[CHOSEN] = 0
            bring_up(state.priority, now)
            if bound is None or trust is None:
                choose_from(jobs, rules, state, schedule, state.queue, counts[WAITING], now)
            else:
                choose_bounded(jobs, rules, state, schedule, bound, trust, now)
            start_chosen(jobs, rules, state, schedule, now)
            if bound is not None:
                count_starts(jobs, rules, state, bound)
        if corrects and rules.lead > 0.0:
            # one that has just started with a short estimate may be due at once
            correct(jobs, rules, state, schedule, now)
        if state.profile.counts[FULL] or state.around.counts[FULL]:
            counts[FAILED] = 1


@compiled
def _submit(
    jobs: Jobs, rules: Rules, state: State, schedule: Schedule, job: int, now: float
) -> None:
    if jobs.refused[job] == FITS:
        estimate(jobs, rules, state, job)
        schedule.first_estimate[job] = jobs.running[job]
        if rules.plans and (jobs.running[job] == NEVER or jobs.backfilling[job] == NEVER):
            jobs.refused[job] = UNKNOWN
    if jobs.refused[job] == FITS:
        note_submission(state.priority, job, now)
        enqueue(jobs, rules, state, job, now)
    else:
        schedule.over[state.counts[OVER]] = job
        state.counts[OVER] += 1
