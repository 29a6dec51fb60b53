"""When a site's nodes have room for a job; see `schedulers.machine.node_reservation`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import NEVER, PLANNED
from pred_aware.engine.kernel.nodes_fit import is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_gpus import gpus_at
from pred_aware.engine.kernel.nodes_masks import free_in, of_choice, of_kind
from pred_aware.engine.kernel.nodes_room import add, free_now, had_in, of_job
from pred_aware.engine.kernel.nodes_values import (
    ALL_OF,
    ANY_DO,
    CHOICE,
    CHOSEN_ON,
    DATES,
    EXTRA,
    FIRST,
    FREE_OF,
    GPUS_ON,
    GPUS_PLACED,
    KEEPS_OF,
    KIND,
    LAST,
    LATER,
    LEFT,
    LEFT_OVER,
    LOST,
    MEMORY_LEFT,
    MEMORY_OF,
    ON,
    ON_WIDTH,
    PIN,
    PINNED,
    PINS,
    PLACED,
    PLACES,
    RESERVED,
    ROOM,
    ROOM_OF,
    SIZE,
    TOTAL,
    TRIED,
    TYPES,
    Nodes,
)
from pred_aware.engine.kernel.values import State

_EVERYWHERE = 0


@compiled_apart
def reserve_nodes(state: State, nodes: Nodes, job: int, now: float) -> float:
    """Reserve for a job at the first planned end after which it has room; return that date."""
    values = nodes.values
    kind = of_job(values, job, KIND)
    values[RESERVED] += 1
    values[KEEPS_OF], values[LEFT_OVER], values[EXTRA] = -1, 0, free_now(values)
    for pin in range(values[PINS]):
        pinned = values[values[ON] + ON_WIDTH * pin + PIN]
        values[values[ON] + ON_WIDTH * pinned + PINNED] = 0
    values[PINS] = 0
    any_do = of_kind(values, kind, ANY_DO) > 0
    if any_do and not values[LOST]:
        return _reserve_any(state, nodes, kind, now)
    date = _first_date(state, nodes, kind, now)
    if date < NEVER and any_do:
        among = of_choice(values, values[CHOICE], PLACES)
        _keep(
            values, among, free_in(values, values[LATER], among, -1) - of_kind(values, kind, SIZE)
        )
    elif date < NEVER:
        _pin(values, kind)
    return date


@compiled
def _reserve_any(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Reserve enough processors of the choice where they are free first, whichever."""
    values = nodes.values
    date, left, where = NEVER, 0, -1
    for index in range(of_kind(values, kind, FIRST), of_kind(values, kind, LAST)):
        among = of_choice(values, values[values[TRIED] + index], PLACES)
        earlier, left_there = _first_enough(state, nodes, kind, among, now)
        if where < 0 or earlier < date:
            date, left, where = earlier, left_there, among
    if date < NEVER:
        _keep(values, where, left)
    return date


@compiled
def _keep(values: Integers, where: int, left: int) -> None:
    """Reserve what is not left over of some nodes, whichever."""
    outside = 0
    if where != _EVERYWHERE:
        outside = free_now(values) - free_in(values, values[ROOM], where, -1)
    values[KEEPS_OF], values[LEFT_OVER], values[EXTRA] = where, left, left + outside


@compiled
def _first_enough(
    state: State, nodes: Nodes, kind: int, among: int, now: float
) -> tuple[float, int]:
    """Return when enough processors are free on some nodes, and how many are left."""
    values, date = nodes.values, now
    everywhere = among == _EVERYWHERE
    missing = of_kind(values, kind, SIZE)
    missing -= free_now(values) if everywhere else free_in(values, values[ROOM], among, -1)
    for index in range(state.counts[PLANNED]):
        running, end = state.plan[index], state.plan_ends[index]
        if missing <= 0 and end > date:
            return date, -missing
        date = max(date, end)
        missing -= of_job(values, running, TOTAL) if everywhere else had_in(nodes, running, among)
    if missing > 0:
        return NEVER, 0
    return date, -missing


@compiled
def _pin(values: Integers, kind: int) -> None:
    """Reserve the nodes that a job would get at the planned end after which it has room."""
    on, placed, whole = values[ON], values[PLACED], is_whole(values, kind, values[CHOICE])
    room, later, types = values[ROOM], values[LATER], values[TYPES]
    for piece in range(values[CHOSEN_ON]):
        node, given = values[placed + 2 * piece], values[placed + 2 * piece + 1]
        row = on + ON_WIDTH * node
        values[row + PINNED], values[on + ON_WIDTH * piece + PIN] = 1, node
        free = values[later + values[FREE_OF] + node]
        values[row + LEFT] = max(0, free - kept(values, node, given, whole))
        memory = values[later + values[MEMORY_OF] + node]
        values[row + MEMORY_LEFT] = memory - memory_of(values, kind, given)
        for kind_of in range(types):
            gpus = values[gpus_at(values, later, kind_of, node)]
            gpus -= values[values[GPUS_PLACED] + types * piece + kind_of]
            values[values[GPUS_ON] + 2 * (types * node + kind_of)] = gpus
        values[EXTRA] -= max(0, values[room + values[FREE_OF] + node] - values[row + LEFT])
    values[PINS] = values[CHOSEN_ON]


@compiled
def _first_date(state: State, nodes: Nodes, kind: int, now: float) -> float:
    """Return the first date at which a job has room, and choose where; what is free is `LATER`.

    From date to date more and more is free, so it is found by ever larger steps, and then by
    halves.
    """
    values = nodes.values
    dates = values[DATES]
    last = _begin_later(state, nodes, now)
    low, high, step, there, at = -1, -1, 1, 0, 0
    while True:
        there = _move(state, nodes, there, values[dates + at])
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
            return now if high == 0 else state.plan_ends[values[dates + high] - 1]


@compiled
def _has_room_later(nodes: Nodes, kind: int) -> bool:
    values = nodes.values
    if values[values[LATER] + values[ALL_OF]] < of_kind(values, kind, SIZE):
        return False
    return place(values, values[LATER], kind, -1)


@compiled
def _begin_later(state: State, nodes: Nodes, now: float) -> int:
    """Begin with what is free now, and list how many have ended by each date; return the last."""
    values = nodes.values
    room, later, dates = values[ROOM], values[LATER], values[DATES]
    for place_of in range(values[ROOM_OF]):
        values[later + place_of] = values[room + place_of]
    values[dates] = 0
    last, date = 0, now
    for index in range(state.counts[PLANNED]):
        end = state.plan_ends[index]
        if end > date:
            last += 1
            date = end
        values[dates + last] = index + 1
    return last


@compiled
def _move(state: State, nodes: Nodes, there: int, wanted: int) -> int:
    """Let so many of the running jobs have ended."""
    sign = 1 if wanted > there else -1
    for index in range(min(there, wanted), max(there, wanted)):
        add(nodes, nodes.values[LATER], state.plan[index], sign)
    return wanted
