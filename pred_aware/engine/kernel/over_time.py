"""Places of jobs over time, on a machine that counts or on a site's nodes.

What the machine of a policy has not is not even compiled: what asks whether it is there, of an
argument that is ``None``. Nodes on which nobody has a place have neither.
"""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats
from pred_aware.engine.kernel.choosing import choose, start
from pred_aware.engine.kernel.codes import FREE, NEVER, PLANNED, THERE
from pred_aware.engine.kernel.nodes_over_time import (
    move_nodes_up,
    place_first,
    place_nodes_at,
    take_place,
)
from pred_aware.engine.kernel.nodes_steps import advance_nodes, begin_over, change_over, fits_over
from pred_aware.engine.kernel.nodes_values import Over
from pred_aware.engine.kernel.profile import (
    advance,
    begin,
    earliest,
    fits,
    give_back,
    give_earlier,
    give_place,
    take,
)
from pred_aware.engine.kernel.values import Jobs, Profile, State


@compiled
def begin_idle(state: State, profile: Profile | None, over: Over | None, now: float) -> None:
    """Let all that is there be free from now on."""
    if over is not None:
        begin_over(over, now)
    elif profile is not None:
        begin(profile, state.counts[THERE], now)


@compiled
def begin_beside(
    jobs: Jobs, state: State, profile: Profile | None, over: Over | None, now: float
) -> None:
    """Let all be free from now on, but for what the jobs have that are planned to run."""
    begin_idle(state, profile, over, now)
    for index in range(state.counts[PLANNED]):
        job = state.plan[index]
        size = jobs.processors[job]
        hold(profile, over, job, size, now, state.planned[job])


@compiled
def move_on(profile: Profile | None, over: Over | None, now: float) -> None:
    """Forget what lies before now."""
    if over is not None:
        advance_nodes(over, now)
    elif profile is not None:
        advance(profile, now)


@compiled
def hold(
    profile: Profile | None, over: Over | None, job: int, size: int, now: float, end: float
) -> None:
    """Let a running job keep what it has up to a date."""
    if over is not None:
        change_over(over, job, False, now, end, -1)
    elif profile is not None:
        take(profile, now, end, size)


@compiled
def may_hold(
    profile: Profile | None, over: Over | None, job: int, size: int, now: float, end: float
) -> bool:
    """Say whether it can."""
    if over is not None:
        return fits_over(over, job, False, now, end)
    if profile is not None:
        return fits(profile, size, now, end)
    return False


@compiled
def let_go(
    profile: Profile | None, over: Over | None, job: int, size: int, now: float, end: float
) -> None:
    """Free what a running job was to keep up to a date."""
    if over is not None:
        change_over(over, job, False, now, end, 1)
    elif profile is not None:
        give_back(profile, now, end, size)


@compiled
def free_place(
    profile: Profile | None, over: Over | None, job: int, size: int, begin: float, end: float
) -> None:
    """Free the place of a job."""
    if over is not None:
        change_over(over, job, True, begin, end, 1)
    elif profile is not None:
        give_back(profile, begin, end, size)


@compiled
def place_at(
    profile: Profile | None, over: Over | None, job: int, size: int, begin: float, length: float
) -> bool:
    """Give a job a place that begins at a date, if it fits."""
    if over is not None:
        return place_nodes_at(over, job, size, begin, length)
    if profile is not None:
        if not fits(profile, size, begin, begin + length):
            return False
        take(profile, begin, begin + length, size)
        return True
    return False


@compiled
def has_place(
    profile: Profile | None, over: Over | None, job: int, size: int, now: float, length: float
) -> bool:
    """Say whether a job that waits has a place that begins now."""
    if over is not None:
        found = place_nodes_at(over, job, size, now, length)
        if found:
            change_over(over, job, True, now, now + length, 1)
        return found
    if profile is not None:
        return fits(profile, size, now, now + length)
    return False


@compiled
def place_early(
    profile: Profile | None, over: Over | None, job: int, size: int, length: float
) -> float:
    """Give a job the earliest place, and return when it begins."""
    if over is not None:
        return place_first(over, job, size, length)
    if profile is not None:
        return give_place(profile, job, size, length)
    return NEVER


@compiled
def first_room(
    profile: Profile | None, over: Over | None, job: int, size: int, length: float
) -> float:
    """Return when there is room for a job first."""
    if over is not None:
        begin = place_first(over, job, size, length)
        if begin < NEVER:
            change_over(over, job, True, begin, begin + length, 1)
        return begin
    if profile is not None:
        return earliest(profile, job, size, length, NEVER)
    return NEVER


@compiled
def move_up(
    profile: Profile | None,
    over: Over | None,
    places: Floats,
    job: int,
    size: int,
    length: float,
    now: float,
) -> bool:
    """Let the place of a job begin earlier, if it can; say whether it does."""
    if over is not None:
        begin = places[job]
        if begin <= now:
            return False
        places[job] = move_nodes_up(over, job, size, begin, length)
        return places[job] < begin
    if profile is not None:
        return give_earlier(profile, places, job, size, length, now)
    return False


@compiled
def start_in_place(
    jobs: Jobs, state: State, profile: Profile | None, over: Over | None, job: int
) -> bool:
    """Choose a job whose place has begun, if what it has there is free."""
    if over is not None:
        if not take_place(over, job):
            return False
        start(jobs, state, over.nodes, job)
        return True
    if profile is not None:
        if jobs.processors[job] > state.counts[FREE]:
            return False
        choose(jobs, state, job)
        return True
    return False
