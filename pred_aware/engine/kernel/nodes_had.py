"""How many nodes and GPUs jobs have, for limits, as `schedulers.machine.nodes` counts them."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.codes import AS_ASKED, NODES_HAD, NOW
from pred_aware.engine.kernel.limits import is_above
from pred_aware.engine.kernel.nodes_masks import of_kind
from pred_aware.engine.kernel.nodes_room import of_job
from pred_aware.engine.kernel.nodes_values import (
    CHOSEN_ON,
    GPUS_PLACED,
    HELD,
    KIND,
    MANY,
    PIECES,
    PLACED,
    THERE,
    TYPES,
    WANTS_WHOLE,
    Nodes,
)
from pred_aware.engine.kernel.site_values import Gate


@compiled
def note_had(gate: Gate | None, nodes: Nodes, job: int) -> None:
    """Note what a job has of what limits count, for which nodes were taken."""
    if gate is not None and len(gate.jobs.had):
        _note(gate, nodes, job)


@compiled_apart
def _note(gate: Gate, nodes: Nodes, job: int) -> None:
    values, first = nodes.values, of_job(nodes.values, job, HELD)
    whole, pieces, gpus = _is_whole(values, job), of_job(values, job, PIECES), 0
    for piece in range(first, first + pieces):
        for kind_of in range(values[TYPES]):
            if whole:
                gpus += _there(values, kind_of, nodes.held[piece, 0])
            else:
                gpus += nodes.held[piece, 2 + kind_of]
    gate.jobs.had[job, 0], gate.jobs.had[job, 1] = pieces, gpus


@compiled
def is_limited_at(gate: Gate | None, nodes: Nodes | None, job: int) -> bool:
    """Say whether a limit stops a job of the queue where it was chosen, by what it would have."""
    if gate is None or nodes is None:
        return False
    return len(gate.jobs.had) > 0 and _is_above_at(gate, nodes, job)


@compiled_apart
def _is_above_at(gate: Gate, nodes: Nodes, job: int) -> bool:
    alike, counters = gate.jobs.alike[job], gate.counters
    if alike < 0:
        return False
    for entry in range(gate.alikes.stopping[alike], gate.alikes.stopping[alike + 1]):
        counter = gate.stopping.counter[entry]
        if counters.had[counter] == AS_ASKED:
            continue
        amount = float(_chosen(nodes, job, counters.had[counter]))
        if is_above(counters, counter, amount, gate.at[NOW]):
            return True
    return False


@compiled
def _chosen(nodes: Nodes, job: int, had: int) -> int:
    """Return how many nodes or GPUs are chosen for a job."""
    values, gpus = nodes.values, 0
    if had == NODES_HAD:
        return values[CHOSEN_ON]
    whole, types = _is_whole(values, job), values[TYPES]
    for piece in range(values[CHOSEN_ON]):
        for kind_of in range(types):
            if whole:
                gpus += _there(values, kind_of, values[values[PLACED] + 2 * piece])
            else:
                gpus += values[values[GPUS_PLACED] + types * piece + kind_of]
    return gpus


@compiled
def _is_whole(values: Integers, job: int) -> bool:
    return of_kind(values, of_job(values, job, KIND), WANTS_WHOLE) > 0


@compiled
def _there(values: Integers, kind_of: int, node: int) -> int:
    """Return how many GPUs of a type an idle node has."""
    return values[values[THERE] + (1 + kind_of) * values[MANY] + node]
