"""OpenPBS's order of the waiting jobs, as `schedulers.orders.pbs` defines it, where places change.

Where a policy has another order, or knows all places beforehand, there is none, and what asks for
it is not even compiled.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats
from pred_aware.engine.kernel.codes import ARRANGED_AT, ITEMS, LAST_CYCLE, OLD
from pred_aware.engine.kernel.formula import worth_of
from pred_aware.engine.kernel.limits import count_in, count_out, is_above
from pred_aware.engine.kernel.pbs_values import Pbs
from pred_aware.engine.kernel.values import Jobs


@compiled
def comes(pbs: Pbs | None, job: int) -> None:
    """Let a job wait from now on."""
    if pbs is None:
        return
    pbs.items[pbs.counts[ITEMS]] = job
    pbs.counts[ITEMS] += 1
    pbs.there[job] = pbs.gains[job] = pbs.counts[OLD] = 1
    # so that at that date it has 0
    pbs.time[job] = pbs.at[LAST_CYCLE] - pbs.since[job]


@compiled
def goes(pbs: Pbs | None, jobs: Jobs, job: int, now: float) -> None:
    """Let a job wait no longer that starts."""
    if pbs is None:
        return
    pbs.there[job] = 0
    pbs.counts[OLD] = 1
    if pbs.kind[job] >= 0:
        for entry in range(pbs.begins[pbs.kind[job]], pbs.begins[pbs.kind[job] + 1]):
            counter, amount = pbs.asked.counter[entry], pbs.asked.amount[entry]
            count_in(pbs.counters, counter, amount, jobs.processors[job], now, 0)


@compiled
def is_gone(pbs: Pbs | None, jobs: Jobs, job: int, start: float) -> None:
    """Count a job no longer that has ended."""
    if pbs is None:
        return
    pbs.counts[OLD] = 1
    if pbs.kind[job] >= 0:
        for entry in range(pbs.begins[pbs.kind[job]], pbs.begins[pbs.kind[job] + 1]):
            counter, amount = pbs.asked.counter[entry], pbs.asked.amount[entry]
            count_out(pbs.counters, counter, amount, jobs.processors[job], start, 0)


@compiled
def arrange(pbs: Pbs | None, rank: Floats, now: float) -> None:
    """Fill in the ranks of the waiting jobs at a date, where they may have become others."""
    if pbs is not None and (pbs.counts[OLD] or (pbs.moves and now != pbs.at[ARRANGED_AT])):
        _arrange(pbs, rank, now)


@compiled_apart
def _arrange(pbs: Pbs, rank: Floats, now: float) -> None:
    _look(pbs, now)
    _sort(pbs)
    if len(pbs.levels):
        _take_turns(pbs)
        _sort(pbs)
    count = pbs.counts[ITEMS]
    if pbs.ages and len(pbs.before):
        _cycle(pbs, now)
    for place in range(count):
        rank[pbs.items[place]] = place
    pbs.counts[OLD] = 0
    pbs.at[ARRANGED_AT] = now


@compiled
def _look(pbs: Pbs, now: float) -> None:
    """Fill in what the jobs that wait are sorted by."""
    items, keys, count = pbs.items, pbs.keys, 0
    eligible = pbs.parts[len(pbs.parts) - 1]
    since = now - pbs.at[LAST_CYCLE] if pbs.ages else 0.0
    for place in range(pbs.counts[ITEMS]):
        job = items[place]
        if not pbs.there[job]:
            continue
        items[count] = job
        count += 1
        if pbs.ages:
            if since > 0.0 and pbs.gains[job]:
                pbs.time[job] += since
            eligible[job] = max(0.0, pbs.time[job])
        if now - pbs.since[job] > pbs.starves_after:
            keys[0, job], keys[1, job], keys[2, job] = -1.0, pbs.since[job], job
            continue
        keys[0, job] = pbs.queue[job] if pbs.by_queue else 0.0
        keys[1, job] = -worth_of(pbs.steps, pbs.parts, pbs.stack, job) if len(pbs.steps) else 0.0
        keys[2, job] = pbs.behind[job]
    pbs.counts[ITEMS] = count
    if since > 0.0:
        pbs.at[LAST_CYCLE] = now


@compiled
def _before(keys: Floats, one: int, other: int) -> bool:
    if keys[0, one] != keys[0, other]:
        return keys[0, one] < keys[0, other]
    if keys[1, one] != keys[1, other]:
        return keys[1, one] < keys[1, other]
    return keys[2, one] < keys[2, other]


@compiled_apart
def _sort(pbs: Pbs) -> None:
    """Sort the waiting jobs, which mostly are in their order but for a few, by Shell's method."""
    items, keys, count = pbs.items, pbs.keys, pbs.counts[ITEMS]
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for first in range(gap, count):
            job, place = items[first], first
            while place >= gap and _before(keys, job, items[place - gap]):
                items[place] = items[place - gap]
                place -= gap
            items[place] = job
        gap //= 3


@compiled
def _take_turns(pbs: Pbs) -> None:
    """Let the queues of a level take turns: by level, turn, and the order of the queues."""
    for queue in range(len(pbs.turns)):
        pbs.turns[queue] = 0
    for place in range(pbs.counts[ITEMS]):
        job = pbs.items[place]
        queue = pbs.queue[job]
        if pbs.keys[0, job] >= 0.0:
            pbs.keys[0, job], pbs.keys[1, job] = pbs.levels[queue], pbs.turns[queue]
            pbs.keys[2, job] = queue
            pbs.turns[queue] += 1


@compiled
def _cycle(pbs: Pbs, now: float) -> None:
    """Settle who gains from now on: who is under the limits of its owner, with all before it."""
    for counter in range(len(pbs.before)):
        pbs.before[counter] = 0.0
    for place in range(pbs.counts[ITEMS]):
        job = pbs.items[place]
        if pbs.kind[job] < 0:
            pbs.gains[job] = 1
            continue
        first, last = pbs.begins[pbs.kind[job]], pbs.begins[pbs.kind[job] + 1]
        pbs.gains[job] = 1
        for entry in range(first, last):
            counter, amount = pbs.asked.counter[entry], pbs.asked.amount[entry]
            if is_above(pbs.counters, counter, pbs.before[counter] + amount, now):
                pbs.gains[job] = 0
        for entry in range(first, last):
            pbs.before[pbs.asked.counter[entry]] += pbs.asked.amount[entry]
