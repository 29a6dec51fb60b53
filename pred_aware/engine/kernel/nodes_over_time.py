"""Places on a site's nodes over time, as `schedulers.machine.nodes_over_time` gives them.

They are compiled where there are nodes and places of waiting jobs alone.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_fit import place, taken
from pred_aware.engine.kernel.nodes_room import are_free, copy_pieces, take_placed
from pred_aware.engine.kernel.nodes_steps import (
    change_over,
    fits_over,
    join,
    pieces_of,
    split,
    step_at,
    steps_before,
)
from pred_aware.engine.kernel.nodes_values import (
    CHOICE,
    CHOSEN_ON,
    LATER,
    LOST,
    NODE,
    PROCESSORS,
    STEPS,
    TAKEN,
    Over,
)


@compiled
def _least(over: Over, job: int, first: int, last: int, own: int) -> int:
    """Bring together what is free throughout some steps; return how many processors.

    What the job itself has from the step `own` on counts as free.
    """
    nodes, kind, least, placed = over.nodes, over.nodes.jobs.kind[job], over.least, over.placed
    for thing in range(over.free.shape[1]):
        for node in range(over.free.shape[2]):
            least[thing, node] = over.free[over.rows[first], thing, node]
    for step in range(first + 1, min(last, own)):
        _lower(over, over.rows[step])
    if own < last:
        begin, count, whole = pieces_of(over, job, True)
        for step in range(max(own, first + 1), last):
            row = over.rows[step]
            for sign in (1, -1):
                for piece in range(begin, begin + count):
                    for thing in range(over.free.shape[1]):
                        more = sign * taken(nodes, placed, piece, thing, kind, whole)
                        over.free[row, thing, placed[piece, NODE]] += more
                if sign > 0:
                    _lower(over, row)
    total = 0
    for node in range(over.free.shape[2]):
        total += max(least[PROCESSORS, node], 0)
    return total


@compiled
def _lower(over: Over, row: int) -> None:
    """Leave of the least what is free in a step as well."""
    least = over.least
    for thing in range(over.free.shape[1]):
        for node in range(over.free.shape[2]):
            least[thing, node] = min(least[thing, node], over.free[row, thing, node])


@compiled_apart
def _choose(over: Over, job: int, size: int, first: int, last: int, own: int) -> bool:
    """Choose nodes for a job on what is free throughout some steps; say whether there is room."""
    nodes, rooms, total = over.nodes, over.nodes.rooms, _least(over, job, first, last, own)
    if total < size:
        return False
    for level in range(rooms.levels.shape[1]):
        rooms.counts[LATER, level] = 0
        for word in range(rooms.levels.shape[2]):
            rooms.levels[LATER, level, word] = 0
    for thing in range(over.free.shape[1]):
        for node in range(over.free.shape[2]):
            rooms.free[LATER, thing, node] = over.least[thing, node]
    for node in range(over.free.shape[2]):
        free = max(over.least[PROCESSORS, node], 0)
        rooms.free[LATER, PROCESSORS, node] = free
        if free:
            rooms.levels[LATER, free, nodes.word[node]] |= nodes.bit[node]
            rooms.counts[LATER, free] += 1
    rooms.total[LATER] = total
    return place(nodes, LATER, nodes.jobs.kind[job], -1)


@compiled
def _keep_place(over: Over, job: int) -> None:
    """Note the nodes that were chosen for a job that waits."""
    jobs, counts = over.nodes.jobs, over.nodes.counts
    jobs.places[job], jobs.takes[job] = counts[CHOSEN_ON], counts[TAKEN]
    jobs.choice[job] = counts[CHOICE]
    chosen = over.nodes.choosing.pieces
    copy_pieces(chosen, 0, over.placed, over.firsts[job], counts[CHOSEN_ON])


@compiled_apart
def _search(over: Over, job: int, size: int, duration: float, before: float, own: int) -> float:
    """Choose the earliest place that begins before a date, and return when; else never."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    nodes, more = over.nodes, over.nodes.jobs.takes[job]
    step = 0
    while step < count and times[step] < before:
        last = max(step + 1, steps_before(over, times[step] + duration))
        # where there are too few on all nodes together, nothing before can be a begin; of what is
        # lost they have less than none
        at = step - 1 if nodes.counts[LOST] else last - 1
        while at >= step and over.totals[rows[at]] + (more if at >= own else 0) >= size:
            at -= 1
        if at >= step:
            step = at + 1
            continue
        if _choose(over, job, size, step, last, own):
            return times[step]
        step += 1
    return NEVER


@compiled_apart
def place_first(over: Over, job: int, size: int, duration: float) -> float:
    """Give a job the earliest place, and return when it begins."""
    date = _search(over, job, size, duration, NEVER, len(over.times))
    if date < NEVER:
        _keep_place(over, job)
        change_over(over, job, True, date, date + duration, -1)
    return date


@compiled_apart
def place_nodes_at(over: Over, job: int, size: int, start: float, duration: float) -> bool:
    """Give a job a place, if it fits, on the nodes that it had before."""
    end = start + duration
    known = over.nodes.jobs.places[job]
    if not known or not fits_over(over, job, True, start, end):
        first = step_at(over, start)
        last = max(first + 1, steps_before(over, end))
        if not _choose(over, job, size, first, last, len(over.times)):
            return False
        _keep_place(over, job)
    change_over(over, job, True, start, end, -1)
    return True


@compiled_apart
def move_nodes_up(over: Over, job: int, size: int, start: float, duration: float) -> float:
    """Give a job the earliest place once more, and return when it begins."""
    has = start < NEVER and duration > 0.0
    own = split(over, start) if has else len(over.times)
    date = _search(over, job, size, duration, start, own)
    if date >= start:
        if has:
            join(over, own)
        return start
    if has:
        change_over(over, job, True, start, start + duration, 1)
    _keep_place(over, job)
    change_over(over, job, True, date, date + duration, -1)
    return date


@compiled_apart
def take_place(over: Over, job: int) -> bool:
    """Take the nodes of a job's place, if they are free now."""
    nodes, jobs, counts = over.nodes, over.nodes.jobs, over.nodes.counts
    first, count, whole = pieces_of(over, job, True)
    if not are_free(nodes, over.placed, first, count, jobs.kind[job], whole):
        return False
    # as if they had been chosen now
    copy_pieces(over.placed, first, nodes.choosing.pieces, 0, count)
    counts[CHOSEN_ON], counts[TAKEN], counts[CHOICE] = count, jobs.takes[job], jobs.choice[job]
    take_placed(nodes, job)
    return True
