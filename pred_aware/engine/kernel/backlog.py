"""The wait that the backlog makes, and what walltimes are worth; see `schedulers.backfilling`.

What is computed is defined by `schedulers.backfilling.protection`.
"""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import (
    BACKLOG,
    FAILED,
    LOOKS,
    NEVER,
    REQUESTED,
    SETTLED,
    UNSETTLED,
    USED,
    WAIT,
    WAITING,
)
from pred_aware.engine.kernel.queueing import key_of
from pred_aware.engine.kernel.sorting import sort_by
from pred_aware.engine.kernel.values import Bound, Jobs, Rules, State


@compiled
def worth(bound: Bound) -> float:
    """Return the part of their walltimes that the jobs that have ended used."""
    sums = bound.sums
    return min(1.0, sums[USED] / sums[REQUESTED]) if sums[REQUESTED] else 1.0


@compiled
def look(jobs: Jobs, rules: Rules, state: State, bound: Bound, now: float) -> None:
    """Count the jobs that wait for the first time, and make the wait anew."""
    if np.isnan(rules.share):
        return
    queue = state.queue
    sums, come, found = bound.sums, bound.others, 0
    for place in range(state.counts[WAITING]):
        job = queue[place]
        if bound.first[job] < 0:
            come[found] = job
            found += 1
            if rules.changes:
                state.keys[job] = key_of(jobs, rules, state.priority, job, now)
    if found and bound.counts[LOOKS] == len(bound.backlogs):
        # jobs that a site's rules let wait and wait no more are seen anew
        state.counts[FAILED] = 1
    elif found:
        if rules.changes:
            # so that they are summed up in their order
            sort_by(state.keys, come, found)
        part = worth(bound)
        for place in range(found):
            job = come[place]
            length = 0.0
            if jobs.walltime[job] < NEVER:
                length = part * jobs.walltime[job]
            elif jobs.backfilling[job] < NEVER:
                length = jobs.backfilling[job]
            bound.first[job] = bound.counts[LOOKS]
            bound.work[job] = jobs.processors[job] * length
            sums[BACKLOG] += bound.work[job]
        bound.backlogs[bound.counts[LOOKS]] = sums[BACKLOG]
        bound.firsts[bound.counts[LOOKS]] = found
        bound.counts[LOOKS] += 1
    largest = sums[SETTLED]
    for place in range(bound.counts[UNSETTLED], bound.counts[LOOKS]):
        largest = max(largest, bound.backlogs[place])
    sums[WAIT] = max(rules.least, rules.share * largest / rules.processors)


@compiled
def starts_working(rules: Rules, bound: Bound, job: int) -> None:
    """Let a job that starts count no longer."""
    if not np.isnan(rules.share):
        bound.after[job] = bound.counts[LOOKS]
        bound.sums[BACKLOG] -= bound.work[job]


@compiled
def worked(jobs: Jobs, rules: Rules, bound: Bound, job: int, run_time: float) -> None:
    """Learn the work of a job that has ended."""
    sums, size = bound.sums, jobs.processors[job]
    if jobs.walltime[job] < NEVER:
        sums[USED] += size * run_time
        sums[REQUESTED] += size * jobs.walltime[job]
    if np.isnan(rules.share):
        return
    first = bound.first[job]
    change = size * run_time - bound.work[job]
    for place in range(first, bound.after[job]):
        bound.backlogs[place] += change
    _settle(bound, first)


@compiled
def withdrawn_from(rules: Rules, bound: Bound, job: int) -> None:
    """Let a job that waits no longer for room count no more; it may come back."""
    first = bound.first[job]
    if not np.isnan(rules.share) and first >= 0:
        bound.first[job] = -1
        bound.sums[BACKLOG] -= bound.work[job]
        _settle(bound, first)


@compiled
def _settle(bound: Bound, gone: int) -> None:
    """Fix the backlogs that no job can change any more."""
    bound.firsts[gone] -= 1
    place = bound.counts[UNSETTLED]
    while place < bound.counts[LOOKS] and not bound.firsts[place]:
        bound.sums[SETTLED] = max(bound.sums[SETTLED], bound.backlogs[place])
        place += 1
    bound.counts[UNSETTLED] = place
