"""Slurm's scheduling on a site's nodes, as `schedulers.slurm.cluster` has them: where jobs are.

What is free once some jobs have ended stands in rooms of the nodes, of which the last that were
asked for are kept.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.nodes_fit import is_whole
from pred_aware.engine.kernel.nodes_room import add, are_free, copy_room
from pred_aware.engine.kernel.nodes_runs import place_in_runs
from pred_aware.engine.kernel.nodes_values import CHOICE, CHOSEN_ON, PRESENT, Nodes
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
    kind = nodes.jobs.kind[job]
    return nodes.kinds.first[kind], nodes.kinds.last[kind]


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
    masks, choosing = slurm.masks, nodes.choosing
    for word in range(slurm.words):
        choosing.closed[word] = ~masks[usable + word]
    kind, choice = nodes.jobs.kind[job], nodes.tried[tried]
    if not place_in_runs(nodes, room, kind, choice, slurm.tries[tried, MOST_NODES], slurm.old):
        return False
    for word in range(slurm.words):
        masks[placed + word] = choosing.chosen[word]
    return True


@compiled
def has_what_is_chosen(nodes: Nodes, job: int) -> bool:
    """Say whether what was chosen for a job, maybe at another date, is free now."""
    kind, pieces = nodes.jobs.kind[job], nodes.choosing.pieces
    whole = is_whole(nodes, kind, nodes.counts[CHOICE])
    return are_free(nodes, pieces, 0, nodes.counts[CHOSEN_ON], kind, whole)


@compiled
def count_free(slurm: Slurm, nodes: Nodes) -> None:
    """Count how many processors are free after each end, at most: some may be lost."""
    counts, free = slurm.counts, slurm.free
    if counts[ROOMS]:
        return
    counts[ROOMS], free[0] = 1, counts[FREE_IN_PASS]
    for place in range(counts[ENDS]):
        free[place + 1] = free[place] + nodes.jobs.total[slurm.ending[place]]


@compiled_apart
def room_of_nodes(slurm: Slurm, nodes: Nodes, ends: int) -> int:
    """Return the room of what is free after so many ends."""
    counts, after, source = slurm.counts, 0, PRESENT
    for place in range(counts[ROOMS] - 1):
        if after < slurm.rooms[place] <= ends:
            after, source = slurm.rooms[place], FIRST_ROOM + place
    if after == ends:
        return source
    if counts[ROOMS] > len(slurm.rooms):
        counts[ROOMS] = 1
    target = FIRST_ROOM + counts[ROOMS] - 1
    copy_room(nodes.rooms, source, target)
    slurm.rooms[counts[ROOMS] - 1] = ends
    counts[ROOMS] += 1
    for place in range(after, ends):
        add(nodes, target, slurm.ending[place], 1)
    return target
