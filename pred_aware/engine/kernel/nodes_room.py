"""Taking room on a site's nodes, and giving it back, as `schedulers.machine.nodes` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import EASY, RUNNING
from pred_aware.engine.kernel.nodes_fit import change, is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_gpus import gpus_at
from pred_aware.engine.kernel.nodes_masks import free_in, has, of_choice, of_kind
from pred_aware.engine.kernel.nodes_values import (
    ALL_OF,
    CHOICE,
    CHOSEN_ON,
    ENTRIES,
    FIRST,
    FREE_ON,
    FREE_WIDTH,
    FULL,
    GPUS_PLACED,
    HAS_WHOLE,
    HELD,
    IS_FREE,
    JOB_WIDTH,
    JOBS,
    KIND,
    KNOWN,
    LAST,
    MEMORY_OF,
    NO_ROOM,
    PARTS,
    PIECES,
    PLACED,
    PLACES,
    ROOM,
    ROUND,
    SHORT,
    SINCE,
    SIZE,
    STEPS,
    TAKEN,
    TOTAL,
    TRIED,
    TYPES,
    Nodes,
    Over,
)
from pred_aware.engine.kernel.values import Rules

_MORE_STEPS = 8


@compiled
def of_job(values: Integers, job: int, what: int) -> int:
    """Return what is known of a job."""
    return values[values[JOBS] + JOB_WIDTH * job + what]


@compiled
def free_now(values: Integers) -> int:
    """Return how many processors are free on all nodes."""
    return values[values[ROOM] + values[ALL_OF]]


@compiled
def is_full(nodes: Nodes | None, processors: int) -> bool:
    """Say whether there may be no room to note what the jobs get that start at a date."""
    if nodes is None:
        return False
    return nodes.values[ENTRIES] + processors > len(nodes.held)


@compiled
def has_too_few_steps(
    rules: Rules, over: Over | None, beside: Over | None, counts: Integers, waiting: int
) -> bool:
    """Say whether there may be too few of them for what so many waiting jobs do at a date."""
    placed = waiting
    if rules.backfilling == EASY:
        # who reserves, and who starts
        placed = min(waiting, rules.reservations + rules.processors)
    return _is_short(over, counts, waiting) or _is_short(beside, counts, placed)


@compiled
def _is_short(over: Over | None, counts: Integers, waiting: int) -> bool:
    if over is None:
        return False
    # each begins and ends once, what it has is split off once, and some have just ended; it may
    # begin anew with what runs
    steps = over.counts[STEPS] + counts[RUNNING]
    return steps + 2 * waiting + _MORE_STEPS > len(over.times)


@compiled
def has_failed(nodes: Nodes | None, over: Over | None, beside: Over | None) -> bool:
    """Say whether there was too little room for what was to be noted at a date."""
    if nodes is None:
        return False
    return nodes.values[FULL] > 0 or _was_short(over) or _was_short(beside)


@compiled
def _was_short(over: Over | None) -> bool:
    return False if over is None else over.counts[SHORT] > 0


@compiled_apart
def take_room(nodes: Nodes, job: int) -> bool:
    """Take the nodes that are best; say whether there was room."""
    values = nodes.values
    kind = of_job(values, job, KIND)
    known = values[KNOWN] + 2 * kind + NO_ROOM
    if of_kind(values, kind, SIZE) > free_now(values) or values[known] == values[ROUND]:
        return False
    if not _may_have_room(values, kind) or not place(values, values[ROOM], kind, -1):
        values[known] = values[ROUND]
        return False
    take_placed(nodes, job)
    return True


@compiled
def _may_have_room(values: Integers, kind: int) -> bool:
    """Say whether as many processors may be free where they are asked for."""
    for index in range(of_kind(values, kind, FIRST), of_kind(values, kind, LAST)):
        among = of_choice(values, values[values[TRIED] + index], PLACES)
        row = values[FREE_ON] + FREE_WIDTH * among
        if values[row + SINCE] != values[ROUND]:
            values[row + SINCE] = values[ROUND]
            values[row + IS_FREE] = free_in(values, values[ROOM], among, -1)
        if values[row + IS_FREE] >= of_kind(values, kind, SIZE):
            return True
    return False


@compiled
def take_placed(nodes: Nodes, job: int) -> None:
    """Take what was chosen for a job."""
    values, held = nodes.values, nodes.held
    row, first, pieces = values[JOBS] + JOB_WIDTH * job, values[ENTRIES], values[CHOSEN_ON]
    types = values[TYPES]
    if first + pieces > len(held):
        # what jobs had that were chosen for nothing
        values[FULL], first = 1, 0
    for piece in range(pieces):
        held[first + piece, 0] = values[values[PLACED] + 2 * piece]
        held[first + piece, 1] = values[values[PLACED] + 2 * piece + 1]
        for kind_of in range(types):
            held[first + piece, 2 + kind_of] = values[values[GPUS_PLACED] + types * piece + kind_of]
    values[row + HELD], values[row + PIECES], values[row + TOTAL] = first, pieces, values[TAKEN]
    values[row + HAS_WHOLE] = is_whole(values, values[row + KIND], values[CHOICE])
    values[ENTRIES] = first + pieces
    values[row + PARTS] = 0
    add(nodes, values[ROOM], job, -1)


@compiled
def given_back(nodes: Nodes | None, job: int, processors: int) -> int:
    """Give back what a job had that has ended; return how many more processors are free."""
    if nodes is None:
        return processors
    before = free_now(nodes.values)
    add(nodes, nodes.values[ROOM], job, 1)
    nodes.values[ROUND] += 1
    # of nodes that are lost it is not all that it had
    return free_now(nodes.values) - before


@compiled_apart
def add(nodes: Nodes, room: int, job: int, sign: int) -> None:
    """Let what a job has be free, or no more."""
    values, held = nodes.values, nodes.held
    first, whole = of_job(values, job, HELD), of_job(values, job, HAS_WHOLE) > 0
    kind = of_job(values, job, KIND)
    for piece in range(first, first + of_job(values, job, PIECES)):
        node, given = held[piece, 0], held[piece, 1]
        change(values, room, node, sign * kept(values, node, given, whole))
        memory = room + values[MEMORY_OF] + node
        values[memory] += sign * memory_of(values, kind, given)
        for kind_of in range(values[TYPES]):
            values[gpus_at(values, room, kind_of, node)] += sign * held[piece, 2 + kind_of]


@compiled
def had_in(nodes: Nodes, job: int, among: int) -> int:
    """Return how many processors of a set of nodes a job has, and nobody else can have."""
    values, held, total = nodes.values, nodes.held, 0
    first, whole = of_job(values, job, HELD), of_job(values, job, HAS_WHOLE) > 0
    for piece in range(first, first + of_job(values, job, PIECES)):
        node = held[piece, 0]
        if has(values, among, node):
            total += kept(values, node, held[piece, 1], whole)
    return total


@compiled
def placed_in(values: Integers, kind: int, among: int) -> int:
    """Return how many processors of a set of nodes are chosen, and nobody else can have."""
    whole, placed, total = is_whole(values, kind, values[CHOICE]), values[PLACED], 0
    for piece in range(values[CHOSEN_ON]):
        node = values[placed + 2 * piece]
        if has(values, among, node):
            total += kept(values, node, values[placed + 2 * piece + 1], whole)
    return total
