"""Places of jobs over time, on a machine that counts or on a site's nodes.

What the machine of a policy has not is not even compiled.
"""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats
from pred_aware.engine.kernel.choosing import choose
from pred_aware.engine.kernel.codes import FREE, NEVER
from pred_aware.engine.kernel.nodes_backfilling import start
from pred_aware.engine.kernel.nodes_over_time import (
    advance_nodes,
    change_over,
    fits_over,
    move_nodes_up,
    place_first,
    place_nodes_at,
    take_place,
)
from pred_aware.engine.kernel.nodes_values import Over
from pred_aware.engine.kernel.profile import advance, earliest, fits, give_earlier, give_place, take
from pred_aware.engine.kernel.values import Jobs, Profile, State


@compiled
def move_on(profile: Profile, over: Over | None, now: float) -> None:
    """Forget what lies before now."""
    if over is None:
        advance(profile, now)
    else:
        advance_nodes(over, now)


@compiled
def hold(jobs: Jobs, profile: Profile, over: Over | None, job: int, now: float) -> None:
    """Let a running job keep what it has up to its walltime."""
    end = now + jobs.walltime[job]
    if over is None:
        take(profile, now, end, jobs.processors[job])
    else:
        change_over(over, job, False, now, end, -1)


@compiled
def may_hold(jobs: Jobs, profile: Profile, over: Over | None, job: int, now: float) -> bool:
    """Say whether it can."""
    end = now + jobs.walltime[job]
    if over is None:
        return fits(profile, jobs.processors[job], now, end)
    return fits_over(over, job, False, now, end)


@compiled
def let_go(
    jobs: Jobs, profile: Profile, over: Over | None, job: int, now: float, end: float
) -> None:
    """Free what a running job was to keep up to a date."""
    if over is None:
        take(profile, now, end, -jobs.processors[job])
    else:
        change_over(over, job, False, now, end, 1)


@compiled
def free_place(jobs: Jobs, profile: Profile, over: Over | None, job: int, begin: float) -> None:
    """Free the place of a job."""
    end = begin + jobs.walltime[job]
    if over is None:
        take(profile, begin, end, -jobs.processors[job])
    else:
        change_over(over, job, True, begin, end, 1)


@compiled
def place_at(jobs: Jobs, profile: Profile, over: Over | None, job: int, begin: float) -> bool:
    """Give a job a place that begins at a date, if it fits."""
    size, length = jobs.processors[job], jobs.walltime[job]
    if over is not None:
        return place_nodes_at(over, job, size, begin, length)
    if not fits(profile, size, begin, begin + length):
        return False
    take(profile, begin, begin + length, size)
    return True


@compiled
def has_place(jobs: Jobs, profile: Profile, over: Over | None, job: int, now: float) -> bool:
    """Say whether a job that waits has a place that begins now."""
    if over is None:
        return fits(profile, jobs.processors[job], now, now + jobs.walltime[job])
    found = place_nodes_at(over, job, jobs.processors[job], now, jobs.walltime[job])
    if found:
        change_over(over, job, True, now, now + jobs.walltime[job], 1)
    return found


@compiled
def place_early(jobs: Jobs, profile: Profile, over: Over | None, job: int) -> float:
    """Give a job the earliest place, and return when it begins."""
    if over is None:
        return give_place(profile, job, jobs.processors[job], jobs.walltime[job])
    return place_first(over, job, jobs.processors[job], jobs.walltime[job])


@compiled
def first_room(jobs: Jobs, profile: Profile, over: Over | None, job: int) -> float:
    """Return when there is room for a job first."""
    if over is None:
        return earliest(profile, job, jobs.processors[job], jobs.walltime[job], NEVER)
    begin = place_first(over, job, jobs.processors[job], jobs.walltime[job])
    if begin < NEVER:
        change_over(over, job, True, begin, begin + jobs.walltime[job], 1)
    return begin


@compiled
def move_up(
    jobs: Jobs, profile: Profile, over: Over | None, places: Floats, job: int, now: float
) -> bool:
    """Let the place of a job begin earlier, if it can; say whether it does."""
    size, length = jobs.processors[job], jobs.walltime[job]
    if over is None:
        return give_earlier(profile, places, job, size, length, now)
    begin = places[job]
    if begin <= now:
        return False
    places[job] = move_nodes_up(over, job, size, begin, length)
    return places[job] < begin


@compiled
def start_in_place(jobs: Jobs, state: State, over: Over | None, job: int) -> bool:
    """Choose a job whose place has begun, if what it has there is free."""
    if over is not None:
        if not take_place(over, job):
            return False
        start(jobs, state, over.nodes, job)
        return True
    if jobs.processors[job] > state.counts[FREE]:
        return False
    choose(jobs, state, job)
    return True
