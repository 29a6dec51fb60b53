"""The books of a site's gate: who comes into them, and which rule stops whom."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import (
    ABOVE,
    BY_FREEZE,
    COME,
    FITS,
    HELD,
    LASTS,
    NEVER,
    STOPPED,
    UNSURE,
)
from pred_aware.engine.kernel.gate import close, leave, touch, wait
from pred_aware.engine.kernel.heap import pop, push
from pred_aware.engine.kernel.limits import count_in, is_above
from pred_aware.engine.kernel.site_values import Gate


@compiled_apart
def rule_of(gate: Gate, alike: int, now: float) -> int:
    """Say which rule stops such a job now; -1, if none does."""
    rule = rule_of_time(gate, alike, now)
    if rule >= 0:
        return rule
    for entry in range(gate.alikes.stopping[alike], gate.alikes.stopping[alike + 1]):
        counter = gate.stopping.counter[entry]
        if is_above(gate.counters, counter, gate.stopping.amount[entry], now):
            return gate.counters.rule[counter]
    return -1


@compiled
def rule_of_time(gate: Gate, alike: int, now: float) -> int:
    """Say which freeze or window stops such a job now; -1, if none does."""
    alikes, windows = gate.alikes, gate.windows
    if len(gate.freezes):
        place = np.searchsorted(gate.freezes, now, side="right") - 1
        if place >= 0 and gate.frozen[place, alikes.partition[alike]]:
            return BY_FREEZE
    if alikes.waiting[alike]:
        for index in range(alikes.windows[alike], alikes.windows[alike + 1]):
            window = windows.of[index]
            place = windows.place[window]
            if windows.by_clock[window]:
                if now + alikes.longest[alike] > windows.dates[window, place]:
                    return windows.rule[window]
            elif place > 0 and windows.closed[window, place - 1]:
                return windows.rule[window]
    return -1


@compiled
def stopped_by(gate: Gate, alike: int, rule: int, now: float) -> bool:
    """Note what stops some jobs from now on; say whether that is new."""
    alikes, waited = gate.alikes, gate.waited
    known = alikes.rule[alike]
    if rule == known:
        return False
    if known >= 0:
        rank = 0
        found = -1
        for slot in range(alikes.rules[alike], alikes.rules[alike + 1]):
            if waited.rule[slot] == known:
                found = slot
            rank = max(rank, waited.rank[slot] + 1)
        if waited.rank[found] < 0:
            waited.rank[found] = rank
        waited.seconds[found] = waited.seconds[found] + now - alikes.since[alike]
    alikes.rule[alike] = rule
    alikes.since[alike] = now
    return True


@compiled
def looked_at(gate: Gate, alike: int, now: float) -> bool:
    """Look what stops some jobs now; say whether that has become another rule."""
    alikes, counts = gate.alikes, gate.counts
    rule = rule_of(gate, alike, now)
    if alikes.unsure[alike]:
        alikes.unsure[alike] = 0
        counts[UNSURE] -= 1
    # of those that started when a limit was filled nobody waits any more
    stopped = 1 if rule >= 0 and alikes.waiting[alike] else 0
    counts[STOPPED] += stopped - alikes.stopped[alike]
    alikes.stopped[alike] = stopped
    return stopped_by(gate, alike, rule, now)


@compiled_apart
def book(gate: Gate, job: int, submit: float) -> int:
    """Take a job that is submitted into the books; return `ABOVE` where a limit refuses it."""
    booked, counters, counts = gate.jobs, gate.counters, gate.counts
    alike = booked.alike[job]
    if alike < 0:
        return FITS
    first = booked.submitted[job]
    last = first + booked.submitted_count[job]
    for place in range(first, last):
        counter = gate.submitted[place]
        if gate.refuses[place] and is_above(counters, counter, 1.0, submit):
            booked.above[job] = counter
            booked.alike[job] = -1
            return ABOVE
    for place in range(first, last):
        count_in(counters, gate.submitted[place], 1.0, 0, submit, 0)
    if booked.last[job] < NEVER:
        push(gate.lasts, counts[LASTS], booked.last, booked.number, job)
        counts[LASTS] += 1
        booked.open[job] = 1
    since = booked.since[job]
    alikes = gate.alikes
    is_free = (
        alikes.stopping[alike] == alikes.stopping[alike + 1]
        and alikes.counting[alike] == alikes.counting[alike + 1]
        and alikes.windows[alike] == alikes.windows[alike + 1]
    )
    if is_free and since <= submit and first == last and not len(gate.freezes):
        booked.alike[job] = -1
        return FITS
    booked.open[job] = 1
    if since > submit:
        push(gate.held, counts[HELD], booked.since, booked.number, job)
        counts[HELD] += 1
    else:
        join(gate, job, submit)
    return FITS


@compiled
def is_held(gate: Gate, job: int, now: float) -> bool:
    """Say whether a job can't run by itself yet."""
    return bool(gate.jobs.alike[job] >= 0 and gate.jobs.since[job] > now)


@compiled
def is_too_late(gate: Gate, now: float) -> bool:
    """Say whether there is a date past, from which some job could start no more."""
    return bool(gate.counts[LASTS] and gate.jobs.last[gate.lasts[0]] <= now)


@compiled_apart
def join(gate: Gate, job: int, now: float) -> None:
    """Let a job that can run by itself wait with those that are alike."""
    alikes, waited, booked = gate.alikes, gate.waited, gate.jobs
    alike = booked.alike[job]
    if not alikes.waiting[alike]:
        # nobody was there to be looked at; what the clock stops is looked at in any case
        stopped_by(gate, alike, -1, now)
        if gate.by_time or rule_of(gate, alike, now) >= 0:
            touch(gate, alike)
    elif alikes.rule[alike] >= 0:
        gate.come[gate.counts[COME]] = job
        gate.counts[COME] += 1
    begin = alikes.rules[alike]
    for slot in range(begin, alikes.rules[alike + 1]):
        seconds = waited.seconds[slot]
        if waited.rule[slot] == alikes.rule[alike]:
            seconds = seconds + now - alikes.since[alike]
        booked.had_waited[booked.rules[job] + slot - begin] = seconds
    wait(gate, job, alike)


@compiled_apart
def forget(gate: Gate, job: int) -> None:
    """Forget a job that is refused, and that may wait."""
    booked, counts = gate.jobs, gate.counts
    alike = booked.alike[job]
    booked.open[job] = 0
    if alike < 0:
        return
    close(gate, job)
    booked.alike[job] = -1
    for place in range(counts[HELD]):
        if gate.held[place] == job:
            _release(gate, job)
            return
    leave(gate, job, alike)
    kept = 0
    for place in range(counts[COME]):
        if gate.come[place] != job:
            gate.come[kept] = gate.come[place]
            kept += 1
    counts[COME] = kept


@compiled
def _release(gate: Gate, job: int) -> None:
    """Take a job out of those that are held."""
    count = gate.counts[HELD]
    others = 0
    # made anew of what comes out of it
    for left in range(count, 0, -1):
        one = pop(gate.held, left, gate.jobs.since, gate.jobs.number)
        if one != job:
            gate.released[others] = one
            others += 1
    for place in range(others):
        gate.held[place] = gate.released[place]
    gate.counts[HELD] = others
