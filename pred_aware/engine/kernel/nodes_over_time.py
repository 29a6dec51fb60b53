"""The nodes of a site over time, as `schedulers.machine.nodes_over_time` defines it.

They are compiled where there are nodes and a bound on waiting alone. A job is where it runs, or, if
it `waits`, where it has a place.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_fit import is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_room import of_job, take_placed
from pred_aware.engine.kernel.nodes_values import (
    ALL_OF,
    AT_CHOICE,
    BIT,
    CHOICE,
    CHOSEN_ON,
    COUNT_OF,
    FREE_OF,
    HAS_WHOLE,
    HELD,
    JOB_WIDTH,
    JOBS,
    KIND,
    LATER,
    LEVELS,
    MEMORY_OF,
    NODE,
    NODE_WIDTH,
    PARTS,
    PIECES,
    PLACED,
    ROOM,
    SHORT,
    STEPS,
    TAKEN,
    TAKES,
    TOTAL,
    WORD,
    WORDS,
    Over,
)


@compiled
def _before(over: Over, date: float) -> int:
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
def _step_at(over: Over, date: float) -> int:
    """Return the step in which a date is, or the first one."""
    step = _before(over, date)
    if step == over.counts[STEPS] or over.times[step] > date:
        step -= 1
    return max(step, 0)


@compiled
def advance_nodes(over: Over, now: float) -> None:
    """Forget what lies before now."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    passed = _step_at(over, now)
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
def _split(over: Over, date: float) -> int:
    """Make a step begin at a date, and return its place."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    step = _before(over, date)
    if step < count and times[step] == date:
        return step
    if count == len(times):
        over.counts[SHORT] = 1
        return max(step - 1, 0)
    row, like = rows[count], rows[step - 1]
    over.totals[row] = over.totals[like]
    for node in range(over.free.shape[1]):
        over.free[row, node] = over.free[like, node]
    for node in range(over.memory.shape[1]):
        over.memory[row, node] = over.memory[like, node]
    for other in range(count, step, -1):
        times[other], rows[other] = times[other - 1], rows[other - 1]
    times[step], rows[step] = date, row
    over.counts[STEPS] = count + 1
    return step


@compiled_apart
def _join(over: Over, step: int) -> None:
    """Join a step to the one before, if they have become the same."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    if not 0 < step < count:
        return
    row, like = rows[step], rows[step - 1]
    if over.totals[row] != over.totals[like]:
        return
    for node in range(over.free.shape[1]):
        if over.free[row, node] != over.free[like, node]:
            return
    for node in range(over.memory.shape[1]):
        if over.memory[row, node] != over.memory[like, node]:
            return
    for other in range(step, count - 1):
        times[other], rows[other] = times[other + 1], rows[other + 1]
    rows[count - 1] = row
    over.counts[STEPS] = count - 1


@compiled
def _pieces(over: Over, job: int, waits: bool) -> tuple[int, int, bool]:  # noqa: FBT001 - compiled
    """Return where the nodes of a job stand, how many they are, and whether it has them whole."""
    values = over.nodes.values
    if waits:
        whole = is_whole(values, of_job(values, job, KIND), of_job(values, job, AT_CHOICE))
        return over.firsts[job], of_job(values, job, PARTS), whole
    whole = of_job(values, job, HAS_WHOLE) > 0
    return of_job(values, job, HELD), of_job(values, job, PIECES), whole


@compiled
def _piece(over: Over, at: int, waits: bool) -> tuple[int, int]:  # noqa: FBT001 - compiled
    """Return a node, and how many processors of it a job is given."""
    if waits:
        return over.placed[at, 0], over.placed[at, 1]
    return over.nodes.held[at, 0], over.nodes.held[at, 1]


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
    values = over.nodes.values
    first, count, whole = _pieces(over, job, waits)
    total = of_job(values, job, TAKES) if waits else of_job(values, job, TOTAL)
    kind = of_job(values, job, KIND)
    begin = _split(over, start)
    last = over.counts[STEPS] if end == NEVER else _split(over, end)
    for step in range(begin, last):
        over.totals[over.rows[step]] += sign * total
    for at in range(first, first + count):
        node, given = _piece(over, at, waits)
        taken = sign * kept(values, node, given, whole)
        memory = sign * memory_of(values, kind, given)
        for step in range(begin, last):
            over.free[over.rows[step], node] += taken
            if memory and over.memory.shape[1]:
                over.memory[over.rows[step], node] += memory
    _join(over, last)
    _join(over, begin)


@compiled_apart
def fits_over(
    over: Over,
    job: int,
    waits: bool,  # noqa: FBT001 - compiled
    start: float,
    end: float,
) -> bool:
    """Say whether what a job has is free from a date to another."""
    values = over.nodes.values
    first, count, whole = _pieces(over, job, waits)
    kind = of_job(values, job, KIND)
    begin = _step_at(over, start)
    last = max(begin + 1, _before(over, end))
    for at in range(first, first + count):
        node, given = _piece(over, at, waits)
        taken, memory = kept(values, node, given, whole), memory_of(values, kind, given)
        for step in range(begin, last):
            row = over.rows[step]
            if over.free[row, node] < taken:
                return False
            if over.memory.shape[1] and memory and over.memory[row, node] < memory:
                return False
    return True


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
        begin, count, whole = _pieces(over, job, True)
        kind = of_job(values, job, KIND)
        for step in range(max(own, first + 1), last):
            row = over.rows[step]
            for sign in (1, -1):
                for at in range(begin, begin + count):
                    node, given = _piece(over, at, True)
                    over.free[row, node] += sign * kept(values, node, given, whole)
                    if has_memory:
                        over.memory[row, node] += sign * memory_of(values, kind, given)
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
        if over.memory.shape[1]:
            values[room + values[MEMORY_OF] + node] = over.least[1, node]
    values[room + values[ALL_OF]] = total
    return place(values, room, of_job(values, job, KIND), -1)


@compiled
def _keep_place(over: Over, job: int) -> None:
    """Note the nodes that were chosen for a job that waits."""
    values = over.nodes.values
    first, count = over.firsts[job], values[CHOSEN_ON]
    for piece in range(count):
        over.placed[first + piece, 0] = values[values[PLACED] + 2 * piece]
        over.placed[first + piece, 1] = values[values[PLACED] + 2 * piece + 1]
    row = values[JOBS] + JOB_WIDTH * job
    values[row + PARTS], values[row + TAKES] = count, values[TAKEN]
    values[row + AT_CHOICE] = values[CHOICE]


@compiled_apart
def _search(over: Over, job: int, size: int, duration: float, before: float, own: int) -> float:
    """Choose the earliest place that begins before a date, and return when; else never."""
    times, rows, count = over.times, over.rows, over.counts[STEPS]
    more = of_job(over.nodes.values, job, TAKES)
    step = 0
    while step < count and times[step] < before:
        last = max(step + 1, _before(over, times[step] + duration))
        # where there are too few on all nodes together, nothing before can be a begin
        at = last - 1
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
        first = _step_at(over, start)
        last = max(first + 1, _before(over, end))
        if not _choose(over, job, size, first, last, len(over.times)):
            return False
        _keep_place(over, job)
    change_over(over, job, True, start, end, -1)
    return True


@compiled_apart
def move_nodes_up(over: Over, job: int, size: int, start: float, duration: float) -> float:
    """Give a job the earliest place once more, and return when it begins."""
    has = start < NEVER and duration > 0.0
    own = _split(over, start) if has else len(over.times)
    date = _search(over, job, size, duration, start, own)
    if date >= start:
        if has:
            _join(over, own)
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
    first, count, whole = _pieces(over, job, True)
    kind, room = of_job(values, job, KIND), values[ROOM]
    for piece in range(count):
        node, given = _piece(over, first + piece, True)
        if values[room + values[FREE_OF] + node] < kept(values, node, given, whole):
            return False
        memory = memory_of(values, kind, given)
        if memory and values[room + values[MEMORY_OF] + node] < memory:
            return False
    # as if they had been chosen now
    for piece in range(count):
        values[values[PLACED] + 2 * piece] = over.placed[first + piece, 0]
        values[values[PLACED] + 2 * piece + 1] = over.placed[first + piece, 1]
    values[CHOSEN_ON], values[TAKEN] = count, of_job(values, job, TAKES)
    values[CHOICE] = of_job(values, job, AT_CHOICE)
    take_placed(over.nodes, job)
    return True
