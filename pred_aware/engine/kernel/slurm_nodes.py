"""Slurm's scheduling on a site's nodes, as `schedulers.slurm.cluster` has them: where jobs are.

What is free once some jobs have ended stands in rooms behind the tables of the nodes, of which the
last that were asked for are kept.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.nodes_fit import is_whole, kept, memory_of
from pred_aware.engine.kernel.nodes_gpus import gpus_at
from pred_aware.engine.kernel.nodes_masks import of_kind
from pred_aware.engine.kernel.nodes_room import add, of_job
from pred_aware.engine.kernel.nodes_runs import place_in_runs
from pred_aware.engine.kernel.nodes_values import (
    AVAILABLE,
    CHOICE,
    CHOSEN,
    CHOSEN_ON,
    FIRST,
    FREE_OF,
    GPUS_PLACED,
    KIND,
    LAST,
    MEMORY_OF,
    PLACED,
    ROOM,
    ROOM_OF,
    TOTAL,
    TRIED,
    TYPES,
    Nodes,
)
from pred_aware.engine.kernel.nodes_values import ROOMS as FIRST_ROOM
from pred_aware.engine.kernel.slurm_values import (
    ENDS,
    FREE_IN_PASS,
    GETS_WHOLE_NODES,
    MOST_NODES,
    ROOMS,
    Slurm,
)


@compiled
def tries_of(nodes: Nodes | None, job: int) -> tuple[int, int]:
    """Return where a job's places in `Slurm.tries` begin, and end."""
    if nodes is None:
        return 0, 1
    kind = of_job(nodes.values, job, KIND)
    return of_kind(nodes.values, kind, FIRST), of_kind(nodes.values, kind, LAST)


@compiled
def has_whole_nodes(slurm: Slurm, nodes: Nodes | None, job: int) -> bool:
    """Say whether a job gets whole nodes anywhere."""
    first, last = tries_of(nodes, job)
    for tried in range(first, last):  # noqa: SIM110 - compiled
        if slurm.tries[tried, GETS_WHOLE_NODES]:
            return True
    return False


@compiled_apart
def place_on_nodes(
    slurm: Slurm, nodes: Nodes, job: int, tried: int, room: int, usable: int, placed: int
) -> bool:
    """Choose where a job has room on some nodes, given as a bit mask; say whether it has."""
    values, masks = nodes.values, slurm.masks
    for word in range(slurm.words):
        values[values[AVAILABLE] + word] = ~masks[usable + word]
    kind, choice = of_job(values, job, KIND), values[values[TRIED] + tried]
    if not place_in_runs(values, room, kind, choice, slurm.tries[tried, MOST_NODES], slurm.old):
        return False
    for word in range(slurm.words):
        masks[placed + word] = values[values[CHOSEN] + word]
    return True


@compiled_apart
def has_what_is_chosen(values: Integers, job: int) -> bool:
    """Say whether what was chosen for a job, maybe at another date, is free now."""
    room, kind, types = values[ROOM], of_job(values, job, KIND), values[TYPES]
    whole = is_whole(values, kind, values[CHOICE])
    for piece in range(values[CHOSEN_ON]):
        node = values[values[PLACED] + 2 * piece]
        given = values[values[PLACED] + 2 * piece + 1]
        if values[room + values[FREE_OF] + node] < kept(values, node, given, whole):
            return False
        if values[room + values[MEMORY_OF] + node] < memory_of(values, kind, given):
            return False
        for kind_of in range(types):
            of_type = values[values[GPUS_PLACED] + types * piece + kind_of]
            if values[gpus_at(values, room, kind_of, node)] < of_type:
                return False
    return True


@compiled
def count_free(slurm: Slurm, nodes: Nodes) -> None:
    """Count how many processors are free after each end, at most: some may be lost."""
    counts, free = slurm.counts, slurm.free
    if counts[ROOMS]:
        return
    counts[ROOMS], free[0] = 1, counts[FREE_IN_PASS]
    for place in range(counts[ENDS]):
        free[place + 1] = free[place] + of_job(nodes.values, slurm.ending[place], TOTAL)


@compiled_apart
def room_of_nodes(slurm: Slurm, nodes: Nodes, ends: int) -> int:
    """Return where it stands what is free after so many ends."""
    values, counts = nodes.values, slurm.counts
    size, after, source = values[ROOM_OF], 0, values[ROOM]
    for place in range(counts[ROOMS] - 1):
        if after < slurm.rooms[place] <= ends:
            after, source = slurm.rooms[place], values[FIRST_ROOM] + place * size
    if after == ends:
        return source
    if counts[ROOMS] > len(slurm.rooms):
        counts[ROOMS] = 1
    target = values[FIRST_ROOM] + (counts[ROOMS] - 1) * size
    for place in range(size):
        values[target + place] = values[source + place]
    slurm.rooms[counts[ROOMS] - 1] = ends
    counts[ROOMS] += 1
    for place in range(after, ends):
        add(nodes, target, slurm.ending[place], 1)
    return target
