"""Taking room on a site's nodes, and giving it back, as `schedulers.machine.nodes` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import EASY, RUNNING
from pred_aware.engine.kernel.nodes_fit import change, is_whole, kept, place, taken
from pred_aware.engine.kernel.nodes_gpus import asks_for_rest
from pred_aware.engine.kernel.nodes_masks import free_in, has
from pred_aware.engine.kernel.nodes_values import (
    CHOICE,
    CHOSEN_ON,
    ENTRIES,
    FULL,
    GIVEN,
    NODE,
    PRESENT,
    PROCESSORS,
    ROUND,
    SHORT,
    STEPS,
    TAKEN,
    Nodes,
    Over,
    Pieces,
    Rooms,
)
from pred_aware.engine.kernel.values import Rules

_MORE_STEPS = 8


@compiled
def free_now(nodes: Nodes) -> int:
    """Return how many processors are free on all nodes."""
    return nodes.rooms.total[PRESENT]


@compiled
def is_full(nodes: Nodes | None, processors: int) -> bool:
    """Say whether there may be no room to note what the jobs get that start at a date."""
    if nodes is None:
        return False
    return nodes.counts[ENTRIES] + processors > len(nodes.held)


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
    return nodes.counts[FULL] > 0 or _was_short(over) or _was_short(beside)


@compiled
def _was_short(over: Over | None) -> bool:
    return False if over is None else over.counts[SHORT] > 0


@compiled_apart
def take_room(nodes: Nodes, job: int) -> bool:
    """Take the nodes that are best; say whether there was room."""
    kind, kinds, now = nodes.jobs.kind[job], nodes.kinds, nodes.counts[ROUND]
    if kinds.processors[kind] > free_now(nodes) or kinds.no_room[kind] == now:
        return False
    if not _may_have_room(nodes, kind) or not place(nodes, PRESENT, kind, -1):
        kinds.no_room[kind] = now
        return False
    take_placed(nodes, job)
    return True


@compiled
def _may_have_room(nodes: Nodes, kind: int) -> bool:
    """Say whether as many processors may be free where they are asked for."""
    sets = nodes.sets
    for index in range(nodes.kinds.first[kind], nodes.kinds.last[kind]):
        among = nodes.choices.nodes[nodes.tried[index]]
        if sets.since[among] != nodes.counts[ROUND]:
            sets.since[among] = nodes.counts[ROUND]
            sets.free[among] = free_in(nodes, PRESENT, among, -1)
        if sets.free[among] >= nodes.kinds.processors[kind]:
            return True
    return False


@compiled
def take_placed(nodes: Nodes, job: int) -> None:
    """Take what was chosen for a job."""
    jobs, counts = nodes.jobs, nodes.counts
    first, pieces = counts[ENTRIES], counts[CHOSEN_ON]
    if first + pieces > len(nodes.held):
        # what jobs had that were chosen for nothing
        counts[FULL], first = 1, 0
    copy_pieces(nodes.choosing.pieces, 0, nodes.held, first, pieces)
    jobs.first[job], jobs.pieces[job], jobs.total[job] = first, pieces, counts[TAKEN]
    jobs.whole[job] = is_whole(nodes, jobs.kind[job], counts[CHOICE])
    counts[ENTRIES] = first + pieces
    jobs.places[job] = 0
    add(nodes, PRESENT, job, -1)


@compiled
def copy_pieces(source: Pieces, first: int, target: Pieces, at: int, count: int) -> None:
    """Copy so many pieces from a place to another."""
    for piece in range(count):
        for thing in range(source.shape[1]):
            target[at + piece, thing] = source[first + piece, thing]


@compiled
def copy_room(rooms: Rooms, source: int, target: int) -> None:
    """Let as much be free in a room as in another."""
    for level in range(rooms.levels.shape[1]):
        rooms.counts[target, level] = rooms.counts[source, level]
        for word in range(rooms.levels.shape[2]):
            rooms.levels[target, level, word] = rooms.levels[source, level, word]
    for thing in range(rooms.free.shape[1]):
        for node in range(rooms.free.shape[2]):
            rooms.free[target, thing, node] = rooms.free[source, thing, node]
    rooms.total[target] = rooms.total[source]


@compiled
def given_back(nodes: Nodes | None, job: int, processors: int) -> int:
    """Give back what a job had that has ended; return how many more processors are free."""
    if nodes is None:
        return processors
    before = free_now(nodes)
    add(nodes, PRESENT, job, 1)
    nodes.counts[ROUND] += 1
    # of nodes that are lost it is not all that it had
    return free_now(nodes) - before


@compiled_apart
def add(nodes: Nodes, room: int, job: int, sign: int) -> None:
    """Let what a job has be free, or no more."""
    held, kind, whole = nodes.held, nodes.jobs.kind[job], nodes.jobs.whole[job] > 0
    first = nodes.jobs.first[job]
    for piece in range(first, first + nodes.jobs.pieces[job]):
        node = int(held[piece, NODE])
        for thing in range(held.shape[1]):
            change(nodes, room, thing, node, sign * taken(nodes, held, piece, thing, kind, whole))


@compiled_apart
def are_free(
    nodes: Nodes,
    pieces: Pieces,
    first: int,
    count: int,
    kind: int,
    whole: bool,  # noqa: FBT001 - compiled
) -> bool:
    """Say whether some pieces are free now."""
    free = nodes.rooms.free
    things = pieces.shape[1] if asks_for_rest(nodes, kind) else PROCESSORS + 1
    for piece in range(first, first + count):
        for thing in range(things):
            wanted = taken(nodes, pieces, piece, thing, kind, whole)
            if free[PRESENT, thing, pieces[piece, NODE]] < wanted:
                return False
    return True


@compiled
def within(
    nodes: Nodes,
    pieces: Pieces,
    first: int,
    count: int,
    whole: bool,  # noqa: FBT001 - compiled
    among: int,
) -> int:
    """Return how many processors on a set of nodes nobody else can have beside some pieces."""
    total = 0
    for piece in range(first, first + count):
        node = int(pieces[piece, NODE])
        if has(nodes, among, node):
            total += kept(nodes, node, int(pieces[piece, GIVEN]), whole)
    return total
