"""A bound on waiting around a backfilling, as `schedulers.backfilling.bounded` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.backfilling import choose_from_apart
from pred_aware.engine.kernel.backlog import look, starts_working, worked, worth
from pred_aware.engine.kernel.codes import (
    AS_HEAD,
    CHOSEN,
    ENDED,
    FREE,
    LONGEST,
    NEVER,
    TRUSTS,
    WAIT,
    WAITING,
)
from pred_aware.engine.kernel.gate import take_back_room
from pred_aware.engine.kernel.nodes_backfilling import choose_on_nodes
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.over_time import (
    has_place,
    hold,
    let_go,
    may_hold,
    move_on,
)
from pred_aware.engine.kernel.protected import (
    find_late,
    give_all_places,
    give_places,
    keep_places,
    start_placed,
)
from pred_aware.engine.kernel.queueing import sort_by_number
from pred_aware.engine.kernel.running import plan_job, unplan_job
from pred_aware.engine.kernel.trust import keep_estimates
from pred_aware.engine.kernel.values import (
    Bound,
    Jobs,
    Profile,
    Rules,
    Schedule,
    State,
    Trust,
)


@compiled
def end_bounded(
    jobs: Jobs, rules: Rules, state: State, bound: Bound, job: int, start: float, now: float
) -> None:
    """Free what is left of the walltime of a job that has ended."""
    if not rules.bounded:
        return
    state.counts[ENDED] = 1
    end = start + jobs.walltime[job]
    if end > now:
        move_on(state.profile, state.over, now)
        let_go(state.profile, state.over, job, jobs.processors[job], now, end)
    worked(jobs, rules, bound, job, now - start)


@compiled_apart
def choose_bounded(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound,
    trust: Trust,
    now: float,
) -> None:
    """Start protected jobs at their places, and choose others that push none back."""
    counts, nodes, queue = state.counts, state.nodes, state.queue
    if not rules.bounded:
        keep_estimates(jobs, state, trust, queue, counts[WAITING])
        _choose_inside(
            jobs, rules, state, schedule, state.profile, nodes, queue, counts[WAITING], now
        )
        return
    look(jobs, rules, state, bound, now)
    protected = _protect(jobs, rules, state, bound, now)
    ahead = _share_ahead(rules, counts, bound)
    doubtful = _doubt(jobs, state, bound, ahead, now)
    move_on(state.profile, state.over, now)
    if not protected and not doubtful:
        keep_estimates(jobs, state, trust, queue, counts[WAITING])
        _choose_inside(
            jobs, rules, state, schedule, state.profile, nodes, queue, counts[WAITING], now
        )
        for place in range(counts[CHOSEN]):
            job = state.chosen[place]
            end = now + jobs.walltime[job]
            hold(state.profile, state.over, job, jobs.processors[job], now, end)
        return
    sort_by_number(rules, state, bound.listed, protected)
    give_all_places(jobs, state, bound, protected, now)
    start_placed(jobs, state, schedule, bound, protected, now)
    while True:
        placed = counts[CHOSEN]
        others = _choose_others(jobs, rules, state, schedule, bound, trust, now)
        late = find_late(jobs, state, bound, others, ahead, now)
        if not late:
            break
        for place in range(placed, counts[CHOSEN]):
            job = state.chosen[place]
            end = now + jobs.walltime[job]
            let_go(state.profile, state.over, job, jobs.processors[job], now, end)
            _withdraw(jobs, state, schedule, job, now)
        counts[CHOSEN] = placed
        sort_by_number(rules, state, bound.listed, late)
        give_places(jobs, state, bound, bound.listed, late, False, now)
        start_placed(jobs, state, schedule, bound, late, now)
    keep_places(jobs, state, now)


@compiled
def _choose_inside(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    counted: Profile | None,
    nodes: Nodes | None,
    items: Integers,
    count: int,
    now: float,
) -> None:
    if counted is not None:
        choose_from_apart(jobs, rules, state, schedule, items, count, now)
    elif nodes is not None:
        choose_on_nodes(jobs, rules, state, schedule, nodes, state.beside, items, count, now)


@compiled
def count_starts(jobs: Jobs, rules: Rules, state: State, bound: Bound) -> None:
    """Count the jobs that have started: in the backlog, and as work that has overtaken others."""
    if not rules.bounded:
        return
    for place in range(state.counts[CHOSEN]):
        job = state.chosen[place]
        starts_working(rules, bound, job)
        if rules.overtaken == NEVER:
            continue
        work = jobs.processors[job] * jobs.walltime[job]
        for other in range(state.counts[WAITING]):
            if state.queue[other] < job:
                bound.overtaken[state.queue[other]] += work


@compiled
def _protect(jobs: Jobs, rules: Rules, state: State, bound: Bound, now: float) -> int:
    """List the jobs that nobody may push back; return how many."""
    found = 0
    wait = bound.sums[WAIT]
    by_work = rules.overtaken < NEVER
    for place in range(state.counts[WAITING]):
        job = state.queue[place]
        if (
            now - jobs.submit[job] >= wait
            or state.place[job] >= 0.0
            or (by_work and bound.overtaken[job] >= rules.overtaken)
        ):
            bound.listed[found] = job
            bound.doubtful[job] = -1
            found += 1
        else:
            bound.doubtful[job] = 0
    return found


@compiled
def _share_ahead(rules: Rules, counts: Integers, bound: Bound) -> float:
    """Return the share of the time until there is room that counts as waited."""
    if rules.ahead == 0.0 or not counts[TRUSTS]:
        return 0.0
    return min(1.0, rules.ahead * worth(bound))


@compiled
def _doubt(jobs: Jobs, state: State, bound: Bound, ahead: float, now: float) -> bool:
    """Mark who may have waited too long by the time that there is room; say whether anybody."""
    if ahead == 0.0:
        return False
    found = False
    sums, queue = bound.sums, state.queue
    for place in range(state.counts[WAITING]):
        sums[LONGEST] = max(sums[LONGEST], jobs.walltime[queue[place]])
    latest = now - sums[WAIT] + ahead * sums[LONGEST]
    for place in range(state.counts[WAITING]):
        job = queue[place]
        if bound.doubtful[job] == 0 and jobs.submit[job] <= latest:
            bound.doubtful[job] = 1
            found = True
    return found


@compiled_apart
def _choose_others(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound,
    trust: Trust,
    now: float,
) -> int:
    """Choose what the backfilling inside chooses, until nothing pushes a place back.

    Return how many others are left.
    """
    counts = state.counts
    others, offered = bound.others, bound.offered
    count = 0
    for place in range(counts[WAITING]):
        job = state.queue[place]
        if state.place[job] < 0.0 and state.planned[job] < 0.0:
            bound.refused[job] = 0
            others[count] = job
            count += 1
    while counts[FREE] > 0 and count:
        able = _offer(jobs, state, bound, count, now)
        if not able:
            break
        first = kept = counts[CHOSEN]
        keep_estimates(jobs, state, trust, offered, able)
        _choose_inside(jobs, rules, state, schedule, state.profile, state.nodes, offered, able, now)
        last = counts[CHOSEN]
        for place in range(first, last):
            job = state.chosen[place]
            if _hold(jobs, state, job, now):
                state.chosen[kept] = job
                kept += 1
            else:
                _withdraw(jobs, state, schedule, job, now)
                bound.refused[job] = 1
        counts[CHOSEN] = kept
        left = 0
        for place in range(count):
            job = others[place]
            if state.planned[job] < 0.0:
                others[left] = job
                left += 1
        count = left
        if kept == last:
            break
    return count


@compiled
def _offer(jobs: Jobs, state: State, bound: Bound, count: int, now: float) -> int:
    """List the others that have no room, or room up to their walltimes; return how many."""
    able = 0
    for place in range(count):
        job = bound.others[place]
        if bound.refused[job]:
            continue
        size, length = jobs.processors[job], jobs.walltime[job]
        if size > state.counts[FREE] or has_place(
            state.profile, state.over, job, size, now, length
        ):
            bound.offered[able] = job
            able += 1
    return able


@compiled
def _hold(jobs: Jobs, state: State, job: int, now: float) -> bool:
    """Let a job that was chosen run up to its walltime, unless that pushes a place back."""
    end = now + jobs.walltime[job]
    if not may_hold(state.profile, state.over, job, jobs.processors[job], now, end):
        return False
    hold(state.profile, state.over, job, jobs.processors[job], now, end)
    if state.planned[job] < 0.0:
        plan_job(state, job, now + jobs.running[job])
    return True


@compiled
def _withdraw(jobs: Jobs, state: State, schedule: Schedule, job: int, now: float) -> None:
    """Undo that a job was chosen."""
    take_back_room(jobs, state, job, now)
    schedule.started_as[job] = AS_HEAD
    if state.planned[job] >= 0.0:
        unplan_job(state, job)
        state.planned[job] = -1.0
