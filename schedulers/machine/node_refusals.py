"""The reasons why a job could not even run alone on idle nodes, in words."""

from collections.abc import Sequence

from schedulers.machine.node_fit import NodeFit
from schedulers.machine.node_layout import Choice, NodeLayout
from schedulers.machine.node_request import KIB, Request
from schedulers.machine.placing import room_in


def refusal_of(
    request: Request, choices: Sequence[Choice], fit: NodeFit, layout: NodeLayout
) -> str | None:
    """Return why a request has no room on idle nodes in any choice, or ``None`` if it has room."""
    if any(fit.place(request, choice, layout.idle) is not None for choice in choices):
        return None
    if request.nodes > request.processors // request.unit:
        return f"asks for {request.nodes} nodes and only {request.processors} processors"
    return f"asks for {_asked(request)}; " + ", ".join(
        f"{choice.where} has {_had(request, choice, fit, layout)}" for choice in choices
    )


def _asked(request: Request) -> str:
    """Return a request in words."""
    whole = "whole " if request.whole else ""
    if request.nodes:
        each = -(-request.processors // request.nodes)
        text = f"{request.nodes} {whole}nodes of {each} processors"
        gpus = request.gpus_on_node
    else:
        text = f"{request.processors} processors" + (" on whole nodes" if whole else "")
        gpus = request.gpus or request.gpus_on_node
        if request.unit > 1:
            text += f", {request.unit} a task"
    if request.most_units:
        text += f", {request.most_units} tasks a node"
    if request.memory_on_node:
        text += f", {request.memory_on_node / KIB:g} GiB a node"
    elif request.memory_of_unit:
        text += f", {request.memory_of_unit / request.unit / KIB:g} GiB each"
    if gpus:
        of_type = f" '{request.gpu_type}'" if request.gpu_type else ""
        text += f", {gpus} GPUs{of_type}" + (" a node" if request.gpus_on_node else "")
    return text


def _had(request: Request, choice: Choice, fit: NodeFit, layout: NodeLayout) -> str:
    """Return in words what the choice has of the requested resources."""
    if not choice.nodes:
        return "no such node"
    if request.plain:
        had = room_in(layout.idle.levels, choice.nodes)
        enough = had >= request.processors and choice.most_nodes
        return f"{had}, on at most {choice.most_nodes} nodes" if enough else f"{had}"
    count = fit.holding(request, choice)
    if not count:
        return "none"
    return f"{count}" if request.nodes else f"only {count} nodes with any of it"
