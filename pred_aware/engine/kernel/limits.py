"""Counters of limits, as `schedulers.site.counters` defines them, and who waits for each."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.limits_in_steps import (
    count_in_steps,
    count_out_of_steps,
    enough_in_steps,
    left_in_steps,
)
from pred_aware.engine.kernel.site_values import Counters


@compiled
def is_above(counters: Counters, counter: int, amount: float, now: float) -> bool:
    """Say whether a job that asks for so much may not start now."""
    used = counters.used[counter]
    if counters.period[counter] > 0.0:
        used = left_in_steps(counters, counter, now)
    elif counters.runs_off[counter]:
        used -= counters.rate[counter] * now
        if not used > 0.0:
            used = 0.0
    return is_above_beside(counters, counter, used, amount, now)


@compiled
def is_above_beside(
    counters: Counters, counter: int, used: float, amount: float, now: float
) -> bool:
    """Say whether a job that asks for so much may not start, if others have so much."""
    if used + amount <= counters.most[counter]:
        return False
    if not counters.begin[counter] <= now < counters.end[counter]:
        return False
    return not (counters.alone[counter] and not counters.taken[counter])


@compiled
def count_in(
    counters: Counters, counter: int, amount: float, processors: int, now: float, slot: int
) -> None:
    """Count a job that starts now, with the slot that it has for this counter."""
    if counters.period[counter] > 0.0:
        count_in_steps(counters, counter, processors, now, slot)
    elif counters.runs_off[counter]:
        rate = processors / 60.0
        counters.rate[counter] += rate
        amount += rate * now
    counters.taken[counter] += 1
    counters.used[counter] += amount


@compiled
def count_out(
    counters: Counters, counter: int, amount: float, processors: int, start: float, slot: int
) -> None:
    """Count a job no longer that has started at a date."""
    counters.taken[counter] -= 1
    left = counters.taken[counter]
    if counters.period[counter] > 0.0:
        amount = count_out_of_steps(counters, counter, amount, slot)
    elif counters.runs_off[counter]:
        rate = processors / 60.0
        amount += rate * start
        counters.rate[counter] = counters.rate[counter] - rate if left else 0.0
    counters.used[counter] = counters.used[counter] - amount if left else 0.0


@compiled
def enough_at(counters: Counters, counter: int, amount: float) -> float:
    """Return when enough minutes have run off for a job that asks for so many."""
    most, rate = counters.most[counter], counters.rate[counter]
    if amount > most or rate <= 0.0:
        return NEVER
    if counters.period[counter] > 0.0:
        return enough_in_steps(counters, counter, amount)
    return (counters.used[counter] + amount - most) / rate + 1e-3
