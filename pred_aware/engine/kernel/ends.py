"""Ends of jobs, and of those that are rejected."""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.by_places import leave_place
from pred_aware.engine.kernel.codes import CHANGES, CONSERVATIVE, FREE, NEVER, OVER
from pred_aware.engine.kernel.conservative import give_back
from pred_aware.engine.kernel.estimates import learn
from pred_aware.engine.kernel.gate_books import forget
from pred_aware.engine.kernel.nodes_room import given_back
from pred_aware.engine.kernel.pbs import is_gone
from pred_aware.engine.kernel.priority import note_end
from pred_aware.engine.kernel.running import unplan_job
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_calls import note_ended
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
    _be_over(state, schedule, job)
    if rules.plans:
        unplan_job(state, job)
    if rules.backfilling == CONSERVATIVE:
        give_back(jobs, state, state.beside, job, now)
    leave_place(state.timetable, job, jobs.processors[job], now)
    learn(jobs, rules, state, job, now - start)
    note_end(state.priority, job, now)
    is_gone(state.pbs, jobs, job, start)
    note_ended(state.slurm, state.nodes, job)


@compiled
def reject(
    jobs: Jobs, state: State, schedule: Schedule, gate: Gate | None, job: int, why: int
) -> None:
    """Reject a job that was submitted."""
    if gate is not None:
        forget(gate, job)
    jobs.refused[job] = why
    _be_over(state, schedule, job)


@compiled
def _be_over(state: State, schedule: Schedule, job: int) -> None:
    schedule.over[state.counts[OVER]] = job
    state.counts[OVER] += 1
