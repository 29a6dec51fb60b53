"""What others may have of a site's nodes beside a reservation; see `schedulers.machine.nodes`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import BACKFILLED, FROM_QUEUE
from pred_aware.engine.kernel.nodes_fit import change, is_whole, place, taken
from pred_aware.engine.kernel.nodes_masks import free_in
from pred_aware.engine.kernel.nodes_room import free_now, take_placed, take_room, within
from pred_aware.engine.kernel.nodes_values import (
    CHOICE,
    CHOSEN_ON,
    EXTRA,
    KEEPS_OF,
    LEFT_OVER,
    NODE,
    PINS,
    PRESENT,
    RESERVED,
    ROUND,
    TAKEN,
    Nodes,
)


@compiled_apart
def take_beside(nodes: Nodes, job: int, in_time: bool) -> int:  # noqa: FBT001 - by numba
    """Take what is left over, or what is given back in time; return how, -1 without room."""
    counts, kinds, kind = nodes.counts, nodes.kinds, nodes.jobs.kind[job]
    if kinds.no_room[kind] == counts[ROUND]:
        kinds.no_room_beside[kind] = counts[RESERVED]
        return -1
    if in_time:
        return BACKFILLED if take_room(nodes, job) else -1
    most = min(free_now(nodes), counts[EXTRA])
    if kinds.no_room_beside[kind] == counts[RESERVED] or kinds.processors[kind] > most:
        return -1
    keeps_of = counts[KEEPS_OF]
    found = _place_beside_any(nodes, kind) if keeps_of >= 0 else _place_beside_pinned(nodes, kind)
    if not found:
        kinds.no_room_beside[kind] = counts[RESERVED]
        return -1
    if keeps_of >= 0:
        counts[LEFT_OVER] -= _placed_in(nodes, kind, keeps_of)
    else:
        _take_off(nodes, kind)
    counts[EXTRA] -= counts[TAKEN]
    take_placed(nodes, job)
    return FROM_QUEUE


@compiled
def _place_beside_any(nodes: Nodes, kind: int) -> bool:
    """Choose nodes so that enough others are left of those that are reserved."""
    keeps_of = nodes.counts[KEEPS_OF]
    if not _may_have_outside(nodes, kind) or not place(nodes, PRESENT, kind, -1):
        return False
    if _placed_in(nodes, kind, keeps_of) <= nodes.counts[LEFT_OVER]:
        return True
    return place(nodes, PRESENT, kind, keeps_of)


@compiled
def _placed_in(nodes: Nodes, kind: int, among: int) -> int:
    """Return how many processors of a set of nodes are chosen, and nobody else can have."""
    whole = is_whole(nodes, kind, nodes.counts[CHOICE])
    return within(nodes, nodes.choosing.pieces, 0, nodes.counts[CHOSEN_ON], whole, among)


@compiled
def _may_have_outside(nodes: Nodes, kind: int) -> bool:
    """Say whether as many processors may be free outside as it can't have of what is reserved."""
    sets, counts = nodes.sets, nodes.counts
    size = nodes.kinds.processors[kind] - counts[LEFT_OVER]
    for index in range(nodes.kinds.first[kind], nodes.kinds.last[kind]):
        among = nodes.choices.nodes[nodes.tried[index]]
        if sets.outside_since[among] != counts[RESERVED]:
            sets.outside_since[among] = counts[RESERVED]
            sets.outside[among] = free_in(nodes, PRESENT, among, counts[KEEPS_OF])
        if sets.outside[among] >= size:
            return True
    return False


@compiled
def _place_beside_pinned(nodes: Nodes, kind: int) -> bool:
    """Choose nodes of what the reservation leaves over of those that are pinned, and of others."""
    reserved, free = nodes.reserved, nodes.rooms.free
    for pin in range(nodes.counts[PINS]):
        node = reserved.pins[pin]
        for thing in range(free.shape[1]):
            keeps = max(0, free[PRESENT, thing, node] - reserved.left[thing, node])
            reserved.keeps[thing, node] = keeps
            change(nodes, PRESENT, thing, node, -keeps)
    found = place(nodes, PRESENT, kind, -1)
    for pin in range(nodes.counts[PINS]):
        node = reserved.pins[pin]
        for thing in range(free.shape[1]):
            change(nodes, PRESENT, thing, node, reserved.keeps[thing, node])
    return found


@compiled
def _take_off(nodes: Nodes, kind: int) -> None:
    """Take off what one has that is there at the date of the reservation."""
    reserved, pieces = nodes.reserved, nodes.choosing.pieces
    whole = is_whole(nodes, kind, nodes.counts[CHOICE])
    for piece in range(nodes.counts[CHOSEN_ON]):
        node = pieces[piece, NODE]
        if reserved.pinned[node]:
            for thing in range(pieces.shape[1]):
                reserved.left[thing, node] -= taken(nodes, pieces, piece, thing, kind, whole)
