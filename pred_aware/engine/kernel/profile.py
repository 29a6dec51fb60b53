"""The number of free processors over time, as `schedulers.machine.counted` keeps it.

A step function: `free[k]` holds from `times[k]` to the next date, the last one for ever. Level
steps are joined.
"""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats
from pred_aware.engine.kernel.codes import NEVER, PLANNED, THERE
from pred_aware.engine.kernel.floors import add_floor, floor_of, freed
from pred_aware.engine.kernel.values import Jobs, Profile, State

STEPS, FULL = range(2)
"""Places in `Profile.counts`."""


@compiled
def is_full_of_steps(profile: Profile | None) -> bool:
    """Say whether there was no room for more steps; on a site's nodes there is none of these."""
    return False if profile is None else profile.counts[FULL] > 0


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
def advance(profile: Profile, now: float) -> None:
    """Forget what lies before now."""
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    passed = _before(times, count, now)
    if passed == count or times[passed] > now:
        passed -= 1
    if passed > 0:
        for step in range(passed, count):
            times[step - passed] = times[step]
            free[step - passed] = free[step]
        profile.counts[STEPS] = count - passed
    times[0] = now


@compiled
def _split(profile: Profile, date: float) -> int:
    """Make a step begin at a date, and return its place."""
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    place = _before(times, count, date)
    if place < count and times[place] == date:
        return place
    if count == len(times):
        profile.counts[FULL] = 1
        return place - 1
    number = free[place - 1]
    # views here and below, whose places are known not to be negative
    times, free = times[place : count + 1], free[place : count + 1]
    for step in range(len(times)):
        times[step], date = date, times[step]
        free[step], number = number, free[step]
    profile.counts[STEPS] = count + 1
    return place


@compiled
def _join(profile: Profile, place: int) -> None:
    """Remove a step that is as high as the one before."""
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    if place <= 0 or place >= count or free[place] != free[place - 1]:
        return
    times, free = times[place:count], free[place:count]
    for step in range(len(times) - 1):
        times[step] = times[step + 1]
        free[step] = free[step + 1]
    profile.counts[STEPS] = count - 1


@compiled
def take(profile: Profile, start: float, end: float, size: int) -> None:
    """Take processors from a start to an end; a negative size gives them back."""
    if end <= start:
        return
    if size < 0:
        freed(profile.floors, start)
    first = _split(profile, start)
    last = profile.counts[STEPS] if end == NEVER else _split(profile, end)
    free = profile.free[first:last]
    for step in range(len(free)):
        free[step] -= size
    _join(profile, last)
    _join(profile, first)


@compiled
def earliest(profile: Profile, job: int, size: int, duration: float, before: float) -> float:
    """Return the first date with so many free for so long; one at `before` is known."""
    after = floor_of(profile.floors, job, duration)
    if after == before:
        return before
    if after > before:
        # what stands in the way there may be this very job, of a run that reaches to its place;
        # a second more, since dates are rounded
        return _search(profile, size, duration, before - duration - 1.0, before)
    # up to its place all is as if the job had none, and from there it fits
    found = _search(profile, size, duration, after, before)
    if found != after:
        add_floor(profile.floors, job, duration, found)
    return found


@compiled
def _search(profile: Profile, size: int, duration: float, after: float, before: float) -> float:
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    first = 0
    if after > times[0]:
        first = _before(times, count, after)
        if first == count or times[first] > after:
            first -= 1
    step = first
    while step < count:
        if free[step] < size:
            step += 1
            continue
        if times[step] >= before:
            break
        start = max(times[step], after)
        end = min(start + duration, before)
        while step < count and times[step] < end and free[step] >= size:
            step += 1
        if step == count or times[step] >= end:
            return start
    return before


@compiled
def fits(profile: Profile, size: int, start: float, end: float) -> bool:
    """Say whether so many are free from a date to another."""
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    step = _before(times, count, start)
    if step == count or times[step] > start:
        step -= 1
    while step < count and times[step] < end:
        if free[step] < size:
            return False
        step += 1
    return True


@compiled
def give_place(profile: Profile, job: int, size: int, duration: float) -> float:
    """Take so many for so long from the earliest date on, and return it."""
    start = earliest(profile, job, size, duration, NEVER)
    take(profile, start, start + duration, size)
    return start


@compiled
def give_earlier(
    profile: Profile, starts: Floats, job: int, size: int, duration: float, now: float
) -> bool:
    """Let what a job has begin earlier, if it can; say whether it does."""
    start = starts[job]
    if start <= now:
        return False
    earlier = earliest(profile, job, size, duration, start)
    if earlier >= start:
        return False
    take(profile, start, start + duration, -size)
    take(profile, earlier, earlier + duration, size)
    starts[job] = earlier
    return True


@compiled
def begin(profile: Profile, free: int, now: float) -> None:
    """Let so many processors be free from now on."""
    profile.times[0] = now
    profile.free[0] = free
    profile.counts[STEPS] = 1
    freed(profile.floors, -NEVER)


@compiled
def begin_anew(profile: Profile, jobs: Jobs, state: State, now: float) -> None:
    """Let all processors be free from now on, but those of the jobs that are planned to run."""
    begin(profile, state.counts[THERE], now)
    for index in range(state.counts[PLANNED]):
        job = state.plan[index]
        take(profile, now, state.planned[job], jobs.processors[job])
