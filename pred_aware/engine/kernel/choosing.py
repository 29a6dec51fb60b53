"""What the passes share: choosing a job, promising a start, sorting candidates."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import BEST_FIT, CHOSEN, FREE, NEVER, PASSED, QUEUE, SHORTEST
from pred_aware.engine.kernel.gate import took
from pred_aware.engine.kernel.nodes_had import note_had
from pred_aware.engine.kernel.nodes_room import free_now
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.sorting import sort_by
from pred_aware.engine.kernel.values import Jobs, Schedule, State


@compiled
def choose(jobs: Jobs, state: State, job: int) -> None:
    """Let a job start, on processors that are free."""
    counts = state.counts
    counts[FREE] -= jobs.processors[job]
    state.chosen[counts[CHOSEN]] = job
    counts[CHOSEN] += 1
    took(state.gate, jobs, job)


@compiled_apart
def start(jobs: Jobs, state: State, nodes: Nodes, job: int) -> None:
    """Let a job start, for which nodes are taken."""
    counts = state.counts
    counts[FREE] = free_now(nodes)
    note_had(state.gate, nodes, job)
    state.chosen[counts[CHOSEN]] = job
    counts[CHOSEN] += 1
    took(state.gate, jobs, job)


@compiled
def promise(state: State, schedule: Schedule, job: int, start: float) -> None:
    """Note the start that a reservation promises; infinite, or in a pass that is over, none."""
    if not state.counts[PASSED]:
        note_promise(schedule, job, start)


@compiled
def note_promise(schedule: Schedule, job: int, start: float) -> None:
    """Note it, whether the pass is over or not."""
    if start < NEVER:
        if schedule.first_promise[job] < 0.0:
            schedule.first_promise[job] = start
        schedule.last_promise[job] = start


@compiled
def list_fitting(jobs: Jobs, state: State, waiting: Integers, count: int) -> int:
    """List in `able` the places of jobs that fit now; return how many."""
    found = 0
    for place in range(count):
        if jobs.processors[waiting[place]] <= state.counts[FREE]:
            state.able[found] = place
            found += 1
    return found


@compiled
def list_beside(  # noqa: PLR0913, PLR0917 - compiled
    jobs: Jobs,
    state: State,
    waiting: Integers,
    first: int,
    count: int,
    now: float,
    reserved: float,
    extra: int,
) -> int:
    """List in `able` the places of jobs with a chance beside a reservation; return how many."""
    able, free, found = state.able, state.counts[FREE], 0
    for place in range(first, count):
        if has_a_chance(jobs, waiting[place], now, free, reserved, extra):
            able[found] = place
            found += 1
    return found


@compiled
def has_a_chance(jobs: Jobs, job: int, now: float, free: int, reserved: float, extra: int) -> bool:
    """Say whether a job may start beside a reservation; what is free and extra only shrink."""
    size = jobs.processors[job]
    return size <= free and (size <= extra or now + jobs.backfilling[job] <= reserved)


@compiled
def sort_candidates(
    jobs: Jobs, state: State, waiting: Integers, count: int, candidates: int
) -> None:
    """Sort the places in `able` as candidates are tried; equal ones stay as they wait."""
    if candidates != QUEUE:
        key_candidates(jobs, state, waiting, count, candidates)
        sort_by(state.keys, state.able, count)


@compiled
def key_candidates(
    jobs: Jobs, state: State, waiting: Integers, count: int, candidates: int
) -> None:
    """Fill in for the places in `able` what they are sorted by."""
    able, keys = state.able, state.keys
    for index in range(count):
        job = waiting[able[index]]
        if candidates == SHORTEST:
            keys[able[index]] = jobs.backfilling[job]
        else:
            size = float(jobs.processors[job])
            keys[able[index]] = -size if candidates == BEST_FIT else size
