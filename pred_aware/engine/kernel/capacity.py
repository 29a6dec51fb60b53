"""A machine of which the size changes, as `schedulers.machine.capacity` defines it.

What a site's nodes lose is defined by `schedulers.machine.node_dates`.
"""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import ANEW, CONSERVATIVE, ENDED, FREE, KEPT, PLANNED, THERE
from pred_aware.engine.kernel.nodes_fit import change
from pred_aware.engine.kernel.nodes_room import free_now
from pred_aware.engine.kernel.nodes_values import CHANGED, LOST, PRESENT, PROCESSORS, ROUND, Nodes
from pred_aware.engine.kernel.over_time import begin_idle, hold
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
    if not _has_changed(rules, counts, state.nodes, gate, now) or not gate.remembers:
        return
    note_changed(state.slurm, now)
    if bound is not None and rules.bounded:
        counts[ENDED], counts[KEPT] = 1, 0
        begin_idle(state, state.profile, state.over, now)
        for index in range(counts[PLANNED]):
            job = state.plan[index]
            until = max(now, schedule.start[job] + jobs.walltime[job])
            hold(state.profile, state.over, job, jobs.processors[job], now, until)
    elif rules.backfilling == CONSERVATIVE:
        counts[ANEW] = 1


@compiled
def _has_changed(
    rules: Rules, counts: Integers, nodes: Nodes | None, gate: Gate, now: float
) -> bool:
    """Let what is there be there; say whether that has changed."""
    place = np.searchsorted(gate.steps, now, side="right")
    if nodes is not None:
        if not _have_changed(nodes, int(place)):
            return False
        counts[FREE] = free_now(nodes)
        return True
    there = rules.processors
    if place:
        there = min(gate.sizes[place - 1], there)
    if there == counts[THERE]:
        return False
    counts[FREE] += there - counts[THERE]
    counts[THERE] = there
    return True


@compiled_apart
def _have_changed(nodes: Nodes, changed: int) -> bool:
    """Take away what is lost after so many changes; see `schedulers.machine.node_dates`."""
    counts = nodes.counts
    if changed == counts[CHANGED]:
        return False
    _lose(nodes, -1)
    counts[CHANGED] = changed
    _lose(nodes, 1)
    counts[ROUND] += 1
    return True


@compiled
def _lose(nodes: Nodes, sign: int) -> None:
    """Take away what is lost, or give it back, if the sign is -1."""
    changed = nodes.counts[CHANGED]
    first, last = nodes.lost_at[changed], nodes.lost_at[changed + 1]
    for entry in range(first, last):
        node, lost = nodes.losses[entry, 0], nodes.losses[entry, 1]
        change(nodes, PRESENT, PROCESSORS, node, -sign * lost)
    nodes.counts[LOST] = last > first
