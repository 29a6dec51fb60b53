"""Places of the jobs that a bound on waiting protects; see `bound`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import promise
from pred_aware.engine.kernel.codes import ENDED, KEPT, NEVER, WAIT, WAITING
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.over_time import (
    first_room,
    free_place,
    move_up,
    place_at,
    place_early,
    start_in_place,
)
from pred_aware.engine.kernel.running import plan_job
from pred_aware.engine.kernel.values import Bound, Jobs, Schedule, State


@compiled
def give_all_places(jobs: Jobs, state: State, bound: Bound, protected: int, now: float) -> None:
    """Move each place to the earliest date: those of the jobs that have waited come first."""
    listed, some, places = bound.listed, bound.offered, state.place
    waited, kept = 0, state.counts[KEPT] != 0
    for place in range(protected):
        job = listed[place]
        if bound.waited[job] or now - jobs.submit[job] >= bound.sums[WAIT]:
            some[waited] = job
            waited += 1
        # one whose place has begun needs another; one for which there is no room comes last
        kept &= places[job] < 0.0 or now <= places[job] < NEVER
    if state.counts[KEPT]:
        for place in range(protected):
            job = listed[place]
            if places[job] >= 0.0 and not (kept and (bound.waited[job] or not waited)):
                free_place_of(jobs, state, job, places[job], now)
    for index in range(waited):
        if not bound.waited[some[index]]:
            bound.waited[some[index]] = 1
            places[some[index]] = -1.0
    give_places(jobs, state, bound, some, waited, kept, now)
    if waited < protected:
        early = 0
        for place in range(protected):
            if not bound.waited[listed[place]]:
                some[early] = listed[place]
                early += 1
        give_places(jobs, state, bound, some, early, kept and not waited, now)
    state.counts[ENDED] = 0


@compiled
def free_place_of(jobs: Jobs, state: State, job: int, begin: float, now: float) -> None:
    """Free what a job has from now on at a place that begins at a date."""
    size, end = jobs.processors[job], begin + jobs.walltime[job]
    free_place(state.profile, state.over, job, size, max(begin, now), end)


@compiled
def keep_places(jobs: Jobs, state: State, now: float) -> None:
    """Leave the places to the next pass, but where nodes matter, or one has begun."""
    keeps = state.over is None
    for place in range(state.counts[WAITING]):
        begin = state.place[state.queue[place]]
        keeps &= begin < 0.0 or begin > now
    state.counts[KEPT] = keeps
    if not keeps:
        for place in range(state.counts[WAITING]):
            job = state.queue[place]
            if state.place[job] >= 0.0:
                free_place_of(jobs, state, job, max(state.place[job], now), now)


@compiled_apart
def give_places(
    jobs: Jobs,
    state: State,
    bound: Bound,
    some: Integers,
    count: int,
    kept: bool,  # noqa: FBT001 - compiled
    now: float,
) -> None:
    """Give a place to each of some jobs that has none, or whose place is somebody else's now.

    Those that were kept are nobody else's.
    """
    profile, over, held = state.profile, state.over, bound.held
    found = 0
    for index in range(count):
        job = some[index]
        if state.place[job] < 0.0:
            continue
        # one whose place has begun waits for processors of which the end is not yet reported
        begin = max(state.place[job], now)
        if kept or place_at(profile, over, job, jobs.processors[job], begin, jobs.walltime[job]):
            held[found] = job
            found += 1
        else:
            state.place[job] = -1.0
    if state.counts[ENDED]:
        while _move_up(jobs, state, held, found, now):
            pass
    for index in range(count):
        job = some[index]
        if state.place[job] < 0.0:
            size, length = jobs.processors[job], jobs.walltime[job]
            state.place[job] = place_early(profile, over, job, size, length)


@compiled
def _move_up(jobs: Jobs, state: State, held: Integers, count: int, now: float) -> bool:
    """Give each job the earliest place once more; say whether any has moved."""
    moved = False
    for index in range(count):
        job = held[index]
        size, length = jobs.processors[job], jobs.walltime[job]
        if move_up(state.profile, state.over, state.place, job, size, length, now):
            moved = True
    return moved


@compiled
def start_placed(
    jobs: Jobs, state: State, schedule: Schedule, bound: Bound, count: int, now: float
) -> None:
    """Choose the listed jobs whose place begins now."""
    for index in range(count):
        job = bound.listed[index]
        later = state.place[job] > now or stops(state.gate, state.counts, job)
        if later or not start_in_place(jobs, state, state.profile, state.over, job):
            promise(state, schedule, job, state.place[job])
            continue
        state.place[job] = -1.0
        bound.waited[job] = 0
        # for the backfilling inside it runs already
        plan_job(state, job, now + jobs.running[job])


@compiled
def find_late(jobs: Jobs, state: State, bound: Bound, others: int, ahead: float, now: float) -> int:
    """List the doubtful ones that will, beside what has just been chosen; return how many."""
    if ahead == 0.0:
        return 0
    found = 0
    wait = bound.sums[WAIT]
    for place in range(others):
        job = bound.others[place]
        if bound.doubtful[job] == 1:
            size, length = jobs.processors[job], jobs.walltime[job]
            room = first_room(state.profile, state.over, job, size, length)
            if now - jobs.submit[job] + ahead * (room - now) >= wait:
                bound.listed[found] = job
                found += 1
    return found
