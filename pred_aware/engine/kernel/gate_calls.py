"""When a site's gate asks to be called: at the next date at which a rule may have changed."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import (
    CALLS,
    CHANGES_AT,
    DUE,
    FAILED,
    HELD,
    LASTS,
    NEVER,
    STOPPED,
    WAITING,
    WAKE,
)
from pred_aware.engine.kernel.limits import enough_at
from pred_aware.engine.kernel.linked import AFTER, FIRST
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.values import State


@compiled
def next_call(gate: Gate) -> float:
    """Return the first date that was asked for."""
    calls = gate.counts[CALLS]
    return gate.calls[calls - 1] if calls else NEVER


@compiled
def wakes(gate: Gate, now: float) -> bool:
    """Take the call of a date, if there is one; say whether it was the one that is waited for."""
    if next_call(gate) == now:
        gate.counts[CALLS] -= 1
    if gate.at[WAKE] > now:
        return False
    gate.at[WAKE] = NEVER
    return True


@compiled
def passes(gate: Gate, now: float, woken: bool) -> bool:  # noqa: FBT001 - compiled
    """Say whether the queue is gone through now; if not, it is due at the next cycle."""
    if gate.cycle and not woken and now != np.rint(now / gate.cycle) * gate.cycle:
        gate.counts[DUE] = 1
        return False
    gate.counts[DUE] = 0
    return True


@compiled_apart
def ask_for_call(state: State, gate: Gate, now: float) -> None:
    """Ask to be called when a rule or the machine may have changed, or at the next cycle."""
    counts, cycle = gate.counts, gate.cycle
    changes = gate.by_time or gate.in_time or counts[DUE] or counts[HELD] or counts[LASTS]
    if not (changes and (state.counts[WAITING] or counts[STOPPED] or counts[HELD])):
        return
    at = _next_change(gate, now)
    if cycle and counts[DUE]:
        at = (np.floor(now / cycle) + 1.0) * cycle
    elif cycle and at < NEVER:
        at = np.ceil(at / cycle) * cycle
    if at >= gate.at[WAKE]:
        return
    gate.at[WAKE] = at
    if at <= now:
        # no date to be called at: the Python parts say so
        state.counts[FAILED] = 1
    _call(state, gate, at)


@compiled
def _call(state: State, gate: Gate, at: float) -> None:
    """Put a date among those of the calls; once is enough."""
    calls, count = gate.calls, gate.counts[CALLS]
    place = count
    while place > 0 and calls[place - 1] < at:
        place -= 1
    if place > 0 and calls[place - 1] == at:
        return
    if count == len(calls):
        state.counts[FAILED] = 1
        return
    for other in range(count, place, -1):
        calls[other] = calls[other - 1]
    calls[place] = at
    gate.counts[CALLS] = count + 1


@compiled
def _next_change(gate: Gate, now: float) -> float:
    """Return the next date at which by itself a rule may stop others, or the machine changes."""
    counts, booked, windows = gate.counts, gate.jobs, gate.windows
    first = NEVER
    for window in range(len(windows.rule)):
        date = windows.dates[window, windows.place[window]]
        if gate.at[CHANGES_AT] <= now < date < first:
            first = date
    if now < gate.at[CHANGES_AT] < first:
        first = gate.at[CHANGES_AT]
    if counts[LASTS] and now < booked.last[gate.lasts[0]] < first:
        first = booked.last[gate.lasts[0]]
    place = np.searchsorted(gate.dates, now, side="right")
    if place < len(gate.dates):
        first = min(first, gate.dates[place])
    if counts[HELD] and now < booked.since[gate.held[0]] < first:
        first = booked.since[gate.held[0]]
    if gate.runs_off:
        first = min(first, _enough_at(gate, now))
    if gate.in_time:
        place = np.searchsorted(gate.steps, now, side="right")
        if place < len(gate.steps):
            first = min(first, gate.steps[place])
    return first


@compiled
def _enough_at(gate: Gate, now: float) -> float:
    """Return when minutes have run off that stop somebody."""
    alikes, first = gate.alikes, NEVER
    alike = gate.alikes_waiting.ends[0, FIRST]
    while alike >= 0:
        if alikes.stopped[alike]:
            for entry in range(alikes.stopping[alike], alikes.stopping[alike + 1]):
                counter = gate.stopping.counter[entry]
                if gate.counters.runs_off[counter]:
                    date = enough_at(gate.counters, counter, gate.stopping.amount[entry])
                    if now < date < first:
                        first = date
        alike = gate.alikes_waiting.links[alike, AFTER]
    return first
