"""Places of the jobs that a bound on waiting protects; see `bound`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import promise
from pred_aware.engine.kernel.codes import ENDED, KEPT, NEVER, WAIT, WAITING
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.moving import note_none, note_place
from pred_aware.engine.kernel.nodes_masks import lowest_of
from pred_aware.engine.kernel.nodes_values import BITS, Over
from pred_aware.engine.kernel.over_time import (
    first_room,
    free_place,
    move_up,
    place_at,
    place_early,
    start_in_place,
)
from pred_aware.engine.kernel.running import plan_job
from pred_aware.engine.kernel.values import Bound, Jobs, Profile, Schedule, State


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
            if not kept:
                note_place(profile, job, jobs.walltime[job], begin)
        else:
            state.place[job] = -1.0
    if state.counts[ENDED] and found:
        _compress(jobs, state, bound, profile, over, found, now)
    for index in range(count):
        job = some[index]
        if state.place[job] < 0.0:
            size, length = jobs.processors[job], jobs.walltime[job]
            state.place[job] = place_early(profile, over, job, size, length)
            note_place(profile, job, length, state.place[job])


@compiled
def _compress(
    jobs: Jobs,
    state: State,
    bound: Bound,
    profile: Profile | None,
    over: Over | None,
    count: int,
    now: float,
) -> None:
    """Give each job that is held the earliest place once more, until none moves."""
    held, moved = bound.held, True
    if over is not None:
        while moved:
            moved = False
            for index in range(count):
                moved |= _move(jobs, state, profile, over, held[index], now)
    elif profile is not None:
        # only those that may move, in the same order; not those that are held at another time
        may, waited = profile.moving.may, bound.waited[held[0]]
        while moved:
            moved = False
            for word in range(held[0] // BITS, held[count - 1] // BITS + 1):
                left = may[word]
                while left:
                    bit = left & -left
                    job = word * BITS + lowest_of(left)
                    if bound.waited[job] == waited:
                        moved |= _move(jobs, state, profile, over, job, now)
                        may[word] &= ~bit
                    # others behind it may have been added
                    left = may[word] & ~(bit | (bit - 1))


@compiled_apart
def _move(
    jobs: Jobs, state: State, profile: Profile | None, over: Over | None, job: int, now: float
) -> bool:
    """Give a job the earliest place once more; say whether it has moved."""
    length = jobs.walltime[job]
    moved = move_up(profile, over, state.place, job, jobs.processors[job], length, now)
    if moved:
        note_place(profile, job, length, state.place[job])
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
        note_none(state.profile, job)
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
