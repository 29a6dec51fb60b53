"""The steps of what is free on a site's nodes, as `schedulers.machine.nodes_over_time` has them.

They are compiled where there are nodes and places of waiting jobs alone. A job is where it runs,
or, if it `waits`, where it has a place.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_fit import is_whole, kept, memory_of
from pred_aware.engine.kernel.nodes_gpus import asks_for_rest
from pred_aware.engine.kernel.nodes_room import of_job
from pred_aware.engine.kernel.nodes_values import (
    AT_CHOICE,
    CHANGED,
    CORES,
    HAS_WHOLE,
    HELD,
    KIND,
    LOSSES,
    LOST_AT,
    MANY,
    NODE,
    NODE_WIDTH,
    PARTS,
    PIECES,
    SHORT,
    STEPS,
    TAKES,
    THERE,
    TOTAL,
    TYPES,
    Over,
)


@compiled_apart
def begin_over(over: Over, now: float) -> None:
    """Let all that is there be free from now on."""
    values, row, total = over.nodes.values, over.rows[0], 0
    for node in range(over.free.shape[1]):
        cores = values[values[NODE] + NODE_WIDTH * node + CORES]
        over.free[row, node] = cores
        total += cores
    for node in range(over.memory.shape[1]):
        over.memory[row, node] = values[values[THERE] + node]
    changed = values[LOST_AT] + values[CHANGED]
    for entry in range(values[changed], values[changed + 1]):
        lost = values[LOSSES] + 2 * entry
        over.free[row, values[lost]] -= values[lost + 1]
        total -= values[lost + 1]
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
def join(over: Over, step: int) -> None:
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
def pieces(over: Over, job: int, waits: bool) -> tuple[int, int, bool]:  # noqa: FBT001 - compiled
    """Return where the nodes of a job stand, how many they are, and whether it has them whole."""
    values = over.nodes.values
    if waits:
        whole = is_whole(values, of_job(values, job, KIND), of_job(values, job, AT_CHOICE))
        return over.firsts[job], of_job(values, job, PARTS), whole
    whole = of_job(values, job, HAS_WHOLE) > 0
    return of_job(values, job, HELD), of_job(values, job, PIECES), whole


@compiled
def piece(over: Over, at: int, waits: bool) -> tuple[int, int]:  # noqa: FBT001 - compiled
    """Return a node, and how many processors of it a job is given."""
    if waits:
        return over.placed[at, 0], over.placed[at, 1]
    return over.nodes.held[at, 0], over.nodes.held[at, 1]


@compiled
def gpus_on(over: Over, kind_of: int, node: int) -> int:
    """Return where those of a type that a node has stand behind the memory."""
    return (1 + kind_of) * over.nodes.values[MANY] + node


@compiled
def gpus_of(over: Over, at: int, waits: bool, kind_of: int) -> int:  # noqa: FBT001 - compiled
    """Return how many GPUs of a type it is given there."""
    return over.placed[at, 2 + kind_of] if waits else over.nodes.held[at, 2 + kind_of]


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
    first, count, whole = pieces(over, job, waits)
    total = of_job(values, job, TAKES) if waits else of_job(values, job, TOTAL)
    kind = of_job(values, job, KIND)
    begin = split(over, start)
    last = over.counts[STEPS] if end == NEVER else split(over, end)
    for step in range(begin, last):
        over.totals[over.rows[step]] += sign * total
    for at in range(first, first + count):
        node, given = piece(over, at, waits)
        taken = sign * kept(values, node, given, whole)
        memory = sign * memory_of(values, kind, given)
        for step in range(begin, last):
            over.free[over.rows[step], node] += taken
            if memory and over.memory.shape[1]:
                over.memory[over.rows[step], node] += memory
        for kind_of in range(values[TYPES]):
            gpus, of_node = sign * gpus_of(over, at, waits, kind_of), gpus_on(over, kind_of, node)
            for step in range(begin, last):
                over.memory[over.rows[step], of_node] += gpus
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
    values = over.nodes.values
    first, count, whole = pieces(over, job, waits)
    kind = of_job(values, job, KIND)
    begin = step_at(over, start)
    last = max(begin + 1, steps_before(over, end))
    rest = over.memory.shape[1] > 0 and asks_for_rest(values, kind)
    types = values[TYPES] if rest else 0
    for at in range(first, first + count):
        node, given = piece(over, at, waits)
        taken, memory = kept(values, node, given, whole), memory_of(values, kind, given)
        for step in range(begin, last):
            row = over.rows[step]
            if over.free[row, node] < taken:
                return False
            if rest and over.memory[row, node] < memory:
                return False
            for kind_of in range(types):
                gpus = gpus_of(over, at, waits, kind_of)
                if over.memory[row, gpus_on(over, kind_of, node)] < gpus:
                    return False
    return True
