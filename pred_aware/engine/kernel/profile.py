"""The number of free processors over time, as `schedulers.machine.counted` keeps it.

A step function: `free[k]` holds from `times[k]` to the next date, the last one for ever. A step as
high as the one before it stays until another needs its place, or time goes on: so what moves by
little leaves all that is later where it is.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import NEVER, PLANNED, THERE
from pred_aware.engine.kernel.floors import add_floor, floor_of, forget_floors, lower_floors
from pred_aware.engine.kernel.moving import let_neighbours_look
from pred_aware.engine.kernel.values import Jobs, Profile, State

STEPS, FULL, JOINED, LAST, GONE = range(5)
"""Places in `Profile.counts`: the last three are how many steps there were when level ones were
joined, where something was looked for last, and how many steps have passed."""
NEAR = 8
"""So many steps before a new one are looked at for one that is not needed."""
AT_ONCE = 16
"""So many steps are passed over at once."""


@compiled
def is_full_of_steps(profile: Profile | None) -> bool:
    """Say whether there was no room for more steps; on a site's nodes there is none of these."""
    return False if profile is None else profile.counts[FULL] > 0


@compiled
def _before(times: Floats, counts: Integers, date: float) -> int:
    """Return how many dates are before one, looked for from the last one on to either side."""
    count = counts[STEPS]
    low, width = min(counts[LAST], count - 1), 1
    if times[low] < date:
        while low + width < count and times[low + width] < date:
            low += width
            width *= 2
        width = min(width, count - low)
    else:
        high = low
        while low > 0 and times[low] >= date:
            high = low
            low = max(low - width, 0)
            width *= 2
        width = high - low
    # without a branch that could be guessed wrongly
    while width > 1:
        half = width >> 1
        low += half * (times[low + half - 1] < date)
        width -= half
    low += times[low] < date
    counts[LAST] = low
    return low


@compiled
def _step_at(profile: Profile, date: float) -> int:
    """Return the step in which a date is."""
    step = _before(profile.times, profile.counts, date)
    return step if step < profile.counts[STEPS] and profile.times[step] == date else step - 1


@compiled
def advance(profile: Profile, now: float) -> None:
    """Forget what lies before now."""
    times, free, counts = profile.times, profile.free, profile.counts
    passed = _step_at(profile, now)
    if counts[STEPS] > 2 * counts[JOINED]:
        _join(times, free, counts, max(passed, 0))
    elif passed > 0:
        for step in range(passed, counts[STEPS]):
            times[step - passed] = times[step]
            free[step - passed] = free[step]
        counts[STEPS] -= passed
        counts[GONE] += passed
    times[0] = now


@compiled
def _join(times: Floats, free: Integers, counts: Integers, first: int) -> None:
    """Keep the steps from one on that are not as high as the one before."""
    kept = 0
    for step in range(first, counts[STEPS]):
        if kept == 0 or free[step] != free[kept - 1]:
            times[kept], free[kept] = times[step], free[step]
            kept += 1
    counts[STEPS] = counts[JOINED] = kept


@compiled
def _split(times: Floats, free: Integers, counts: Integers, date: float, after: int) -> int:
    """Make a step begin at a date, and return its place; those up to `after` keep theirs."""
    count = counts[STEPS]
    place = _before(times, counts, date)
    if place < count and times[place] == date:
        return place
    number = free[place - 1]
    after = max(after, place - NEAR)
    spare = place - 1
    while spare > after and free[spare] != free[spare - 1]:
        spare -= 1
    if spare > after:
        for step in range(spare, place - 1):
            times[step], free[step] = times[step + 1], free[step + 1]
        times[place - 1], free[place - 1] = date, number
        return place - 1
    # views here and below, whose places are known not to be negative
    later, numbers = times[place:count], free[place:count]
    for step in range(len(later)):
        later[step], date = date, later[step]
        if numbers[step] == number:
            return place
        numbers[step], number = number, numbers[step]
    times[count], free[count] = date, number
    counts[STEPS] = count + 1
    return place


@compiled_apart
def _change(
    times: Floats, free: Integers, counts: Integers, start: float, end: float, size: int
) -> tuple[int, int]:
    """Take processors from a start to a later end; return the first step, and the next one."""
    if counts[STEPS] + 2 > len(times):
        _join(times, free, counts, 0)
        if counts[STEPS] + 2 > len(times):
            counts[FULL] = 1
            return 0, 0
    first = _split(times, free, counts, start, 0)
    last = counts[STEPS] if end == NEVER else _split(times, free, counts, end, first)
    changed = free[first:last]
    for step in range(len(changed)):
        changed[step] -= size
    return first, last


@compiled
def take(profile: Profile, start: float, end: float, size: int) -> None:
    """Take processors from a start to an end."""
    if end > start:
        _change(profile.times, profile.free, profile.counts, start, end, size)


@compiled
def give_back(profile: Profile, start: float, end: float, size: int) -> None:
    """Give processors back, and keep what is still known of earliest places."""
    if end > start:
        times, free, counts, floors = profile.times, profile.free, profile.counts, profile.floors
        first, last = _change(times, free, counts, start, end, -size)
        for step in range(first, last):
            lower_floors(floors, profile.moving, times, free, counts[STEPS], step, size)
        let_neighbours_look(profile.moving, floors, times, free, counts[STEPS], first, last)


@compiled
def earliest(profile: Profile, job: int, size: int, duration: float, before: float) -> float:
    """Return the first date with so many free for so long; one at `before` is known."""
    after = floor_of(profile.floors, job, duration)
    if after == before:
        return before
    if after > before:
        # what stands in the way there may be this very job, of a run that reaches to its place
        return _reaching(profile, job, size, before)
    # up to its place all is as if the job had none, and from there it fits
    found = _search(profile, size, duration, after, before)
    if found != after:
        add_floor(profile.floors, job, duration, found)
    return found


@compiled
def _reaching(profile: Profile, job: int, size: int, before: float) -> float:
    """Return the first date from which so many are free up to a date."""
    times, free, counts, date = profile.times, profile.free, profile.counts, before
    # not far from where that was for this job the last time
    counts[LAST] = max(profile.near[job] - counts[GONE], 0)
    step = _before(times, counts, before) - 1
    profile.near[job] = step + 1 + counts[GONE]
    while step >= 0 and free[step] >= size:
        date = times[step]
        step -= 1
    counts[LAST] = max(step, 0)
    return date


@compiled
def _next_with(free: Integers, size: int, step: int, count: int) -> int:
    """Return the first step from one on that has so many free, or how many steps there are."""
    found = False
    while not found and step + AT_ONCE <= count:
        some = free[step : step + AT_ONCE]
        for place in range(AT_ONCE):
            found |= some[place] >= size
        step += 0 if found else AT_ONCE
    while step < count and free[step] < size:
        step += 1
    return step


@compiled
def _search(profile: Profile, size: int, duration: float, after: float, before: float) -> float:
    times, free, count = profile.times, profile.free, profile.counts[STEPS]
    first = 0
    if after > times[0]:
        first = _step_at(profile, after)
    step = first
    while step < count:
        step = _next_with(free, size, step, count)
        if step == count or times[step] >= before:
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
    step = _step_at(profile, start)
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
    # what it has before and after stays taken
    end = earlier + duration
    take(profile, earlier, min(start, end), size)
    give_back(profile, max(start, end), start + duration, size)
    starts[job] = earlier
    return True


@compiled
def begin(profile: Profile, free: int, now: float) -> None:
    """Let so many processors be free from now on."""
    profile.times[0] = now
    profile.free[0] = free
    profile.counts[STEPS] = profile.counts[JOINED] = 1
    forget_floors(profile.floors)


@compiled
def begin_anew(profile: Profile, jobs: Jobs, state: State, now: float) -> None:
    """Let all processors be free from now on, but those of the jobs that are planned to run."""
    begin(profile, state.counts[THERE], now)
    for index in range(state.counts[PLANNED]):
        job = state.plan[index]
        take(profile, now, state.planned[job], jobs.processors[job])
