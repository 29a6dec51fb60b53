"""Places on a site's nodes over time, as `schedulers.machine.nodes_over_time` gives them.

They are compiled where there are nodes and places of waiting jobs alone.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_fit import kept, memory_of, place
from pred_aware.engine.kernel.nodes_gpus import asks_for_rest, gpus_at
from pred_aware.engine.kernel.nodes_room import of_job, take_placed
from pred_aware.engine.kernel.nodes_steps import (
    change_over,
    fits_over,
    gpus_of,
    gpus_on,
    join,
    piece,
    pieces,
    split,
    step_at,
    steps_before,
)
from pred_aware.engine.kernel.nodes_values import (
    ALL_OF,
    AT_CHOICE,
    BIT,
    CHOICE,
    CHOSEN_ON,
    COUNT_OF,
    FREE_OF,
    GPUS_PLACED,
    JOB_WIDTH,
    JOBS,
    KIND,
    LATER,
    LEVELS,
    LOST,
    MEMORY_OF,
    NODE,
    NODE_WIDTH,
    PARTS,
    PLACED,
    ROOM,
    STEPS,
    TAKEN,
    TAKES,
    TYPES,
    WORD,
    WORDS,
    Over,
)


@compiled
def _least(over: Over, job: int, first: int, last: int, own: int) -> int:
    """Bring together what is free throughout some steps; return how many processors.

    What the job itself has from the step `own` on counts as free.
    """
    values = over.nodes.values
    least, has_memory = over.least, over.memory.shape[1] > 0
    for node in range(over.free.shape[1]):
        least[0, node] = over.free[over.rows[first], node]
    for node in range(over.memory.shape[1]):
        least[1, node] = over.memory[over.rows[first], node]
    for step in range(first + 1, min(last, own)):
        _lower(over, over.rows[step])
    if own < last:
        begin, count, whole = pieces(over, job, True)
        kind = of_job(values, job, KIND)
        for step in range(max(own, first + 1), last):
            row = over.rows[step]
            for sign in (1, -1):
                for at in range(begin, begin + count):
                    node, given = piece(over, at, True)
                    over.free[row, node] += sign * kept(values, node, given, whole)
                    if has_memory:
                        over.memory[row, node] += sign * memory_of(values, kind, given)
                    for kind_of in range(values[TYPES]):
                        gpus = sign * gpus_of(over, at, True, kind_of)
                        over.memory[row, gpus_on(over, kind_of, node)] += gpus
                if sign > 0:
                    _lower(over, row)
    total = 0
    for node in range(over.free.shape[1]):
        total += max(least[0, node], 0)
    return total


@compiled
def _lower(over: Over, row: int) -> None:
    """Leave of the least what is free in a step as well."""
    least = over.least
    for node in range(over.free.shape[1]):
        least[0, node] = min(least[0, node], over.free[row, node])
    for node in range(over.memory.shape[1]):
        least[1, node] = min(least[1, node], over.memory[row, node])


@compiled_apart
def _choose(over: Over, job: int, size: int, first: int, last: int, own: int) -> bool:
    """Choose nodes for a job on what is free throughout some steps; say whether there is room."""
    values = over.nodes.values
    total = _least(over, job, first, last, own)
    if total < size:
        return False
    room, words = values[LATER], values[WORDS]
    for level in range(values[LEVELS]):
        values[room + values[COUNT_OF] + level] = 0
        for word in range(words):
            values[room + level * words + word] = 0
    for node in range(over.free.shape[1]):
        free = max(over.least[0, node], 0)
        row = values[NODE] + NODE_WIDTH * node
        if free:
            values[room + free * words + values[row + WORD]] |= values[row + BIT]
            values[room + values[COUNT_OF] + free] += 1
        values[room + values[FREE_OF] + node] = free
    for node in range(over.memory.shape[1]):
        values[room + values[MEMORY_OF] + node] = over.least[1, node]
    values[room + values[ALL_OF]] = total
    return place(values, room, of_job(values, job, KIND), -1)


@compiled
def _keep_place(over: Over, job: int) -> None:
    """Note the nodes that were chosen for a job that waits."""
    values = over.nodes.values
    first, count, types = over.firsts[job], values[CHOSEN_ON], values[TYPES]
    for index in range(count):
        over.placed[first + index, 0] = values[values[PLACED] + 2 * index]
        over.placed[first + index, 1] = values[values[PLACED] + 2 * index + 1]
        for kind_of in range(types):
            gpus = values[values[GPUS_PLACED] + types * index + kind_of]
            over.placed[first + index, 2 + kind_of] = gpus
    row = values[JOBS] + JOB_WIDTH * job
    values[row + PARTS], values[row + TAKES] = count, values[TAKEN]
    values[row + AT_CHOICE] = values[CHOICE]


@compiled_apart
def _search(over: Over, job: int, size: int, duration: float, before: float, own: int) -> float:
    """Choose the earliest place that begins before a date, and return when; else never."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    values = over.nodes.values
    more = of_job(values, job, TAKES)
    step = 0
    while step < count and times[step] < before:
        last = max(step + 1, steps_before(over, times[step] + duration))
        # where there are too few on all nodes together, nothing before can be a begin; of what is
        # lost they have less than none
        at = step - 1 if values[LOST] else last - 1
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
    known = of_job(over.nodes.values, job, PARTS)
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
    values = over.nodes.values
    first, count, whole = pieces(over, job, True)
    kind, room, types = of_job(values, job, KIND), values[ROOM], values[TYPES]
    rest = asks_for_rest(values, kind)
    for index in range(count):
        node, given = piece(over, first + index, True)
        if values[room + values[FREE_OF] + node] < kept(values, node, given, whole):
            return False
        if rest and values[room + values[MEMORY_OF] + node] < memory_of(values, kind, given):
            return False
        for kind_of in range(types if rest else 0):
            gpus = gpus_of(over, first + index, True, kind_of)
            if values[gpus_at(values, room, kind_of, node)] < gpus:
                return False
    # as if they had been chosen now
    for index in range(count):
        values[values[PLACED] + 2 * index] = over.placed[first + index, 0]
        values[values[PLACED] + 2 * index + 1] = over.placed[first + index, 1]
        for kind_of in range(types):
            gpus = gpus_of(over, first + index, True, kind_of)
            values[values[GPUS_PLACED] + types * index + kind_of] = gpus
    values[CHOSEN_ON], values[TAKEN] = count, of_job(values, job, TAKES)
    values[CHOICE] = of_job(values, job, AT_CHOICE)
    take_placed(over.nodes, job)
    return True
