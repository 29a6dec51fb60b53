"""Starts of the jobs that a pass has chosen."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import CHANGES, CHOSEN, STARTS
from pred_aware.engine.kernel.pbs import goes
from pred_aware.engine.kernel.priority import note_start
from pred_aware.engine.kernel.queueing import take_out
from pred_aware.engine.kernel.running import plan_job, push_end
from pred_aware.engine.kernel.slurm_calls import note_started
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled
def start_chosen(jobs: Jobs, rules: Rules, state: State, schedule: Schedule, now: float) -> None:
    """Start the jobs that a pass has chosen."""
    counts = state.counts
    for place in range(counts[CHOSEN]):
        job = state.chosen[place]
        schedule.start[job] = now
        schedule.changes[counts[CHANGES]] = job
        counts[CHANGES] += 1
        state.started[job] = counts[STARTS]
        counts[STARTS] += 1
        state.ends_at[job] = now + jobs.duration[job]
        push_end(state, job)
        note_start(state.priority, job, now)
        goes(state.pbs, jobs, job, now)
        note_started(state.slurm, state.nodes, job)
        if rules.plans and state.planned[job] < 0.0:
            plan_job(state, job, now + jobs.running[job])
    if counts[CHOSEN]:
        take_out(state, schedule.start, counts[CHOSEN])
