"""Construction of a site from OpenPBS's configuration."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import NodeClasses, NodeKind, classes_of, decimal
from pred_aware.site_configuration.pbs.scheduler import scheduler_of, shares_of
from pred_aware.site_configuration.pbs.text import (
    EXPRESS,
    NO_EFFECT,
    NOT_MODELLED,
    Attributes,
    count_of,
    gib_of,
    of_pbsnodes,
    of_qmgr,
    of_qstat,
    seconds_of,
)
from schedulers.site.site import Limit, Partition, Site

_ONE = re.compile(r"\[([ougp]):([^=\]]+)=\s*([^\]]+)\]")
_PER = {"u": "user", "g": "group", "p": "project"}
_RESOURCES = {"ncpus": "processors", "nodect": "nodes", "mem": "memory", "ngpus": "gpus"}
_OLD = {"max_running": "all", "max_user_run": "user", "max_group_run": "group"}
_GENERIC, _ALL = "PBS_GENERIC", "PBS_ALL"
_made: Callable[..., Limit] = Limit


def limits_of(
    attributes: Attributes, findings: Findings, *, where: str, queue: str | None = None
) -> Iterator[Limit]:
    """Yield the limits in the attributes of a server or a queue."""
    only: Mapping[str, Any] = {} if queue is None else {"only": {"partition": (queue,)}}
    for key, value in attributes.items():
        name, _, resource = key.partition(".")
        with findings.unless_unreadable(where, f"{key}={value}", "this limit is left out"):
            if name in ("max_run", "max_queued"):
                of = "jobs" if name == "max_run" else "submitted"
                yield from _limits(value, of, only, read=decimal)
            elif name == "max_run_res" and resource in _RESOURCES:
                of = _RESOURCES[resource]
                yield from _limits(value, of, only, read=gib_of if of == "memory" else decimal)
            elif name == "max_run_res":
                findings.add("not modelled", where, f"{key}={value}", "holds jobs above the limit")
            elif name in _OLD:
                yield _made(of="jobs", per=_OLD[name], most=decimal(value), **only)
            elif name == "max_queuable":
                yield _made(of="submitted", most=decimal(value), **only)


def _limits(
    text: str, of: str, only: Mapping[str, Any], *, read: Callable[[str], float]
) -> Iterator[Limit]:
    """Yield the limits in a text such as ``[u:PBS_GENERIC=10],[u:ann=5],[o:PBS_ALL=100]``."""
    found = [(who, name.strip(' "'), read(most.strip())) for who, name, most in _ONE.findall(text)]
    if not found:
        raise ValueError("the text has no limit such as [u:PBS_GENERIC=10]")
    for who, per in _PER.items():
        mine = {name: most for one, name, most in found if one == who}
        if mine:
            by = {name: most for name, most in mine.items() if name not in (_GENERIC, _ALL)}
            yield _made(of=of, per=per, most=mine.get(_GENERIC), by=by, **only)
    for who, _, most in found:
        if who == "o":
            yield _made(of=of, per="all", most=most, **only)


_AWAY = ("down", "offline", "stale", "unknown", "maintenance", "sleep", "unresolvable")
_READ = frozenset(("arch", "host", "vnode", "ncpus", "mem", "ngpus", "Qlist"))


def nodes_of(folder: Folder) -> tuple[NodeClasses, dict[str, list[str]]]:
    """Return the nodes in classes, and the names of the nodes that belong to each queue.

    The empty name has the nodes that belong to no queue. A node that cannot be read is left out and
    reported.
    """
    file, text = folder.text(
        "nodes.json", "pbsnodes.json", "nodes.txt", "pbsnodes.txt",
        lacking="the nodes are unknown: the machine is only a number of processors",
    )  # fmt: skip
    if not text:
        return classes_of({}), {}
    try:
        nodes = of_pbsnodes(text)
    except ValueError as error:
        folder.findings.add(
            "not read", file, str(error),
            "the nodes are unknown; save the output of `pbsnodes -av` as nodes.txt",
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
            # for example, a host's own vnode, if other vnodes have the host's CPUs
            del kinds[name]
            folder.findings.add("assumed", where, "ncpus=0", "the node is left out")
            continue
        queues.setdefault(str(node.get("queue") or ""), []).append(name)
        state = str(node.get("state", "free"))
        if any(part in state for part in _AWAY):
            folder.findings.add(
                "state", where, f"state={state}",
                "treated as available; [[outages]] or [[capacity]] can state the times without it",
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
                "jobs may request this resource; such requests are ignored here",
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


_LIMITS = ("max_run", "max_queued", "max_running", "max_user_run", "max_group_run", "max_queuable",
           "max_run_res")  # fmt: skip
_MAXIMA = ("resources_max.walltime", "resources_max.ncpus", "resources_max.nodect",
           "resources_default.walltime")  # fmt: skip


def pbs_site(folder: Folder) -> tuple[Site, str]:
    """Return the site from a folder with OpenPBS's output, and the scheduler in words.

    Raises
    ------
    SiteError
        A file has invalid content.
    """
    findings = folder.findings
    server_file, server, queue_file, queues = _attributes(folder)
    nodes, of_queue = nodes_of(folder)
    partitions = []
    limits = [*limits_of(server, findings, where=server_file)]
    _tell(server, server_file, findings)
    for name, stated in queues.items():
        where = f"{queue_file}, queue {name}"
        if stated.get("queue_type", "Execution").lower().startswith("r"):
            findings.add(
                "state", where, "queue_type=Route",
                "left out, because a log has the queues to which this queue routed the jobs",
            )  # fmt: skip
            continue
        _tell(stated, where, findings)
        # the server's values apply to queues without own values
        attributes = {**{key: server[key] for key in _MAXIMA if key in server}, **stated}
        default = server.get("default_queue") == name
        here = (nodes, of_queue.get(name, of_queue.get("", [])))
        partitions.append(_partition(name, attributes, where, here, default=default, of=findings))
        limits += limits_of(stated, findings, where=where, queue=name)
    folder.text("holidays")
    express = any(one.priority_tier >= EXPRESS for one in partitions)
    openpbs = scheduler_of(server, folder, express=express)
    site = Site(
        name=server.get("server_host", "").partition(".")[0] or folder.path.absolute().name,
        time_zone=folder.time_zone,
        nodes=nodes.classes,
        partitions=tuple(partitions),
        limits=tuple(limits),
        openpbs=openpbs,
        associations=shares_of(folder),
    )
    version = f" {openpbs.version}" if openpbs.version else ""
    order = "strict order" if openpbs.strict_ordering else "no strict order"
    return site, f"OpenPBS{version}, {order}, backfill_depth {openpbs.backfill_depth}"


def _attributes(folder: Folder) -> tuple[str, Attributes, str, Mapping[str, Attributes]]:
    """Return the attributes of the server and the queues, with the names of their files."""
    qmgr_file, text = folder.text("qmgr.txt")
    said, queues_said = of_qmgr(text)
    lacking = None if text else "the server's limits and order are unknown"
    server_file, text = folder.text("server.txt", lacking=lacking)
    servers = of_qstat(text)
    server = next(iter(servers.values()), {})
    lacking = None if queues_said else "the queues are unknown: jobs run on any node"
    queue_file, text = folder.text("queues.txt", lacking=lacking)
    queues = of_qstat(text)
    # the output of qstat also has defaults, that of qmgr only explicit settings
    return (
        server_file if server else qmgr_file, {**said, **server},
        queue_file if queues else qmgr_file, queues or queues_said,
    )  # fmt: skip


def _partition(
    name: str,
    attributes: Attributes,
    where: str,
    here: tuple[NodeClasses, list[str]],
    *,
    default: bool,
    of: Findings,
) -> Partition:
    def value(key: str, read: Callable[[str], float]) -> float | None:
        return of.read(where, (key, attributes.get(key, "")), read)

    nodes, names = here
    priority = value("Priority", decimal) or value("priority", decimal) or 0.0
    if priority < 0:
        of.add(
            "not modelled", where, f"Priority={priority:g}", "0, a site's lowest priority, is used"
        )
    for key in ("enabled", "started"):
        if attributes.get(key, "True").lower() != "true":
            of.add(
                "state",
                where,
                f"{key}=False",
                "treated as open; [[freezes]] can state when it was closed",
            )
    all_cores = {one.name: one.cores for one in nodes.classes}
    cores = sum(all_cores[nodes.places[one][0]] for one in names if one in nodes.places)
    most, most_nodes = value("resources_max.ncpus", decimal), value("resources_max.nodect", decimal)
    longest = value("resources_max.walltime", seconds_of)
    usual = value("resources_default.walltime", seconds_of)
    return Partition(
        name=name,
        nodes=() if len(names) == len(nodes.places) else nodes.in_notation(names),
        default=default,
        max_processors=None if most is None or 0 < cores <= most else int(most),
        max_nodes=None if most_nodes is None or 0 < len(names) <= most_nodes else int(most_nodes),
        max_walltime=longest,
        default_walltime=None if usual is None or (longest and usual > longest) else usual,
        priority_tier=max(0, int(priority)),
    )


def _tell(attributes: Attributes, where: str, findings: Findings) -> None:
    """Report attributes that the site does not contain."""
    for key, value in attributes.items():
        name = key.partition(".")[0]
        if name in _LIMITS or key in _MAXIMA:
            continue
        if (
            key in NO_EFFECT
            or name in NO_EFFECT
            or (
                name in ("acl_users", "acl_groups")
                and (attributes.get(f"{name[:-1]}_enable", "False").lower() != "true")
            )
        ):
            findings.without_effect += 1
        elif name == "resources_max":
            findings.add(
                "not modelled", where, f"{key}={value}",
                "jobs that request more than this are refused",
            )  # fmt: skip
        elif name in NOT_MODELLED or name in ("acl_users", "acl_groups"):
            effect = NOT_MODELLED.get(name, "only these users or groups may submit jobs")
            if value.lower() == "false":
                findings.without_effect += 1
            else:
                findings.add("not modelled", where, f"{key}={value}", effect)
        else:
            findings.add("unknown", where, f"{key}={value}", "unknown to pred-aware")
