"""The running jobs: a heap of their ends, and their planned ends in order."""

from pred_aware.engine.compiled import compiled
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
def _place(state: State, job: int) -> int:
    """Return where a job stands among the planned ends, or would stand."""
    ends, end, count = state.plan_ends, state.planned[job], state.counts[PLANNED]
    # the same steps wherever it is, without a branch that could be guessed wrongly
    place, width = 0, count
    while width > 1:
        half = width >> 1
        place += half * (ends[place + half - 1] < end)
        width -= half
    if width:
        place += ends[place] < end
    while place < count and ends[place] == end and state.plan[place] < job:
        place += 1
    return place


@compiled
def plan_job(state: State, job: int, end: float) -> None:
    """Plan a running job's end."""
    state.planned[job] = end
    place, count = _place(state, job), state.counts[PLANNED]
    # views, whose places are known not to be negative
    plan, ends = state.plan[place : count + 1], state.plan_ends[place : count + 1]
    for index in range(len(plan)):
        plan[index], job = job, plan[index]
        ends[index], end = end, ends[index]
    state.counts[PLANNED] = count + 1


@compiled
def unplan_job(state: State, job: int) -> None:
    """Forget a running job's planned end."""
    place, count = _place(state, job), state.counts[PLANNED] - 1
    plan, ends = state.plan[place : count + 1], state.plan_ends[place : count + 1]
    for index in range(count - place):
        plan[index] = plan[index + 1]
        ends[index] = ends[index + 1]
    state.counts[PLANNED] = count


@compiled
def reserve(jobs: Jobs, state: State, job: int, now: float) -> tuple[float, int]:
    """Return the first planned end with room for a job, and what is left over then.

    Jobs that end together count together; see `schedulers.machine.counting`.
    """
    date = now
    missing = jobs.processors[job] - state.counts[FREE]
    for place in range(state.counts[PLANNED]):
        end = state.plan_ends[place]
        if missing <= 0 and end > date:
            return date, -missing
        date = max(date, end)
        missing -= jobs.processors[state.plan[place]]
    if missing > 0:
        return NEVER, 0
    return date, -missing
