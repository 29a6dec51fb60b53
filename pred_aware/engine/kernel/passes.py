"""Passes through the queue."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.backfilling import choose_from
from pred_aware.engine.kernel.backlog import starts_working
from pred_aware.engine.kernel.bound import choose_bounded, count_overtaken
from pred_aware.engine.kernel.codes import CHANGES, CHOSEN, STARTS, WAITING
from pred_aware.engine.kernel.queueing import take_out
from pred_aware.engine.kernel.running import plan_job, push_end
from pred_aware.engine.kernel.trust import keep_estimates
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State, Trust


@compiled
def go_through(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound,
    trust: Trust,
    now: float,
) -> None:
    """Start the jobs that the backfilling chooses."""
    counts = state.counts
    if not counts[WAITING]:
        return
    counts[CHOSEN] = 0
    if rules.bounded:
        choose_bounded(jobs, rules, state, schedule, bound, trust, now)
    else:
        keep_estimates(jobs, state, trust, state.queue, counts[WAITING])
        choose_from(jobs, rules, state, schedule, state.queue, counts[WAITING], now)
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
        if rules.bounded:
            starts_working(rules, bound, job)
    if counts[CHOSEN]:
        take_out(state, schedule.start)
        if rules.bounded:
            count_overtaken(jobs, rules, state, bound)
