"""Taking room on a site's nodes, and giving it back, as `schedulers.machine.nodes` defines it."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_fit import change, is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_masks import free_in
from pred_aware.engine.kernel.nodes_values import (
    CHOICE,
    CHOSEN_ON,
    ENTRIES,
    FIRST,
    FREE_ON,
    HAS_WHOLE,
    HELD,
    KIND,
    LAST,
    NO_ROOM,
    PIECES,
    PLACES,
    ROUND,
    SINCE,
    SIZE,
    TAKEN,
    TOTAL,
    Nodes,
    Room,
)
from pred_aware.engine.kernel.values import Rules


@compiled
def is_full(nodes: Nodes | None, rules: Rules) -> bool:
    """Say whether there may be no room to note what the jobs get that start at a date."""
    if nodes is None:
        return False
    return nodes.counts[ENTRIES] + rules.processors > len(nodes.held)


@compiled_apart
def take_room(nodes: Nodes, job: int) -> bool:
    """Take the nodes that are best; say whether there was room."""
    kind, now = nodes.jobs[job, KIND], nodes.counts[ROUND]
    if nodes.kinds[kind, SIZE] > nodes.room.free[0] or nodes.known[kind, NO_ROOM] == now:
        return False
    if not _may_have_room(nodes, kind) or not place(nodes, nodes.room, kind, -1):
        nodes.known[kind, NO_ROOM] = now
        return False
    take_placed(nodes, job)
    return True


@compiled
def _may_have_room(nodes: Nodes, kind: int) -> bool:
    """Say whether as many processors may be free where they are asked for."""
    for index in range(nodes.kinds[kind, FIRST], nodes.kinds[kind, LAST]):
        among = nodes.choices[nodes.tried[index], PLACES]
        if nodes.free_on[among, SINCE] != nodes.counts[ROUND]:
            nodes.free_on[among, SINCE] = nodes.counts[ROUND]
            nodes.free_on[among, FREE_ON] = free_in(nodes, nodes.room, among, -1)
        if nodes.free_on[among, FREE_ON] >= nodes.kinds[kind, SIZE]:
            return True
    return False


@compiled
def take_placed(nodes: Nodes, job: int) -> None:
    """Take what was chosen for a job."""
    counts, own = nodes.counts, nodes.jobs
    first, pieces = counts[ENTRIES], counts[CHOSEN_ON]
    for piece in range(pieces):
        nodes.held[first + piece, 0] = nodes.placed[piece, 0]
        nodes.held[first + piece, 1] = nodes.placed[piece, 1]
    own[job, HELD], own[job, PIECES], own[job, TOTAL] = first, pieces, counts[TAKEN]
    own[job, HAS_WHOLE] = is_whole(nodes, own[job, KIND], counts[CHOICE])
    counts[ENTRIES] = first + pieces
    add(nodes, nodes.room, job, -1)


@compiled
def given_back(nodes: Nodes | None, job: int, processors: int) -> int:
    """Give back what a job had that has ended; return how many more processors are free."""
    if nodes is None:
        return processors
    add(nodes, nodes.room, job, 1)
    nodes.counts[ROUND] += 1
    return nodes.jobs[job, TOTAL]


@compiled_apart
def add(nodes: Nodes, room: Room, job: int, sign: int) -> None:
    """Let what a job has be free, or no more."""
    own = nodes.jobs
    first, whole = own[job, HELD], own[job, HAS_WHOLE] > 0
    for piece in range(first, first + own[job, PIECES]):
        node, given = nodes.held[piece, 0], nodes.held[piece, 1]
        change(nodes, room, node, sign * kept(nodes, node, given, whole))
        room.memory[node] += sign * memory_of(nodes, own[job, KIND], given)


@compiled
def had_in(nodes: Nodes, job: int, among: int) -> int:
    """Return how many processors of a set of nodes a job has, and nobody else can have."""
    own, member = nodes.jobs, nodes.member
    first, whole, total = own[job, HELD], own[job, HAS_WHOLE] > 0, 0
    for piece in range(first, first + own[job, PIECES]):
        node = nodes.held[piece, 0]
        if member[among, node]:
            total += kept(nodes, node, nodes.held[piece, 1], whole)
    return total


@compiled
def placed_in(nodes: Nodes, kind: int, among: int) -> int:
    """Return how many processors of a set of nodes are chosen, and nobody else can have."""
    whole, total = is_whole(nodes, kind, nodes.counts[CHOICE]), 0
    for piece in range(nodes.counts[CHOSEN_ON]):
        node = nodes.placed[piece, 0]
        if nodes.member[among, node]:
            total += kept(nodes, node, nodes.placed[piece, 1], whole)
    return total
