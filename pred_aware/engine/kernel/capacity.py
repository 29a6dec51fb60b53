"""A counted machine of which the size changes, as `schedulers.machine.capacity` defines it."""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import ANEW, CONSERVATIVE, ENDED, FREE, PLANNED, THERE
from pred_aware.engine.kernel.profile import begin, take
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_calls import note_changed
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, Schedule, State


@compiled
def look_at_machine(
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
    note_changed(state.slurm, now)
    if bound is not None and rules.bounded:
        counts[ENDED] = 1
        profile = state.profile
        begin(profile, there, now)
        for index in range(counts[PLANNED]):
            job = state.plan[index]
            until = max(now, schedule.start[job] + jobs.walltime[job])
            take(profile, now, until, jobs.processors[job])
    elif rules.backfilling == CONSERVATIVE:
        counts[ANEW] = 1
