"""How many nodes and GPUs jobs have, for limits, as `schedulers.machine.nodes` counts them."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import AS_ASKED, GPUS_HAD, NODES_HAD, NOW
from pred_aware.engine.kernel.limits import is_above
from pred_aware.engine.kernel.nodes_values import CHOSEN_ON, GPUS, NODE, Nodes
from pred_aware.engine.kernel.site_values import Gate


@compiled
def note_had(gate: Gate | None, nodes: Nodes, job: int) -> None:
    """Note what a job has of what limits count, for which nodes were taken."""
    if gate is not None and len(gate.jobs.had):
        _note(gate, nodes, job)


@compiled_apart
def _note(gate: Gate, nodes: Nodes, job: int) -> None:
    # what was chosen last is what was taken
    gate.jobs.had[job, NODES_HAD - 1] = _chosen(nodes, job, NODES_HAD)
    gate.jobs.had[job, GPUS_HAD - 1] = _chosen(nodes, job, GPUS_HAD)


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
    """Return how many nodes or GPUs are chosen for a job: of whole nodes all."""
    pieces, gpus = nodes.choosing.pieces, 0
    if had == NODES_HAD:
        return nodes.counts[CHOSEN_ON]
    whole = nodes.kinds.whole[nodes.jobs.kind[job]] > 0
    for piece in range(nodes.counts[CHOSEN_ON]):
        for thing in range(GPUS, pieces.shape[1]):
            gpus += nodes.there[thing, pieces[piece, NODE]] if whole else pieces[piece, thing]
    return gpus
