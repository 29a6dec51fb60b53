"""The waiting jobs in their order."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import (
    CONSERVATIVE,
    FREE,
    LXF,
    NEVER,
    ORDERED,
    SAF,
    SJF,
    WAITING,
    WFP,
)
from pred_aware.engine.kernel.sorting import sort_by
from pred_aware.engine.kernel.values import Floats, Jobs, Rules, State


@compiled
def key_of(jobs: Jobs, rules: Rules, job: int, now: float) -> float:
    """Return what the queue is sorted by, smallest first; see `schedulers.orders`.

    First come, first served has one key for all: ties are broken by submission.
    """
    estimate = jobs.queueing[job]
    if rules.order == SJF:
        return estimate
    if rules.order == SAF:
        return estimate * jobs.processors[job]
    if rules.order == LXF:
        if estimate == NEVER:
            return -1.0
        return -((now - jobs.submit[job] + rules.head_start + estimate) / estimate)
    if rules.order == WFP:
        ratio = (now - jobs.submit[job]) / estimate
        return -(ratio * ratio * ratio * jobs.processors[job])
    return 0.0


@compiled
def changes(rules: Rules) -> bool:
    """Say whether the order of two jobs may change while they wait."""
    return rules.order in (LXF, WFP)


@compiled
def enqueue(jobs: Jobs, rules: Rules, state: State, job: int, now: float) -> None:
    """Put a job that is submitted into the queue."""
    queue = state.queue
    place = state.counts[WAITING]
    state.counts[WAITING] += 1
    if rules.order in (SJF, SAF):
        key = key_of(jobs, rules, job, now)
        while place > 0 and key_of(jobs, rules, queue[place - 1], now) > key:
            queue[place] = queue[place - 1]
            place -= 1
    queue[place] = job


@compiled
def put_in_order(jobs: Jobs, rules: Rules, state: State, now: float) -> None:
    """Fill in `ordered`, where the order changes with time.

    Where nobody plans for all, of the jobs that have no room now the first is enough.
    """
    queue, ordered, keys = state.queue, state.ordered, state.keys
    free = state.counts[FREE]
    whole = rules.backfilling == CONSERVATIVE
    count = 0
    blocked = -1
    for place in range(state.counts[WAITING]):
        job = queue[place]
        keys[job] = key_of(jobs, rules, job, now)
        if whole or jobs.processors[job] <= free:
            ordered[count] = job
            count += 1
        elif blocked < 0 or keys[job] < keys[blocked]:
            blocked = job
    if blocked >= 0:
        ordered[count] = blocked
        count += 1
    sort_by(keys, ordered, count)
    state.counts[ORDERED] = count


@compiled
def take_out(state: State, start: "Floats") -> None:
    """Take the jobs that have started out of the queue."""
    queue = state.queue
    kept = 0
    for place in range(state.counts[WAITING]):
        job = queue[place]
        if start[job] < 0.0:
            queue[kept] = job
            kept += 1
    state.counts[WAITING] = kept
