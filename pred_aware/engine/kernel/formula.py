"""Formulas of PBS, as `schedulers.orders.pbs_formula` defines what they are worth."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.formula_codes import (
    ABSOLUTE,
    ADD,
    DIVIDE,
    EQUAL,
    GO,
    GO_UNLESS,
    GREATER,
    GREATER_OR_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    LOAD,
    MAXIMUM,
    MINIMUM,
    MULTIPLY,
    NEGATE,
    NOT,
    POWER,
    ROOT,
    SUBTRACT,
)


@compiled_apart
def worth_of(steps: Integers, parts: Floats, stack: Floats, job: int) -> float:
    """Return what a formula is worth for a job; 0 where it has no value.

    Parameters
    ----------
    steps
        Its program.
    parts
        What it loads; shape (parts, jobs), NaN for what has no value.
    stack
        Room for as many numbers as it has steps.
    job
        The job.
    """
    top = step = 0
    while step < len(steps):
        what, number = steps[step, 0], steps[step, 1]
        step += 1
        if what == LOAD:
            stack[top] = parts[number, job]
            if np.isnan(stack[top]):
                return 0.0
            top += 1
        elif what == GO:
            step = number
        elif what == GO_UNLESS:
            top -= 1
            if stack[top] == 0.0:
                step = number
        elif what <= ROOT:
            one = stack[top - 1]
            if what == ROOT and one < 0.0:
                return 0.0
            stack[top - 1] = _of_one(what, one)
        else:
            top -= 1
            one, other = stack[top - 1], stack[top]
            if what == DIVIDE and other == 0.0:
                return 0.0
            found = one**other if what == POWER else _of_two(what, one, other)
            if what == POWER and np.isfinite(one) and np.isfinite(other) and not np.isfinite(found):
                return 0.0
            stack[top - 1] = found
    return stack[0] if np.isfinite(stack[0]) else 0.0


@compiled
def _of_one(what: int, one: float) -> float:
    if what == NEGATE:
        return -one
    if what == NOT:
        return 1.0 if one == 0.0 else 0.0
    if what == ABSOLUTE:
        return abs(one)
    return np.sqrt(one)


@compiled
def _of_two(what: int, one: float, other: float) -> float:
    if what == ADD:
        return one + other
    if what == SUBTRACT:
        return one - other
    if what == MULTIPLY:
        return one * other
    if what == DIVIDE:
        return one / other
    if MAXIMUM <= what <= MINIMUM:
        # of what is no number the first, as there
        is_other = other > one if what == MAXIMUM else other < one
        return other if is_other else one
    found = False
    if what == LESS:
        found = one < other
    elif what == LESS_OR_EQUAL:
        found = one <= other
    elif what == GREATER:
        found = one > other
    elif what == GREATER_OR_EQUAL:
        found = one >= other
    else:
        found = (one == other) == (what == EQUAL)
    return 1.0 if found else 0.0
