"""The steps of what is free on a site's nodes, as `schedulers.machine.nodes_over_time` has them.

They are compiled where there are nodes and places of waiting jobs alone. A job is where it runs,
or, if it `waits`, where it has a place.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_fit import is_whole, taken
from pred_aware.engine.kernel.nodes_gpus import asks_for_rest
from pred_aware.engine.kernel.nodes_values import (
    CHANGED,
    NODE,
    PROCESSORS,
    SHORT,
    STEPS,
    Over,
)


@compiled_apart
def begin_over(over: Over, now: float) -> None:
    """Let all that is there be free from now on."""
    nodes, row, total = over.nodes, over.rows[0], 0
    for node in range(over.free.shape[2]):
        for thing in range(over.free.shape[1]):
            over.free[row, thing, node] = nodes.there[thing, node]
        total += nodes.there[PROCESSORS, node]
    changed = nodes.counts[CHANGED]
    for entry in range(nodes.lost_at[changed], nodes.lost_at[changed + 1]):
        node, lost = nodes.losses[entry, 0], nodes.losses[entry, 1]
        over.free[row, PROCESSORS, node] -= lost
        total -= lost
    over.totals[row] = total
    over.times[0] = now
    over.counts[STEPS] = 1


@compiled
def steps_before(over: Over, date: float) -> int:
    """Return how many steps begin before a date."""
    low, high = 0, over.counts[STEPS]
    while low < high:
        middle = (low + high) // 2
        if over.times[middle] < date:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def step_at(over: Over, date: float) -> int:
    """Return the step in which a date is, or the first one."""
    step = steps_before(over, date)
    if step == over.counts[STEPS] or over.times[step] > date:
        step -= 1
    return max(step, 0)


@compiled
def advance_nodes(over: Over, now: float) -> None:
    """Forget what lies before now."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    passed = step_at(over, now)
    for _ in range(passed):
        # its row is the first that is taken again
        row = rows[0]
        for step in range(count - 1):
            times[step], rows[step] = times[step + 1], rows[step + 1]
        count -= 1
        rows[count] = row
    over.counts[STEPS] = count
    times[0] = now


@compiled_apart
def split(over: Over, date: float) -> int:
    """Make a step begin at a date, and return its place."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    step = steps_before(over, date)
    if step < count and times[step] == date:
        return step
    if count == len(times):
        over.counts[SHORT] = 1
        return max(step - 1, 0)
    row, like = rows[count], rows[step - 1]
    over.totals[row] = over.totals[like]
    for thing in range(over.free.shape[1]):
        for node in range(over.free.shape[2]):
            over.free[row, thing, node] = over.free[like, thing, node]
    for other in range(count, step, -1):
        times[other], rows[other] = times[other - 1], rows[other - 1]
    times[step], rows[step] = date, row
    over.counts[STEPS] = count + 1
    return step


@compiled_apart
def join(over: Over, step: int) -> None:
    """Join a step to the one before, if they have become the same."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    if not 0 < step < count:
        return
    row, like = rows[step], rows[step - 1]
    if over.totals[row] != over.totals[like]:
        return
    for thing in range(over.free.shape[1]):
        for node in range(over.free.shape[2]):
            if over.free[row, thing, node] != over.free[like, thing, node]:
                return
    for other in range(step, count - 1):
        times[other], rows[other] = times[other + 1], rows[other + 1]
    rows[count - 1] = row
    over.counts[STEPS] = count - 1


@compiled
def pieces_of(over: Over, job: int, waits: bool) -> tuple[int, int, bool]:  # noqa: FBT001 - compiled
    """Return where the pieces of a job stand, how many they are, and whether it has nodes whole."""
    jobs = over.nodes.jobs
    if waits:
        whole = is_whole(over.nodes, jobs.kind[job], jobs.choice[job])
        return over.firsts[job], jobs.places[job], whole
    return jobs.first[job], jobs.pieces[job], jobs.whole[job] > 0


@compiled_apart
def change_over(
    over: Over,
    job: int,
    waits: bool,  # noqa: FBT001 - compiled
    start: float,
    end: float,
    sign: int,
) -> None:
    """Give back what a job has from a date to another, or take it, if the sign is -1."""
    if end <= start:
        return
    nodes, jobs = over.nodes, over.nodes.jobs
    pieces = over.placed if waits else nodes.held
    first, count, whole = pieces_of(over, job, waits)
    total = jobs.takes[job] if waits else jobs.total[job]
    begin = split(over, start)
    last = over.counts[STEPS] if end == NEVER else split(over, end)
    for step in range(begin, last):
        over.totals[over.rows[step]] += sign * total
    for piece in range(first, first + count):
        node = pieces[piece, NODE]
        for thing in range(over.free.shape[1]):
            more = sign * taken(nodes, pieces, piece, thing, jobs.kind[job], whole)
            if more:
                for step in range(begin, last):
                    over.free[over.rows[step], thing, node] += more
    join(over, last)
    join(over, begin)


@compiled_apart
def fits_over(
    over: Over,
    job: int,
    waits: bool,  # noqa: FBT001 - compiled
    start: float,
    end: float,
) -> bool:
    """Say whether what a job has is free from a date to another."""
    nodes, kind = over.nodes, over.nodes.jobs.kind[job]
    pieces = over.placed if waits else nodes.held
    first, count, whole = pieces_of(over, job, waits)
    begin = step_at(over, start)
    last = max(begin + 1, steps_before(over, end))
    things = over.free.shape[1] if asks_for_rest(nodes, kind) else PROCESSORS + 1
    for piece in range(first, first + count):
        for thing in range(things):
            wanted = taken(nodes, pieces, piece, thing, kind, whole)
            for step in range(begin, last):
                if over.free[over.rows[step], thing, pieces[piece, NODE]] < wanted:
                    return False
    return True
