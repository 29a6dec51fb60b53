"""The running jobs: a heap of their ends, and their planned ends in order."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.arrays import Floats, Integers
from pred_aware.engine.kernel.codes import (
    FREE,
    NEVER,
    PLANNED,
    RUNNING,
)
from pred_aware.engine.kernel.heap import pop, push
from pred_aware.engine.kernel.values import Jobs, State


@compiled
def push_end(state: State, job: int) -> None:
    """Add a job that starts, with its `ends_at` and `started`."""
    push(state.ends, state.counts[RUNNING], state.ends_at, state.started, job)
    state.counts[RUNNING] += 1


@compiled
def pop_end(state: State) -> int:
    """Remove the job that ends first, of those by when they started, and return it."""
    first = pop(state.ends, state.counts[RUNNING], state.ends_at, state.started)
    state.counts[RUNNING] -= 1
    return first


@compiled
def _place(plan: Integers, planned: Floats, count: int, job: int) -> int:
    """Return where a job stands among the planned ends, or would stand."""
    low, high = 0, count
    end = planned[job]
    while low < high:
        middle = (low + high) // 2
        other = plan[middle]
        if planned[other] < end or (planned[other] == end and other < job):
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def plan_job(state: State, job: int, end: float) -> None:
    """Plan a running job's end."""
    plan, count = state.plan, state.counts[PLANNED]
    state.planned[job] = end
    place = _place(plan, state.planned, count, job)
    for other in range(count, place, -1):
        plan[other] = plan[other - 1]
    plan[place] = job
    state.counts[PLANNED] = count + 1


@compiled
def unplan_job(state: State, job: int) -> None:
    """Forget a running job's planned end."""
    plan, count = state.plan, state.counts[PLANNED] - 1
    for place in range(_place(plan, state.planned, count + 1, job), count):
        plan[place] = plan[place + 1]
    state.counts[PLANNED] = count


@compiled
def reserve(jobs: Jobs, state: State, job: int, now: float) -> tuple[float, int]:
    """Return the first planned end with room for a job, and what is left over then.

    Jobs that end together count together; see `schedulers.machine.counting`.
    """
    date = now
    missing = jobs.processors[job] - state.counts[FREE]
    for place in range(state.counts[PLANNED]):
        running = state.plan[place]
        end = state.planned[running]
        if missing <= 0 and end > date:
            return date, -missing
        date = max(date, end)
        missing -= jobs.processors[running]
    if missing > 0:
        return NEVER, 0
    return date, -missing
