"""The number of free processors over time, as `schedulers.machine.counted` keeps it.

A step function: `free_from[k]` holds from `times[k]` to the next date, the last one for ever; level
steps are joined.
"""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import FAILED, NEVER, STEPS
from pred_aware.engine.kernel.values import Floats, State


@compiled
def _before(times: Floats, count: int, date: float) -> int:
    """Return how many dates are before one."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if times[middle] < date:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def empty(state: State, processors: int, now: float) -> None:
    """Let all processors be free from now on."""
    state.times[0] = now
    state.free_from[0] = processors
    state.counts[STEPS] = 1


@compiled
def advance(state: State, now: float) -> None:
    """Forget what lies before now."""
    times, free, count = state.times, state.free_from, state.counts[STEPS]
    passed = _before(times, count, now)
    if passed == count or times[passed] > now:
        passed -= 1
    if passed > 0:
        for step in range(passed, count):
            times[step - passed] = times[step]
            free[step - passed] = free[step]
        state.counts[STEPS] = count - passed
    times[0] = now


@compiled
def _split(state: State, date: float) -> int:
    """Make a step begin at a date, and return its place."""
    times, free, count = state.times, state.free_from, state.counts[STEPS]
    place = _before(times, count, date)
    if place < count and times[place] == date:
        return place
    if count == len(times):
        state.counts[FAILED] = 1
        return place - 1
    for step in range(count, place, -1):
        times[step] = times[step - 1]
        free[step] = free[step - 1]
    times[place] = date
    free[place] = free[place - 1]
    state.counts[STEPS] = count + 1
    return place


@compiled
def _join(state: State, place: int) -> None:
    """Remove a step that is as high as the one before."""
    times, free, count = state.times, state.free_from, state.counts[STEPS]
    if place <= 0 or place >= count or free[place] != free[place - 1]:
        return
    for step in range(place, count - 1):
        times[step] = times[step + 1]
        free[step] = free[step + 1]
    state.counts[STEPS] = count - 1


@compiled
def take(state: State, start: float, end: float, size: int) -> None:
    """Take processors from a start to an end; a negative size gives them back."""
    if end <= start:
        return
    first = _split(state, start)
    last = state.counts[STEPS] if end == NEVER else _split(state, end)
    for step in range(first, last):
        state.free_from[step] -= size
    _join(state, last)
    _join(state, first)


@compiled
def earliest(state: State, size: int, duration: float, before: float) -> float:
    """Return the first date with so many free for so long; one at `before` is known."""
    times, free = state.times, state.free_from
    start, end = before, NEVER
    waiting = True
    for step in range(state.counts[STEPS]):
        date = times[step]
        if date >= before or date >= end:
            break
        if free[step] < size:
            waiting = True
            end = NEVER
        elif waiting:
            waiting = False
            start = date
            end = start + duration
    return before if waiting else start
