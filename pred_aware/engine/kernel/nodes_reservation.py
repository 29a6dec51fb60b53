"""When a site's nodes have room for a job; see `schedulers.machine.node_reservation`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER, PLANNED
from pred_aware.engine.kernel.nodes_fit import is_whole, place, taken
from pred_aware.engine.kernel.nodes_masks import free_in
from pred_aware.engine.kernel.nodes_room import add, copy_room, free_now, within
from pred_aware.engine.kernel.nodes_values import (
    CHOICE,
    CHOSEN_ON,
    EXTRA,
    KEEPS_OF,
    LATER,
    LEFT_OVER,
    LOST,
    NODE,
    PINS,
    PRESENT,
    PROCESSORS,
    RESERVED,
    Nodes,
)
from pred_aware.engine.kernel.values import State

_EVERYWHERE = 0


@compiled_apart
def reserve_nodes(state: State, nodes: Nodes, job: int, now: float) -> float:
    """Reserve for a job at the first planned end after which it has room; return that date."""
    counts, reserved, kind = nodes.counts, nodes.reserved, nodes.jobs.kind[job]
    counts[RESERVED] += 1
    counts[KEEPS_OF], counts[LEFT_OVER], counts[EXTRA] = -1, 0, free_now(nodes)
    for pin in range(counts[PINS]):
        reserved.pinned[reserved.pins[pin]] = 0
    counts[PINS] = 0
    any_do = nodes.kinds.any_do[kind] > 0
    if any_do and not counts[LOST]:
        return _reserve_any(state, nodes, kind, now)
    date = _first_date(state, nodes, kind, now)
    if date < NEVER and any_do:
        among = nodes.choices.nodes[counts[CHOICE]]
        _keep(nodes, among, free_in(nodes, LATER, among, -1) - nodes.kinds.processors[kind])
    elif date < NEVER:
        _pin(nodes, kind)
    return date


@compiled
def _reserve_any(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Reserve enough processors of the choice where they are free first, whichever."""
    date, left, where = NEVER, 0, -1
    for index in range(nodes.kinds.first[kind], nodes.kinds.last[kind]):
        among = nodes.choices.nodes[nodes.tried[index]]
        earlier, left_there = _first_enough(state, nodes, kind, among, now)
        if where < 0 or earlier < date:
            date, left, where = earlier, left_there, among
    if date < NEVER:
        _keep(nodes, where, left)
    return date


@compiled
def _keep(nodes: Nodes, where: int, left: int) -> None:
    """Reserve what is not left over of some nodes, whichever."""
    counts, outside = nodes.counts, 0
    if where != _EVERYWHERE:
        outside = free_now(nodes) - free_in(nodes, PRESENT, where, -1)
    counts[KEEPS_OF], counts[LEFT_OVER], counts[EXTRA] = where, left, left + outside


@compiled
def _first_enough(
    state: State, nodes: Nodes, kind: int, among: int, now: float
) -> tuple[float, int]:
    """Return when enough processors are free on some nodes, and how many are left."""
    jobs, date, everywhere = nodes.jobs, now, among == _EVERYWHERE
    missing = nodes.kinds.processors[kind]
    missing -= free_now(nodes) if everywhere else free_in(nodes, PRESENT, among, -1)
    for index in range(state.counts[PLANNED]):
        job, end = state.plan[index], state.plan_ends[index]
        if missing <= 0 and end > date:
            return date, -missing
        date = max(date, end)
        if everywhere:
            missing -= jobs.total[job]
        else:
            first, count, whole = jobs.first[job], jobs.pieces[job], jobs.whole[job] > 0
            missing -= within(nodes, nodes.held, first, count, whole, among)
    if missing > 0:
        return NEVER, 0
    return date, -missing


@compiled
def _pin(nodes: Nodes, kind: int) -> None:
    """Reserve the nodes that a job would get at the planned end after which it has room."""
    reserved, free, pieces = nodes.reserved, nodes.rooms.free, nodes.choosing.pieces
    whole, counts = is_whole(nodes, kind, nodes.counts[CHOICE]), nodes.counts
    for piece in range(counts[CHOSEN_ON]):
        node = pieces[piece, NODE]
        reserved.pinned[node], reserved.pins[piece] = 1, node
        for thing in range(pieces.shape[1]):
            left = free[LATER, thing, node] - taken(nodes, pieces, piece, thing, kind, whole)
            reserved.left[thing, node] = left if thing != PROCESSORS else max(0, left)
        left_there = reserved.left[PROCESSORS, node]
        counts[EXTRA] -= max(0, free[PRESENT, PROCESSORS, node] - left_there)
    counts[PINS] = counts[CHOSEN_ON]


@compiled
def _first_date(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Return the first date at which a job has room, and choose where; what is free is `LATER`.

    From date to date more and more is free, so it is found by ever larger steps, and then by
    halves.
    """
    dates = nodes.reserved.dates
    last = _begin_later(state, nodes, now)
    low, high, step, there, at = -1, -1, 1, 0, 0
    while True:
        there = _move(state, nodes, there, dates[at])
        if _has_room_later(nodes, kind):
            high = at
        elif at == last:
            return NEVER
        else:
            low = at
        if high < 0:
            at = min(at + step, last)
            step *= 2
        elif high - low > 1:
            at = (low + high) // 2
        elif at < high:
            at = high
        else:
            return now if high == 0 else state.plan_ends[dates[high] - 1]


@compiled
def _has_room_later(nodes: Nodes, kind: int) -> bool:
    if nodes.rooms.total[LATER] < nodes.kinds.processors[kind]:
        return False
    return place(nodes, LATER, kind, -1)


@compiled
def _begin_later(state: State, nodes: Nodes, now: float) -> int:
    """Begin with what is free now, and list how many have ended by each date; return the last."""
    dates, last, date = nodes.reserved.dates, 0, now
    copy_room(nodes.rooms, PRESENT, LATER)
    dates[0] = 0
    for index in range(state.counts[PLANNED]):
        end = state.plan_ends[index]
        if end > date:
            last += 1
            date = end
        dates[last] = index + 1
    return last


@compiled
def _move(state: State, nodes: Nodes, there: int, wanted: int) -> int:
    """Let so many of the running jobs have ended."""
    sign = 1 if wanted > there else -1
    for index in range(min(there, wanted), max(there, wanted)):
        add(nodes, LATER, state.plan[index], sign)
    return wanted
