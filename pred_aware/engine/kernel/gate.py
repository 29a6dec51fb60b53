"""The gate of a site, as `schedulers.site.gate` defines it: whom its rules stop.

Where a policy has no site there is none, and what asks for it is not even compiled.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import (
    BY_HOLD,
    FREE,
    HIDDEN,
    NOW,
    PASSED,
    STOPPED,
    TOUCHED,
    UNSURE,
)
from pred_aware.engine.kernel.limits import count_in, count_out, is_above
from pred_aware.engine.kernel.linked import AFTER, FIRST, append, remove
from pred_aware.engine.kernel.nodes_room import given_back
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.values import Jobs, State


@compiled
def stops(gate: Gate | None, counts: Integers, job: int) -> bool:
    """Say whether a rule stops a job of the queue, with all that was taken in this pass.

    That ends the pass.
    """
    if gate is None:
        return False
    if counts[PASSED]:
        return True
    if not gate.counts[UNSURE] or not _is_stopped(gate, job):
        return False
    counts[PASSED] = 1
    counts[HIDDEN], counts[FREE] = counts[FREE], 0
    return True


@compiled
def is_limited(gate: Gate | None, job: int) -> bool:
    """Say whether a limit stops a job of the queue, as `stops` does, in a pass that goes on."""
    if gate is None:
        return False
    return gate.counts[UNSURE] != 0 and _is_stopped(gate, job)


@compiled_apart
def _is_stopped(gate: Gate, job: int) -> bool:
    alike = gate.jobs.alike[job]
    if alike < 0 or not gate.alikes.unsure[alike]:
        return False
    for entry in range(gate.alikes.stopping[alike], gate.alikes.stopping[alike + 1]):
        counter, amount = gate.stopping.counter[entry], gate.stopping.amount[entry]
        if is_above(gate.counters, counter, amount, gate.at[NOW]):
            touch(gate, alike)
            return True
    return False


@compiled
def took(gate: Gate | None, jobs: Jobs, job: int) -> None:
    """Count a job for which room is taken."""
    if gate is not None and gate.jobs.alike[job] >= 0:
        _count(gate, job, jobs.processors[job], jobs.submit[job])


@compiled_apart
def _count(gate: Gate, job: int, processors: int, submit: float) -> None:
    alikes, stopping, counters, now = gate.alikes, gate.stopping, gate.counters, gate.at[NOW]
    alike = gate.jobs.alike[job]
    for place in range(alikes.counting[alike], alikes.counting[alike + 1]):
        counter = gate.counting.counter[place]
        count_in(
            counters, counter, _amount(gate, place, job), processors, now, _slot(gate, place, job)
        )
        entry = gate.asking.ends[counter, FIRST]
        while entry >= 0:
            other, amount = stopping.alike[entry], stopping.amount[entry]
            # nearly always it is far from filled
            filled = counters.used[counter] + amount > counters.most[counter]
            if filled and alikes.rule[other] < 0 and is_above(counters, counter, amount, now):
                touch(gate, other)
                doubt(gate, other)
            entry = gate.asking.links[entry, AFTER]
    leave(gate, job, alike)
    begin, first = alikes.rules[alike], gate.jobs.rules[job]
    for slot in range(begin, alikes.rules[alike + 1]):
        own = first + slot - begin
        if gate.waited.rank[slot] >= 0:
            gate.jobs.stopped[own] = gate.waited.seconds[slot] - gate.jobs.had_waited[own]
        if gate.waited.rule[slot] == BY_HOLD and gate.jobs.since[job] > submit:
            gate.jobs.stopped[own] = gate.jobs.since[job] - submit


@compiled
def _amount(gate: Gate, place: int, job: int) -> float:
    """Return how much a running job counts for: what it has, or what it has asked for."""
    had = gate.counters.had[gate.counting.counter[place]]
    return float(gate.jobs.had[job, had - 1]) if had else gate.counting.amount[place]


@compiled
def _slot(gate: Gate, place: int, job: int) -> int:
    """Return the slot that a job has for a counter."""
    first = gate.alikes.counting[gate.jobs.alike[job]]
    return job * gate.counters.each + place - first


@compiled
def gave_back(gate: Gate, jobs: Jobs, job: int, start: float) -> None:
    """Count a job no longer that has ended."""
    if gate.jobs.alike[job] >= 0:
        _count_no_more(gate, job, jobs.processors[job], start)
        close(gate, job)


@compiled
def take_back_room(jobs: Jobs, state: State, job: int, now: float) -> None:
    """Undo that room was taken for a job in this pass: it waits again."""
    more = given_back(state.nodes, job, jobs.processors[job])
    state.counts[HIDDEN if state.counts[PASSED] else FREE] += more
    _wait_again(state.gate, job, jobs.processors[job], now)


@compiled
def _wait_again(gate: Gate | None, job: int, processors: int, now: float) -> None:
    if gate is not None and gate.jobs.alike[job] >= 0:
        _count_no_more(gate, job, processors, now)
        # others may have filled its limits meanwhile
        doubt(gate, gate.jobs.alike[job])
        wait(gate, job, gate.jobs.alike[job])


@compiled_apart
def _count_no_more(gate: Gate, job: int, processors: int, start: float) -> None:
    alikes, counters = gate.alikes, gate.counters
    alike = gate.jobs.alike[job]
    for place in range(alikes.counting[alike], alikes.counting[alike + 1]):
        counter = gate.counting.counter[place]
        count_out(
            counters, counter, _amount(gate, place, job), processors, start, _slot(gate, place, job)
        )
        entry = gate.asking.ends[counter, FIRST]
        while entry >= 0:
            if alikes.rule[gate.stopping.alike[entry]] >= 0:
                touch(gate, gate.stopping.alike[entry])
            entry = gate.asking.links[entry, AFTER]


@compiled
def touch(gate: Gate, alike: int) -> None:
    """Note that another rule may stop some jobs than did."""
    if not gate.alikes.touched[alike]:
        gate.alikes.touched[alike] = 1
        gate.touched[gate.counts[TOUCHED]] = alike
        gate.counts[TOUCHED] += 1


@compiled
def doubt(gate: Gate, alike: int) -> None:
    """Note that a limit may stop some jobs of the queue since they were looked at."""
    if not gate.alikes.unsure[alike]:
        gate.alikes.unsure[alike] = 1
        gate.counts[UNSURE] += 1


@compiled
def leave(gate: Gate, job: int, alike: int) -> None:
    """Let a job wait no longer with those that are alike."""
    alikes = gate.alikes
    remove(gate.waiting, alike, job)
    alikes.waiting[alike] -= 1
    if alikes.waiting[alike]:
        return
    for entry in range(alikes.stopping[alike], alikes.stopping[alike + 1]):
        remove(gate.asking, gate.stopping.counter[entry], entry)
    if alikes.rule[alike] >= 0 and alikes.stopped[alike]:
        alikes.stopped[alike] = 0
        gate.counts[STOPPED] -= 1
    if gate.by_time:
        remove(gate.alikes_waiting, 0, alike)


@compiled
def wait(gate: Gate, job: int, alike: int) -> None:
    """Let a job wait with those that are alike."""
    alikes = gate.alikes
    if not alikes.waiting[alike]:
        if gate.by_time:
            append(gate.alikes_waiting, 0, alike)
        for entry in range(alikes.stopping[alike], alikes.stopping[alike + 1]):
            append(gate.asking, gate.stopping.counter[entry], entry)
    append(gate.waiting, alike, job)
    alikes.waiting[alike] += 1


@compiled
def close(gate: Gate, job: int) -> None:
    """Take a job out of the books."""
    booked = gate.jobs
    booked.open[job] = 0
    first = booked.submitted[job]
    for place in range(first, first + booked.submitted_count[job]):
        count_out(gate.counters, gate.submitted[place], 1.0, 0, 0.0, 0)
