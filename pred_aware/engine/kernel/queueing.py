"""The waiting jobs in their order."""

import numpy as np

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import (
    CONSERVATIVE,
    FCFS,
    FREE,
    LXF,
    MULTIFACTOR,
    NEVER,
    ORDERED,
    RANKED,
    SAF,
    SJF,
    WAITING,
    WFP,
)
from pred_aware.engine.kernel.priority import priority_key
from pred_aware.engine.kernel.priority_values import Priority
from pred_aware.engine.kernel.sorting import sort_by
from pred_aware.engine.kernel.values import Jobs, Rules, State


@compiled
def key_of(jobs: Jobs, rules: Rules, priority: Priority | None, job: int, now: float) -> float:
    """Return what the queue is sorted by, smallest first; see `schedulers.orders`.

    Any order is a weighted sum, most of one term.
    """
    key = 0.0
    for place in range(len(rules.terms)):
        if rules.weights[place]:
            if rules.terms[place] == MULTIFACTOR:
                part = priority_key(priority, job)
            elif rules.terms[place] == RANKED:
                part = jobs.rank[job]
            else:
                part = _key(jobs, rules.terms[place], rules.head_start, job, now)
            key += rules.weights[place] * part
    return NEVER if np.isnan(key) else key


@compiled
def _key(jobs: Jobs, order: int, head_start: float, job: int, now: float) -> float:
    estimate = jobs.queueing[job]
    if order == SJF:
        return estimate
    if order == SAF:
        return estimate * jobs.processors[job]
    if order == LXF:
        if estimate == NEVER:
            return -1.0
        return -((now - jobs.submit[job] + head_start + estimate) / estimate)
    if order == WFP:
        ratio = (now - jobs.submit[job]) / estimate
        return -(ratio * ratio * ratio * jobs.processors[job])
    # submissions count from 1
    return job + 1.0


@compiled
def by_number(rules: Rules) -> bool:
    """Say whether the queue itself is kept in the order of submission."""
    alone = len(rules.terms) == 1 and rules.terms[0] == FCFS
    # a sum may have it the other way round
    return rules.changes or (alone and rules.weights[0] > 0.0)


@compiled
def enqueue(jobs: Jobs, rules: Rules, state: State, job: int, now: float) -> None:
    """Put a job that is submitted into the queue."""
    queue = state.queue
    place = state.counts[WAITING]
    state.counts[WAITING] += 1
    if not by_number(rules):
        key = key_of(jobs, rules, state.priority, job, now)
        while place > 0 and key_of(jobs, rules, state.priority, queue[place - 1], now) > key:
            queue[place] = queue[place - 1]
            place -= 1
    queue[place] = job


@compiled
def put_back(jobs: Jobs, rules: Rules, state: State, job: int, now: float) -> None:
    """Put a job that was submitted before into the queue again."""
    queue, count = state.queue, state.counts[WAITING]
    numbers = by_number(rules)
    key = 0.0 if numbers else key_of(jobs, rules, state.priority, job, now)
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        other = queue[middle]
        theirs = 0.0 if numbers else key_of(jobs, rules, state.priority, other, now)
        if theirs < key or (theirs == key and other < job):
            low = middle + 1
        else:
            high = middle
    for place in range(count, low, -1):
        queue[place] = queue[place - 1]
    queue[low] = job
    state.counts[WAITING] = count + 1


@compiled
def put_in_order(
    jobs: Jobs, rules: Rules, state: State, items: Integers, count: int, now: float
) -> None:
    """Fill in `ordered` with jobs of the queue, where the order changes with time."""
    gather(jobs, rules, state, items, count, now)
    sort_by(state.keys, state.ordered, state.counts[ORDERED])


@compiled
def gather(jobs: Jobs, rules: Rules, state: State, items: Integers, count: int, now: float) -> None:
    """Fill in `ordered` and `keys`, by which it is to be sorted.

    Where nobody plans for several, of the jobs that have no room now the first is enough.
    """
    ordered, keys = state.ordered, state.keys
    free = state.counts[FREE]
    whole = rules.backfilling >= CONSERVATIVE or rules.reservations > 1
    found = 0
    blocked = -1
    for place in range(count):
        job = items[place]
        keys[job] = key_of(jobs, rules, state.priority, job, now)
        if whole or jobs.processors[job] <= free:
            ordered[found] = job
            found += 1
        elif blocked < 0 or keys[job] < keys[blocked]:
            blocked = job
    if blocked >= 0:
        ordered[found] = blocked
        found += 1
    state.counts[ORDERED] = found


@compiled
def sort_by_number(rules: Rules, state: State, items: Integers, count: int) -> None:
    """Sort jobs of the queue by their submission."""
    if by_number(rules):
        return
    for place in range(count):
        state.keys[items[place]] = 0.0
    sort_by(state.keys, items, count)


@compiled
def list_by_submission(rules: Rules, state: State, items: Integers, count: int) -> None:
    """Fill in `ordered` with jobs of the queue by their submission."""
    for place in range(count):
        state.ordered[place] = items[place]
    sort_by_number(rules, state, state.ordered, count)


@compiled
def take_out(state: State, marks: Floats | Integers, most: int) -> None:
    """Take so many jobs at most out of the queue whose mark, such as a start, is not negative."""
    queue, waiting = state.queue, state.counts[WAITING]
    place = kept = 0
    while most and place < waiting:
        job = queue[place]
        place += 1
        if marks[job] < 0:
            queue[kept] = job
            kept += 1
        else:
            most -= 1
    # those behind the last of them need not be looked at
    behind, forward = queue[place:waiting], queue[kept:]
    for index in range(len(behind)):
        forward[index] = behind[index]
    state.counts[WAITING] = kept + len(behind)
