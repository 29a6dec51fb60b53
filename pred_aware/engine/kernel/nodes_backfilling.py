"""Passes on a site's nodes; each chooses the jobs that start now, see `schedulers.backfilling`.

They are compiled where there are nodes alone.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.around import backfill_around
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.choosing import (
    list_beside,
    list_fitting,
    promise,
    sort_candidates,
    start,
)
from pred_aware.engine.kernel.codes import (
    CONSERVATIVE,
    EASY,
    FILLER,
    FREE,
    FROM_QUEUE,
    ORDERED,
    PASSED,
    QUEUE,
    TRUSTS,
)
from pred_aware.engine.kernel.conservative import choose_placed
from pred_aware.engine.kernel.gate import stops
from pred_aware.engine.kernel.nodes_beside import take_beside
from pred_aware.engine.kernel.nodes_reservation import reserve_nodes
from pred_aware.engine.kernel.nodes_room import take_room
from pred_aware.engine.kernel.nodes_values import EXTRA, Nodes, Over
from pred_aware.engine.kernel.queueing import list_by_submission, put_in_order
from pred_aware.engine.kernel.running import plan_job
from pred_aware.engine.kernel.slurm import choose_as_slurm
from pred_aware.engine.kernel.slurm_values import Slurm
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State


@compiled_apart
def choose_on_nodes(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    nodes: Nodes,
    beside: Over | None,
    items: Integers,
    count: int,
    now: float,
) -> None:
    """Choose among jobs of the queue; without trust, as EASY does."""
    waiting, trusts = items, state.counts[TRUSTS] != 0
    if not trusts:
        list_by_submission(rules, state, items, count)
        waiting = state.ordered
    elif rules.changes:
        put_in_order(jobs, rules, state, items, count, now)
        waiting, count = state.ordered, state.counts[ORDERED]
    if rules.backfilling == EASY or not trusts:
        _easy(jobs, rules, state, schedule, nodes, beside, waiting, count, now)
    elif rules.backfilling == FILLER:
        _fill(jobs, rules, state, schedule, nodes, waiting, count)
    elif rules.backfilling == CONSERVATIVE:
        _place_all(jobs, rules, state, schedule, beside, waiting, count, now)
    else:
        _take_heads(jobs, state, nodes, waiting, count)


@compiled
def choose_slurm_on_nodes(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    nodes: Nodes,
    slurm: Slurm,
    count: int,
    now: float,
) -> None:
    """Choose among the jobs of the queue as Slurm does."""
    waiting = state.queue
    if rules.changes:
        put_in_order(jobs, rules, state, state.queue, count, now)
        waiting = state.ordered
    choose_as_slurm(jobs, state, schedule, slurm, nodes, waiting, count, now)


@compiled
def _take_heads(jobs: Jobs, state: State, nodes: Nodes, waiting: Integers, count: int) -> int:
    """Choose the jobs at the head of the queue while they fit; return how many."""
    for place in range(count):
        job = waiting[place]
        if stops(state.gate, state.counts, job) or not take_room(nodes, job):
            return place
        start(jobs, state, nodes, job)
    return count


@compiled
def _fill(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    nodes: Nodes,
    waiting: Integers,
    count: int,
) -> None:
    """Choose whatever fits."""
    able, found = state.able, list_fitting(jobs, state, waiting, count)
    sort_candidates(jobs, state, waiting, found, rules.candidates)
    head = 0
    for index in range(found):
        place = able[index]
        job = waiting[place]
        if jobs.processors[job] > state.counts[FREE]:
            continue
        if stops(state.gate, state.counts, job):
            break
        if not take_room(nodes, job):
            continue
        if place == head:
            head += 1
        else:
            schedule.started_as[job] = FROM_QUEUE
        start(jobs, state, nodes, job)
        if not state.counts[FREE]:
            break


@compiled
def _place_all(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    beside: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Give places to all, where they are kept beside the running jobs."""
    if beside is not None:
        choose_placed(jobs, rules, state, schedule, beside, waiting, count, now)


@compiled
def _reserve_several(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    beside: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Likewise, for the first of some jobs."""
    if beside is not None:
        backfill_around(jobs, rules, state, schedule, beside, waiting, count, now)


@compiled
def _easy(  # noqa: PLR0913, PLR0917 - a pass, in one piece
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    nodes: Nodes,
    beside: Over | None,
    waiting: Integers,
    count: int,
    now: float,
) -> None:
    """Choose the heads that fit, and who does not delay the first that does not."""
    counts, able = state.counts, state.able
    heads = 0
    if jobs.processors[waiting[0]] <= counts[FREE]:
        heads = _take_heads(jobs, state, nodes, waiting, count)
    if heads == count:
        return
    for place in range(heads):
        # they count as running in the reservation
        plan_job(state, waiting[place], now + jobs.running[waiting[place]])
    if counts[PASSED]:
        return
    if counts[TRUSTS] and rules.reservations > 1:
        behind = waiting[heads:]
        _reserve_several(jobs, rules, state, schedule, beside, behind, count - heads, now)
        return
    reserved = reserve_nodes(state, nodes, waiting[heads], now)
    promise(state, schedule, waiting[heads], reserved)
    if not counts[FREE]:
        return
    found = list_beside(jobs, state, waiting, heads + 1, count, now, reserved, nodes.counts[EXTRA])
    candidates = rules.candidates if counts[TRUSTS] else QUEUE
    sort_candidates(jobs, state, waiting, found, candidates)
    for index in range(found):
        job = waiting[able[index]]
        size, in_time = jobs.processors[job], now + jobs.backfilling[job] <= reserved
        if size > counts[FREE] or not (in_time or size <= nodes.counts[EXTRA]):
            continue
        if stops(state.gate, counts, job):
            break
        how = take_beside(nodes, job, in_time)
        if how < 0:
            continue
        schedule.started_as[job] = how
        start(jobs, state, nodes, job)
        if not counts[FREE]:
            break
