"""The nodes of an OpenPBS server."""

from collections.abc import Mapping
from typing import Any

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import NodeClasses, NodeKind, classes_of
from pred_aware.site_configuration.pbs.text import count_of, gib_of, of_pbsnodes

_AWAY = ("down", "offline", "stale", "unknown", "maintenance", "sleep", "unresolvable")
_READ = frozenset(("arch", "host", "vnode", "ncpus", "mem", "ngpus", "Qlist"))


def nodes_of(folder: Folder) -> tuple[NodeClasses, dict[str, list[str]]]:
    """Return the nodes in classes, and the names of the nodes that belong to each queue.

    Nodes without a queue are under the empty name.

    A node that cannot be read is left out and reported.
    """
    file, text = folder.text(
        "nodes.json", "pbsnodes.json", "nodes.txt", "pbsnodes.txt",
        lacking="no nodes are known: the machine is only a number of processors",
    )  # fmt: skip
    if not text:
        return classes_of({}), {}
    try:
        nodes = of_pbsnodes(text)
    except ValueError as error:
        folder.findings.add(
            "not read", file, str(error),
            "no nodes are known; save `pbsnodes -av` as nodes.txt",
        )  # fmt: skip
        return classes_of({}), {}
    kinds: dict[str, NodeKind] = {}
    queues: dict[str, list[str]] = {}
    for name, node in nodes.items():
        where = f"{file}, node {name}"
        try:
            kinds[name] = _kind(node, where, folder.findings)
        except ValueError as error:
            hint = " (this is `pbsnodes -a`; `pbsnodes -av` is needed)"
            various = hint if "<various>" in str(error) else ""
            folder.findings.add("not read", where, str(error), f"the node is left out{various}")
            continue
        if kinds[name].cores < 1:
            # such as the vnode of a host whose CPUs are in other vnodes
            del kinds[name]
            folder.findings.add("assumed", where, "ncpus=0", "left out")
            continue
        queues.setdefault(str(node.get("queue") or ""), []).append(name)
        state = str(node.get("state", "free"))
        if any(part in state for part in _AWAY):
            folder.findings.add(
                "state", where, f"state={state}",
                "counted as available; use [[outages]] or [[capacity]] for times when it was not",
            )  # fmt: skip
    return classes_of(kinds), queues


def _kind(node: Mapping[str, Any], where: str, findings: Findings) -> NodeKind:
    if "resources_available" not in node:
        raise ValueError("has no resources_available")
    there = node["resources_available"]
    sharing = str(node.get("sharing", "default_shared"))
    for name, value in there.items():
        if name not in _READ:
            findings.add(
                "not modelled", where.partition(",")[0], f"resources_available.{name} of nodes",
                "jobs may request it; it is ignored here",
            )  # fmt: skip
        del value
    memory = there.get("mem")
    return NodeKind(
        cores=count_of(str(there.get("ncpus", node.get("pcpus", 1)))),
        memory=None if memory is None else gib_of(str(memory)) or None,
        gpus=(("gpu", gpus),) if (gpus := count_of(str(there.get("ngpus", 0)))) else (),
        weight=0,
        whole=sharing in ("force_excl", "default_excl", "force_exclhost", "default_exclhost"),
    )
