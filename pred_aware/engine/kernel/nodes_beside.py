"""What others may have of a site's nodes beside a reservation; see `schedulers.machine.nodes`."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import BACKFILLED, FROM_QUEUE
from pred_aware.engine.kernel.nodes_fit import change, is_whole, kept, memory_of, place
from pred_aware.engine.kernel.nodes_gpus import gpus_at
from pred_aware.engine.kernel.nodes_masks import free_in, of_choice, of_kind
from pred_aware.engine.kernel.nodes_room import free_now, of_job, placed_in, take_placed, take_room
from pred_aware.engine.kernel.nodes_values import (
    BESIDE_SINCE,
    CHOICE,
    CHOSEN_ON,
    EXTRA,
    FIRST,
    FREE_OF,
    FREE_ON,
    FREE_WIDTH,
    GPUS_ON,
    GPUS_PLACED,
    KEEPS_OF,
    KEPT,
    KIND,
    KNOWN,
    LAST,
    LEFT,
    LEFT_OVER,
    MEMORY_KEPT,
    MEMORY_LEFT,
    MEMORY_OF,
    NO_ROOM,
    NO_ROOM_BESIDE,
    ON,
    ON_WIDTH,
    OUTSIDE,
    PIN,
    PINNED,
    PINS,
    PLACED,
    PLACES,
    RESERVED,
    ROOM,
    ROUND,
    SIZE,
    TAKEN,
    TRIED,
    TYPES,
    Nodes,
)


@compiled_apart
def take_beside(nodes: Nodes, job: int, in_time: bool) -> int:  # noqa: FBT001 - by numba
    """Take what is left over, or what is given back in time; return how, -1 without room."""
    values = nodes.values
    kind = of_job(values, job, KIND)
    known = values[KNOWN] + 2 * kind
    if values[known + NO_ROOM] == values[ROUND]:
        values[known + NO_ROOM_BESIDE] = values[RESERVED]
        return -1
    if in_time:
        return BACKFILLED if take_room(nodes, job) else -1
    if values[known + NO_ROOM_BESIDE] == values[RESERVED] or of_kind(values, kind, SIZE) > min(
        free_now(values), values[EXTRA]
    ):
        return -1
    keeps_of = values[KEEPS_OF]
    found = _place_beside_any(values, kind) if keeps_of >= 0 else _place_beside_pinned(values, kind)
    if not found:
        values[known + NO_ROOM_BESIDE] = values[RESERVED]
        return -1
    if keeps_of >= 0:
        values[LEFT_OVER] -= placed_in(values, kind, keeps_of)
    else:
        _take_off(values, kind)
    values[EXTRA] -= values[TAKEN]
    take_placed(nodes, job)
    return FROM_QUEUE


@compiled
def _place_beside_any(values: Integers, kind: int) -> bool:
    """Choose nodes so that enough others are left of those that are reserved."""
    if not _may_have_outside(values, kind) or not place(values, values[ROOM], kind, -1):
        return False
    if placed_in(values, kind, values[KEEPS_OF]) <= values[LEFT_OVER]:
        return True
    return place(values, values[ROOM], kind, values[KEEPS_OF])


@compiled
def _may_have_outside(values: Integers, kind: int) -> bool:
    """Say whether as many processors may be free outside as it can't have of what is reserved."""
    size = of_kind(values, kind, SIZE) - values[LEFT_OVER]
    for index in range(of_kind(values, kind, FIRST), of_kind(values, kind, LAST)):
        among = of_choice(values, values[values[TRIED] + index], PLACES)
        row = values[FREE_ON] + FREE_WIDTH * among
        if values[row + BESIDE_SINCE] != values[RESERVED]:
            values[row + BESIDE_SINCE] = values[RESERVED]
            values[row + OUTSIDE] = free_in(values, values[ROOM], among, values[KEEPS_OF])
        if values[row + OUTSIDE] >= size:
            return True
    return False


@compiled
def _place_beside_pinned(values: Integers, kind: int) -> bool:
    """Choose nodes of what the reservation leaves over of those that are pinned, and of others."""
    room, on, types = values[ROOM], values[ON], values[TYPES]
    for pin in range(values[PINS]):
        node = values[on + ON_WIDTH * pin + PIN]
        row, memory = on + ON_WIDTH * node, room + values[MEMORY_OF] + node
        values[row + KEPT] = max(0, values[room + values[FREE_OF] + node] - values[row + LEFT])
        values[row + MEMORY_KEPT] = max(0, values[memory] - values[row + MEMORY_LEFT])
        change(values, room, node, -values[row + KEPT])
        values[memory] -= values[row + MEMORY_KEPT]
        for kind_of in range(types):
            at = values[GPUS_ON] + 2 * (types * node + kind_of)
            gpus = gpus_at(values, room, kind_of, node)
            values[at + 1] = max(0, values[gpus] - values[at])
            values[gpus] -= values[at + 1]
    found = place(values, room, kind, -1)
    for pin in range(values[PINS]):
        node = values[on + ON_WIDTH * pin + PIN]
        row = on + ON_WIDTH * node
        change(values, room, node, values[row + KEPT])
        values[room + values[MEMORY_OF] + node] += values[row + MEMORY_KEPT]
        for kind_of in range(types):
            kept_there = values[values[GPUS_ON] + 2 * (types * node + kind_of) + 1]
            values[gpus_at(values, room, kind_of, node)] += kept_there
    return found


@compiled
def _take_off(values: Integers, kind: int) -> None:
    """Take off what one has that is there at the date of the reservation."""
    placed, whole = values[PLACED], is_whole(values, kind, values[CHOICE])
    types = values[TYPES]
    for piece in range(values[CHOSEN_ON]):
        node, given = values[placed + 2 * piece], values[placed + 2 * piece + 1]
        row = values[ON] + ON_WIDTH * node
        if values[row + PINNED]:
            values[row + LEFT] -= kept(values, node, given, whole)
            values[row + MEMORY_LEFT] -= memory_of(values, kind, given)
            for kind_of in range(types):
                taken = values[values[GPUS_PLACED] + types * piece + kind_of]
                values[values[GPUS_ON] + 2 * (types * node + kind_of)] -= taken
