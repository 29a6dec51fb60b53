"""Ends of jobs."""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import CHANGES, CONSERVATIVE, FREE, NEVER, OVER
from pred_aware.engine.kernel.conservative import give_back
from pred_aware.engine.kernel.estimates import learn
from pred_aware.engine.kernel.nodes_room import given_back
from pred_aware.engine.kernel.running import unplan_job
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from pred_aware.simulator.ledger import EPSILON


@compiled
def end(jobs: Jobs, rules: Rules, state: State, schedule: Schedule, job: int, now: float) -> None:
    """Let a job end."""
    counts = state.counts
    start = schedule.start[job]
    counts[FREE] += given_back(state.nodes, job, jobs.processors[job])
    # in the far future a double is coarser than that
    schedule.end[job] = now if now > start else max(start + EPSILON, np.nextafter(start, NEVER))
    schedule.changes[counts[CHANGES]] = ~job
    counts[CHANGES] += 1
    schedule.over[counts[OVER]] = job
    counts[OVER] += 1
    if rules.plans:
        unplan_job(state, job)
    if rules.backfilling == CONSERVATIVE:
        give_back(jobs, state, job, now)
    learn(jobs, rules, state, job, now - start)
