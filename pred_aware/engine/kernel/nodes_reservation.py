"""When a site's nodes have room for a waiting job, and what others may have until then.

What is to come out is defined by `schedulers.machine.node_reservation` and
`schedulers.machine.nodes`.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import BACKFILLED, FROM_QUEUE, NEVER, PLANNED
from pred_aware.engine.kernel.nodes_fit import change, is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_masks import free_in
from pred_aware.engine.kernel.nodes_room import (
    add,
    had_in,
    placed_in,
    take_placed,
    take_room,
)
from pred_aware.engine.kernel.nodes_values import (
    ANY_DO,
    BESIDE_SINCE,
    CHOICE,
    CHOSEN_ON,
    EXTRA,
    FIRST,
    KEEPS_OF,
    KEPT,
    KIND,
    LAST,
    LEFT,
    LEFT_OVER,
    MEMORY_KEPT,
    MEMORY_LEFT,
    NO_ROOM,
    NO_ROOM_BESIDE,
    OUTSIDE,
    PIN,
    PINNED,
    PINS,
    PLACES,
    RESERVED,
    ROUND,
    SIZE,
    TAKEN,
    TOTAL,
    Nodes,
)
from pred_aware.engine.kernel.values import State

_EVERYWHERE = 0


@compiled_apart
def reserve_nodes(state: State, nodes: Nodes, job: int, now: float) -> float:
    """Reserve for a job at the first planned end after which it has room; return that date."""
    counts, kind = nodes.counts, nodes.jobs[job, KIND]
    counts[RESERVED] += 1
    counts[KEEPS_OF], counts[LEFT_OVER] = -1, 0
    for pin in range(counts[PINS]):
        nodes.on[nodes.on[pin, PIN], PINNED] = 0
    counts[PINS] = 0
    if nodes.kinds[kind, ANY_DO]:
        return _reserve_any(state, nodes, kind, now)
    return _reserve_pinned(state, nodes, kind, now)


@compiled
def _reserve_any(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Reserve enough processors of the choice where they are free first, whichever."""
    counts, free = nodes.counts, nodes.room.free[0]
    date, left, where = NEVER, 0, -1
    for index in range(nodes.kinds[kind, FIRST], nodes.kinds[kind, LAST]):
        among = nodes.choices[nodes.tried[index], PLACES]
        earlier, left_there = _first_enough(state, nodes, kind, among, now)
        if where < 0 or earlier < date:
            date, left, where = earlier, left_there, among
    if date == NEVER:
        counts[EXTRA] = free
        return date
    outside = 0
    if where != _EVERYWHERE:
        outside = free - free_in(nodes, nodes.room, where, -1)
    counts[KEEPS_OF], counts[LEFT_OVER], counts[EXTRA] = where, left, left + outside
    return date


@compiled
def _first_enough(
    state: State, nodes: Nodes, kind: int, among: int, now: float
) -> tuple[float, int]:
    """Return when enough processors are free on some nodes, and how many are left."""
    date, room = now, nodes.room
    everywhere = among == _EVERYWHERE
    free = room.free[0]
    if not everywhere:
        free = free_in(nodes, room, among, -1)
    missing = nodes.kinds[kind, SIZE] - free
    for index in range(state.counts[PLANNED]):
        running = state.plan[index]
        end = state.planned[running]
        if missing <= 0 and end > date:
            return date, -missing
        date = max(date, end)
        missing -= nodes.jobs[running, TOTAL] if everywhere else had_in(nodes, running, among)
    if missing > 0:
        return NEVER, 0
    return date, -missing


@compiled
def _reserve_pinned(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Reserve the nodes that a job would get at the planned end after which it has room."""
    counts, room = nodes.counts, nodes.room
    date = _first_date(state, nodes, kind, now)
    if date == NEVER:
        counts[EXTRA] = room.free[0]
        return date
    later, on, whole = nodes.later, nodes.on, is_whole(nodes, kind, counts[CHOICE])
    extra = room.free[0]
    for piece in range(counts[CHOSEN_ON]):
        node, given = nodes.placed[piece, 0], nodes.placed[piece, 1]
        on[node, PINNED], on[piece, PIN] = 1, node
        on[node, LEFT] = max(0, later.free_on[node] - kept(nodes, node, given, whole))
        on[node, MEMORY_LEFT] = later.memory[node] - memory_of(nodes, kind, given)
        extra -= max(0, room.free_on[node] - on[node, LEFT])
    counts[EXTRA], counts[PINS] = extra, counts[CHOSEN_ON]
    return date


@compiled
def _first_date(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Return the first date at which a job has room, and choose where; what is free is `later`.

    From date to date more and more is free, so it is found by ever larger steps, and then by
    halves.
    """
    last = _copy_and_list(state, nodes, now)
    low, high, step, there = -1, 0, 1, 0
    while True:
        there = _move(state, nodes, there, nodes.dates[high])
        if _has_room_later(nodes, kind):
            break
        if high == last:
            return NEVER
        low, high = high, min(high + step, last)
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        there = _move(state, nodes, there, nodes.dates[middle])
        if _has_room_later(nodes, kind):
            high = middle
        else:
            low = middle
    _move(state, nodes, there, nodes.dates[high])
    place(nodes, nodes.later, kind, -1)
    return now if high == 0 else state.planned[state.plan[nodes.dates[high] - 1]]


@compiled
def _has_room_later(nodes: Nodes, kind: int) -> bool:
    return nodes.later.free[0] >= nodes.kinds[kind, SIZE] and place(nodes, nodes.later, kind, -1)


@compiled
def _copy_and_list(state: State, nodes: Nodes, now: float) -> int:
    """Begin with what is free now, and list how many have ended by each date; return the last."""
    room, later = nodes.room, nodes.later
    later.free[0] = room.free[0]
    for level in range(len(room.count)):
        # who has none on a level needs nothing of it
        if room.count[level] or later.count[level]:
            later.count[level] = room.count[level]
            for word in range(room.levels.shape[1]):
                later.levels[level, word] = room.levels[level, word]
    for node in range(len(room.free_on)):
        later.free_on[node], later.memory[node] = room.free_on[node], room.memory[node]
    nodes.dates[0] = 0
    last, date = 0, now
    for index in range(state.counts[PLANNED]):
        end = state.planned[state.plan[index]]
        if end > date:
            last += 1
            date = end
        nodes.dates[last] = index + 1
    return last


@compiled
def _move(state: State, nodes: Nodes, there: int, wanted: int) -> int:
    """Let so many of the running jobs have ended."""
    for index in range(there, wanted):
        add(nodes, nodes.later, state.plan[index], 1)
    for index in range(there - 1, wanted - 1, -1):
        add(nodes, nodes.later, state.plan[index], -1)
    return wanted


@compiled_apart
def take_beside(nodes: Nodes, job: int, in_time: bool) -> int:  # noqa: FBT001 - by numba
    """Take what is left over, or what is given back in time; return how, -1 without room."""
    counts, kind = nodes.counts, nodes.jobs[job, KIND]
    if nodes.known[kind, NO_ROOM] == counts[ROUND]:
        nodes.known[kind, NO_ROOM_BESIDE] = counts[RESERVED]
        return -1
    if in_time:
        return BACKFILLED if take_room(nodes, job) else -1
    size = nodes.kinds[kind, SIZE]
    if nodes.known[kind, NO_ROOM_BESIDE] == counts[RESERVED]:
        return -1
    if size > min(nodes.room.free[0], counts[EXTRA]):
        return -1
    keeps_of = counts[KEEPS_OF]
    if keeps_of >= 0:
        found = _place_beside_any(nodes, kind)
    else:
        found = _place_beside_pinned(nodes, kind)
    if not found:
        nodes.known[kind, NO_ROOM_BESIDE] = counts[RESERVED]
        return -1
    if keeps_of >= 0:
        counts[LEFT_OVER] -= placed_in(nodes, kind, keeps_of)
    else:
        _take_off(nodes, kind)
    counts[EXTRA] -= counts[TAKEN]
    take_placed(nodes, job)
    return FROM_QUEUE


@compiled
def _place_beside_any(nodes: Nodes, kind: int) -> bool:
    """Choose nodes so that enough others are left of those that are reserved."""
    counts, keeps_of = nodes.counts, nodes.counts[KEEPS_OF]
    if not _may_have_outside(nodes, kind) or not place(nodes, nodes.room, kind, -1):
        return False
    if placed_in(nodes, kind, keeps_of) <= counts[LEFT_OVER]:
        return True
    return place(nodes, nodes.room, kind, keeps_of)


@compiled
def _may_have_outside(nodes: Nodes, kind: int) -> bool:
    """Say whether as many processors may be free outside as it can't have of what is reserved."""
    counts, known = nodes.counts, nodes.free_on
    size = nodes.kinds[kind, SIZE] - counts[LEFT_OVER]
    for index in range(nodes.kinds[kind, FIRST], nodes.kinds[kind, LAST]):
        among = nodes.choices[nodes.tried[index], PLACES]
        if known[among, BESIDE_SINCE] != counts[RESERVED]:
            known[among, BESIDE_SINCE] = counts[RESERVED]
            known[among, OUTSIDE] = free_in(nodes, nodes.room, among, counts[KEEPS_OF])
        if known[among, OUTSIDE] >= size:
            return True
    return False


@compiled
def _place_beside_pinned(nodes: Nodes, kind: int) -> bool:
    """Choose nodes of what the reservation leaves over of those that are pinned, and of others."""
    on, room = nodes.on, nodes.room
    for pin in range(nodes.counts[PINS]):
        node = on[pin, PIN]
        on[node, KEPT] = max(0, room.free_on[node] - on[node, LEFT])
        on[node, MEMORY_KEPT] = max(0, room.memory[node] - on[node, MEMORY_LEFT])
        change(nodes, room, node, -on[node, KEPT])
        room.memory[node] -= on[node, MEMORY_KEPT]
    found = place(nodes, room, kind, -1)
    for pin in range(nodes.counts[PINS]):
        node = on[pin, PIN]
        change(nodes, room, node, on[node, KEPT])
        room.memory[node] += on[node, MEMORY_KEPT]
    return found


@compiled
def _take_off(nodes: Nodes, kind: int) -> None:
    """Take off what one has that is there at the date of the reservation."""
    on, whole = nodes.on, is_whole(nodes, kind, nodes.counts[CHOICE])
    for piece in range(nodes.counts[CHOSEN_ON]):
        node, given = nodes.placed[piece, 0], nodes.placed[piece, 1]
        if on[node, PINNED]:
            on[node, LEFT] -= kept(nodes, node, given, whole)
            on[node, MEMORY_LEFT] -= memory_of(nodes, kind, given)
