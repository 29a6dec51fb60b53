"""When the running jobs leave room for a waiting one, as `schedulers.slurm.ends` defines it."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.slurm_masks import (
    copy,
    first_after,
    has_room,
    place_side_by_side,
    put_in,
    room_of,
)
from pred_aware.engine.kernel.slurm_nodes import count_free, place_on_nodes, room_of_nodes
from pred_aware.engine.kernel.slurm_values import (
    ENDS,
    FREE_IN_PASS,
    LOOKED,
    PLACED,
    ROOM,
    ROOMS,
    Slurm,
)
from schedulers.slurm.ends import GROUP


@compiled
def add_end(slurm: Slurm, date: float, job: int) -> None:
    """Add a running job's end in a pass, whose rooms are others then."""
    ends, ending, place = slurm.ends, slurm.ending, slurm.counts[ENDS]
    while place > 0 and (
        ends[place - 1] > date or (ends[place - 1] == date and ending[place - 1] > job)
    ):
        ends[place], ending[place] = ends[place - 1], ending[place - 1]
        place -= 1
    ends[place], ending[place] = date, job
    slurm.counts[ENDS] += 1
    slurm.counts[ROOMS] = 0


@compiled
def first_room(
    slurm: Slurm, nodes: Nodes | None, job: int, tried: int, start: float, latest: float
) -> float:
    """Choose where a job has room first on what was looked at; return when, or never.

    What is found after the latest date is of no use.
    """
    if latest < NEVER and not _has_enough(slurm, nodes, job, gone_by(slurm, latest)):
        return NEVER
    if slurm.old:
        return _first_room_before(slurm, nodes, job, tried, start, latest)
    return _first_room(slurm, nodes, job, tried, start)


@compiled
def place_in(
    slurm: Slurm, nodes: Nodes | None, job: int, tried: int, room: int, usable: int
) -> bool:
    """Choose where a job has room on some nodes, given as a bit mask; say whether it has."""
    if nodes is None:
        if not has_room(slurm, room, usable, slurm.sizes[job]):
            return False
        place_side_by_side(slurm, slurm.sizes[job])
        return True
    return place_on_nodes(slurm, nodes, job, tried, room, usable)


@compiled
def _has_enough(slurm: Slurm, nodes: Nodes | None, job: int, ends: int) -> bool:
    """Say whether as many processors may be free after so many ends."""
    size = slurm.sizes[job]
    if nodes is None:
        room = _room_after(slurm, ends)
        return slurm.free[ends] >= size and has_room(slurm, room, LOOKED, size)
    count_free(slurm, nodes)
    return slurm.free[ends] >= size


@compiled
def _places(slurm: Slurm, nodes: Nodes | None, job: int, tried: int, ends: int) -> bool:
    """Choose where a job has room after so many ends; say whether it has."""
    if not _has_enough(slurm, nodes, job, ends):
        return False
    if nodes is None:
        place_side_by_side(slurm, slurm.sizes[job])
        return True
    return place_on_nodes(slurm, nodes, job, tried, room_of_nodes(slurm, nodes, ends), LOOKED)


@compiled
def _room_after(slurm: Slurm, ends: int) -> int:
    """Return the row of what is free after so many ends."""
    counts, masks = slurm.counts, slurm.masks
    if not counts[ROOMS]:
        copy(masks, ROOM, room_of(slurm, 0))
        slurm.free[0] = counts[FREE_IN_PASS]
        counts[ROOMS] = 1
    while counts[ROOMS] <= ends:
        after, job = room_of(slurm, counts[ROOMS]), slurm.ending[counts[ROOMS] - 1]
        copy(masks, after - 1, after)
        put_in(masks, after, slurm.held[job])
        slurm.free[counts[ROOMS]] = slurm.free[counts[ROOMS] - 1] + slurm.sizes[job]
        counts[ROOMS] += 1
    return room_of(slurm, ends)


@compiled
def gone_by(slurm: Slurm, date: float) -> int:
    """Return how many jobs end by a date."""
    return first_after(slurm.ends, 0, slurm.counts[ENDS], date)


@compiled
def _meet(slurm: Slurm, row: int, other: int) -> bool:
    masks, found = slurm.masks, 0
    for word in range(masks.shape[1]):
        found |= masks[row, word] & masks[other, word]
    return found != 0


@compiled
def _barrier(slurm: Slurm, date: float, length: float) -> float:
    """Return the next full multiple of a length since 1970 after a date."""
    return (np.floor((date + slurm.epoch) / length) + 1.0) * length - slurm.epoch


@compiled_apart
def _first_room(slurm: Slurm, nodes: Nodes | None, job: int, tried: int, start: float) -> float:
    gone, last = gone_by(slurm, start), slurm.counts[ENDS]
    if _places(slurm, nodes, job, tried, gone):
        return start
    ends = slurm.ends
    until, length = NEVER, GROUP
    for number in range(gone, last):
        if until == NEVER:
            until = _barrier(slurm, ends[number], length) + length
        if number + 1 < last and (
            ends[number + 1] <= until or not _meet(slurm, slurm.held[slurm.ending[number]], LOOKED)
        ):
            continue
        until, length = NEVER, 2.0 * length
        if _places(slurm, nodes, job, tried, number + 1):
            for other in range(number, gone - 1, -1):
                if _meet(slurm, slurm.held[slurm.ending[other]], PLACED):
                    return ends[other]
            return ends[number]
    return NEVER


@compiled_apart
def _first_room_before(
    slurm: Slurm, nodes: Nodes | None, job: int, tried: int, start: float, latest: float
) -> float:
    """Do the same as Slurm 22.05 does it."""
    if _places(slurm, nodes, job, tried, 0):
        return start
    ends, count = slurm.ends, slurm.counts[ENDS]
    barrier, length, last = NEVER, GROUP, NEVER
    for number in range(1, count + 1):
        after = ends[number] if number < count else NEVER
        if _meet(slurm, slurm.held[slurm.ending[number - 1]], LOOKED):
            last = ends[number - 1]
            if barrier == NEVER:
                barrier = _barrier(slurm, last, GROUP)
            if number < count and after <= barrier + length:
                continue
        elif number < count or last == NEVER:
            continue
        if last > latest:
            return NEVER
        length *= 2.0
        while number < count and after > barrier + length:
            length *= 2.0
        if _places(slurm, nodes, job, tried, number):
            return last
        last = NEVER
    return NEVER
