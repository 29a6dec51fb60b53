"""Minutes that are left, counted in steps, as `schedulers.site.counters.MinutesInSteps` does."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.linked import AFTER, FIRST, append, remove
from pred_aware.engine.kernel.site_values import Counters
from schedulers.site.counters import LITTLE


@compiled
def left_in_steps(counters: Counters, counter: int, now: float) -> float:
    """Return how many whole minutes are left of what runs."""
    _run_off(counters, counter, now)
    left: float = np.floor(counters.used[counter] + LITTLE)
    return max(0.0, left)


@compiled_apart
def _run_off(counters: Counters, counter: int, now: float) -> None:
    """Take off what has run off up to the last multiple of the period."""
    period, before = counters.period[counter], counters.step[counter]
    if period == NEVER:
        return
    step = now // period * period
    if step > before:
        total, slot = 0.0, counters.running.ends[counter, FIRST]
        while slot >= 0:
            total += counters.rates[slot] * (step - max(before, counters.since[slot]))
            slot = counters.running.links[slot, AFTER]
        counters.used[counter] -= total
        counters.step[counter] = step


@compiled
def count_in_steps(
    counters: Counters, counter: int, processors: int, now: float, slot: int
) -> None:
    """Count a job that starts now."""
    _run_off(counters, counter, now)
    rate = processors / 60.0
    counters.rate[counter] += rate
    counters.since[slot], counters.rates[slot] = now, rate
    append(counters.running, counter, slot)


@compiled
def count_out_of_steps(counters: Counters, counter: int, amount: float, slot: int) -> float:
    """Count a job no longer; return what is left of the minutes that it was counted with."""
    remove(counters.running, counter, slot)
    rate = counters.rates[slot]
    counters.rate[counter] = counters.rate[counter] - rate if counters.taken[counter] else 0.0
    gone = counters.step[counter] - counters.since[slot]
    return amount - rate * (max(0.0, gone))


@compiled_apart
def enough_in_steps(counters: Counters, counter: int, amount: float) -> float:
    """Return when enough has run off for a job that asks for so much."""
    period, step, rate = counters.period[counter], counters.step[counter], counters.rate[counter]
    if period == NEVER:
        return NEVER
    behind, slot = 0.0, counters.running.ends[counter, FIRST]
    while slot >= 0:
        if counters.since[slot] > step:
            behind += counters.rates[slot] * (counters.since[slot] - step)
        slot = counters.running.links[slot, AFTER]
    # less than a minute above it is not above it
    over = counters.used[counter] + behind + amount - counters.most[counter] - 1.0 + LITTLE
    return step + max(1.0, np.ceil(over / rate / period)) * period
