"""Estimates that a rule makes of the jobs that have ended, and corrections of those that ran out.

What is computed is defined by `predictors.rules`, `predictors.estimate` and
`schedulers.corrections`; when corrections are due, by `schedulers.policy.overruns`.
"""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import (
    ANEW,
    DOUBLING,
    FAILED,
    KEEPS,
    LAST_TWO,
    MULTIPLES,
    NEVER,
    PLANNED,
    POWER,
    SIMPLE,
    TO_WALLTIME,
)
from pred_aware.engine.kernel.running import plan_job, unplan_job
from pred_aware.engine.kernel.slurm_calls import come_again
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from predictors.estimate import SHORTEST
from schedulers.corrections.power import FIRST_STEP
from schedulers.corrections.simple import STEP
from schedulers.corrections.tsafrir import STEPS

_MOST_STEPS = 1000


@compiled
def estimate(jobs: Jobs, rules: Rules, state: State, job: int) -> None:
    """Estimate a job that is submitted, for the roles that the rule predicts."""
    if rules.predicts != LAST_TWO:
        return
    walltime, user = jobs.walltime[job], jobs.user[job]
    seconds = state.mean[user] if user >= 0 else np.nan
    if np.isnan(seconds):
        seconds = walltime if walltime < NEVER else rules.default
    elif seconds > walltime:
        seconds = walltime
    elif seconds < SHORTEST:
        seconds = min(SHORTEST, walltime)
    if rules.queueing:
        jobs.queueing[job] = seconds
    if rules.backfill:
        jobs.backfilling[job] = seconds
    if rules.running:
        jobs.running[job] = seconds


@compiled
def learn(jobs: Jobs, rules: Rules, state: State, job: int, run_time: float) -> None:
    """Learn from a job that has ended."""
    user = jobs.user[job]
    if rules.predicts != LAST_TWO or user < 0:
        return
    run_time = min(run_time, jobs.walltime[job])
    before = state.last[user]
    state.last[user] = run_time
    if not np.isnan(before):
        state.mean[user] = (before + run_time) / 2


@compiled
def settle_before(jobs: Jobs, rules: Rules, state: State, schedule: Schedule, now: float) -> None:
    """Correct what was due before a date, as of when it was due."""
    if rules.correction == MULTIPLES:
        # of many corrections of one job, a moment before the next, only the last one counts
        if state.counts[PLANNED] and state.plan_ends[0] - rules.lead < now:
            _correct_due(jobs, rules, state, schedule, now, True)
        return
    while not state.counts[FAILED]:
        due = _first_due(jobs, rules, state, now)
        if due == NEVER:
            return
        correct(jobs, rules, state, schedule, due)


@compiled
def _first_due(jobs: Jobs, rules: Rules, state: State, now: float) -> float:
    for place in range(state.counts[PLANNED]):
        job = state.plan[place]
        due = state.planned[job] - rules.lead
        if due >= now:
            return NEVER
        if due > state.settled[0] and jobs.running[job] < jobs.walltime[job]:
            return due
    return NEVER


@compiled
def correct(jobs: Jobs, rules: Rules, state: State, schedule: Schedule, now: float) -> None:
    """Correct each running job whose correction is due."""
    if rules.correction == KEEPS:
        return
    state.settled[0] = now
    if state.counts[PLANNED] and state.planned[state.plan[0]] - rules.lead <= now:
        _correct_due(jobs, rules, state, schedule, now, False)


@compiled_apart
def _correct_due(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    now: float,
    before: bool,  # noqa: FBT001 - compiled
) -> None:
    """Correct those that are due at a date, or were before it."""
    due, found = state.able, 0
    for place in range(state.counts[PLANNED]):
        job = state.plan[place]
        at = state.planned[job] - rules.lead
        if at > now or (before and at == now):
            break
        if jobs.running[job] < jobs.walltime[job]:
            due[found] = job
            found += 1
    for index in range(found):
        job = due[index]
        elapsed, longest = now - schedule.start[job], jobs.walltime[job]
        seconds = _corrected(jobs, rules, schedule, job, elapsed)
        if not (elapsed < seconds <= longest or elapsed >= seconds == longest):
            # no answer of a correction: the Python parts say what is wrong
            state.counts[FAILED] = 1
            return
        unplan_job(state, job)
        jobs.running[job] = seconds
        schedule.corrections[job] += 1
        plan_job(state, job, schedule.start[job] + seconds)
        state.counts[ANEW] = 1
    if found:
        come_again(state.slurm, now)


@compiled
def _corrected(  # noqa: PLR0911 - one for each correction
    jobs: Jobs, rules: Rules, schedule: Schedule, job: int, elapsed: float
) -> float:
    """Return the new estimate of a job that outlives its own."""
    seconds, walltime = jobs.running[job], jobs.walltime[job]
    done = schedule.corrections[job]
    if rules.correction == TO_WALLTIME:
        return walltime if walltime < NEVER else 2.0 * max(seconds, elapsed)
    if rules.correction == DOUBLING:
        return _bounded(2.0 * seconds, seconds, elapsed, walltime)
    if rules.correction == SIMPLE:
        return _bounded(seconds + STEP, seconds, elapsed, walltime)
    if rules.correction == MULTIPLES:
        soft = schedule.first_estimate[job]
        longer = soft * (1.0 + elapsed // soft)
        longer = longer + soft if longer <= seconds else longer
        return _bounded(longer, seconds, elapsed, walltime)
    if rules.correction == POWER:
        step = FIRST_STEP * 2.0 ** min(done, _MOST_STEPS)
        return _bounded(seconds + step, seconds, elapsed, walltime)
    for place in range(done, len(STEPS)):
        longer = schedule.first_estimate[job] + STEPS[place]
        if longer > elapsed:
            return _bounded(longer, seconds, elapsed, walltime)
    if walltime < NEVER:
        return walltime
    return _bounded(seconds + STEPS[-1], seconds, elapsed, walltime)


@compiled
def _bounded(longer: float, seconds: float, elapsed: float, walltime: float) -> float:
    """Return a longer estimate, at most the walltime."""
    if longer <= elapsed:
        longer = elapsed + (longer - seconds)
    return min(longer, walltime)
