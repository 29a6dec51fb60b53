"""The nodes of Slurm, grouped into a site's classes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import NodeClasses, NodeKind, classes_of
from pred_aware.site_configuration.slurm.keys import NODE, is_off, listed, records
from pred_aware.site_configuration.slurm.scheduler import Settings
from workload_tools.slurm.conf import features, gres, hardware, number_of

_AWAY = ("DOWN", "DRAIN", "FAIL", "MAINT", "POWERED_DOWN", "NOT_RESPONDING", "INVAL")
_HARDWARE_WORDS = """
nodename nodeaddr nodehostname bcastaddr port cpus procs boards socketsperboard sockets
corespersocket threadspercore realmemory memspeclimit gres gresdrain gresused feature features
availablefeatures activefeatures weight state arch cpualloc cpuefctv cputot cpuload version os
allocmem freemem partitions boottime slurmdstarttime lastbusytime cfgtres alloctres capwatts
currentwatts avewatts extsensorsjoules extsensorswatts extsensorstemp nextstate resumeaftertime
comment extra instanceid instancetype cpualloctres gpuspec certflags topology parameters
restrictedcorespergpu resttimeout
"""
_HARDWARE = frozenset(_HARDWARE_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Resources:
    """Which resources of a node a job occupies."""

    memory: bool
    whole: bool
    cores: bool
    """True if jobs get all threads of a core."""


def nodes_of(folder: Folder, settings: Settings) -> NodeClasses:
    """Return the nodes in classes, as the controller or otherwise slurm.conf lists them.

    Raises
    ------
    SiteError
        A node has no CPUs, or its name cannot be parsed.
    """
    file, text = folder.text("nodes.txt")
    findings = folder.findings
    taken = _resources(settings, findings)
    reported = {one["NodeName"]: _lower(one) for one in records(text, "NodeName")}
    said = {name: entry.options for name, entry in settings.conf.nodes.items()}
    for entry in settings.conf.future:
        what = f"NodeName={entry.options['nodename']}"
        findings.add("state", entry.line.where, what, "State=FUTURE: these nodes are left out")
    if not reported and not said:
        folder.text(
            "nodes.txt",
            "slurm.conf",
            lacking="the nodes are unknown: the machine is only a number of processors",
        )
        return classes_of({})
    hidden = [name for name in said if name not in reported] if reported else []
    if hidden:
        findings.add(
            "not read", file, f"{len(hidden)} nodes of slurm.conf, such as {hidden[0]}",
            "scontrol does not show them (PrivateData, or not yet added), so slurm.conf is used",
        )  # fmt: skip
    # the controller sorts nodes by name, not in the order of slurm.conf
    names = [*reported] if reported and not hidden else sorted({**said, **reported}, key=_natural)
    kinds = {}
    for name in names:
        options = said.get(name, {}) | reported.get(name, {})
        where = file if name in reported else "slurm.conf"
        with findings.unless_unreadable(where, f"node {name}", "the node is left out"):
            kinds[name] = _kind(options, taken, where=where, findings=findings)
    _tell_states({name: reported.get(name) or said[name] for name in kinds}, file, findings)
    return classes_of(kinds)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that places ``n2`` before ``n10``."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", name)
    ]


def _resources(settings: Settings, findings: Findings) -> _Resources:
    select = settings.get("SelectType") or "select/cons_tres"
    where = settings.where("SelectTypeParameters")
    parameters = [part.upper() for part in listed(settings.get("SelectTypeParameters"))]
    linear = select == "select/linear"
    if select not in ("select/cons_tres", "select/cons_res", "select/linear"):
        findings.add(
            "not modelled", settings.where("SelectType"), f"SelectType={select}",
            "nodes are chosen differently; here jobs request CPUs and memory",
        )  # fmt: skip
    effects = {
        "CR_SOCKET": "jobs get whole sockets; here they get single CPUs",
        "CR_SOCKET_MEMORY": "jobs get whole sockets; here they get single CPUs",
        "CR_MEMORY": "" if linear else "only memory limits jobs; here CPUs limit jobs, too",
        "CR_LLN": "jobs use the nodes with the most idle CPUs",
        "CR_PACK_NODES": "jobs use as few nodes as possible; here all jobs do",
        "CR_ONE_TASK_PER_CORE": "each task gets a whole core",
        "LL_SHARED_GRES": "", "MULTIPLE_SHARING_GRES_PJ": "", "ENFORCE_BINDING_GRES": "",
        "ONE_TASK_PER_SHARING_GRES": "", "CR_CORE_DEFAULT_DIST_BLOCK": "", "CR_CORE": "",
        "CR_CPU": "", "CR_CORE_MEMORY": "", "CR_CPU_MEMORY": "", "NONE": "", "OTHER_CONS_RES": "",
        "OTHER_CONS_TRES": "",
    }  # fmt: skip
    for part in parameters:
        if part not in effects:
            findings.add("unknown", where, f"SelectTypeParameters={part}", "unknown to pred-aware")
        elif effects[part]:
            findings.add("not modelled", where, f"SelectTypeParameters={part}", effects[part])
    if not parameters and not linear:
        # since 21.08, the default includes memory; before, the default was CR_CPU
        findings.add(
            "assumed", where, "SelectTypeParameters=(not set)", "jobs request CPUs and memory"
        )
    memory = not parameters or any(part.endswith("MEMORY") for part in parameters)
    return _Resources(
        memory=memory and not (linear and not parameters),
        whole=linear,
        cores=not any(part.startswith("CR_CPU") for part in parameters),
    )


def _lower(options: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in options.items()}


def _kind(
    options: Mapping[str, str], taken: _Resources, *, where: str, findings: Findings
) -> NodeKind:
    node = hardware(options)
    memory = (number_of(options, "realmemory") or 1) - number_of(options, "memspeclimit")
    weight = number_of(options, "weight") or 1
    # jobs get CPUs in multiples of this number: the threads of a core, or 1
    threads = node.threads if taken.cores else 1
    if threads > 1:
        findings.add(
            "not modelled", where, f"ThreadsPerCore={threads}",
            "jobs get whole cores with all threads; here they get the CPUs in the log",
        )  # fmt: skip
    for key, value in options.items():
        off, effect = NODE.get(key, ((), ""))
        if effect not in ("", "-") and not is_off(value, off):
            findings.add("not modelled", where, f"{key}={value}", effect)
        elif not effect and key not in _HARDWARE:
            findings.add("unknown", where, f"{key} of nodes", "unknown to pred-aware")
    return NodeKind(
        cores=node.cpus // threads,
        threads=threads,
        memory=memory / 1024.0 if taken.memory else None,
        gpus=tuple(sorted(_gpus(options.get("gres", ""), where, findings).items())),
        features=tuple(sorted(set(features(options)))),
        weight=weight,
        whole=taken.whole,
    )


def _gpus(text: str, where: str, findings: Findings) -> dict[str, int]:
    """Return the GPUs in a text such as ``gpu:a100:4(S:0-1),nvme:2``, by type."""
    found: dict[str, int] = {}
    resources, unread = gres(text)
    for part in unread:
        findings.add("unknown", where, f"Gres={part}", "cannot be parsed")
    for name, kind, count in resources:
        if name == "gpu":
            found[kind or "gpu"] = found.get(kind or "gpu", 0) + count
        else:
            findings.add(
                "not modelled",
                where,
                f"Gres={name}",
                "jobs wait for this resource; here they ignore it",
            )
    return {kind: count for kind, count in found.items() if count}


def _tell_states(nodes: Mapping[str, Mapping[str, str]], file: str, findings: Findings) -> None:
    away: dict[str, list[str]] = {}
    for name, options in nodes.items():
        state = options.get("state", "").upper().rstrip("*~#%$@^!-")
        if any(part.startswith(_AWAY) for part in state.split("+")):
            away.setdefault(state, []).append(name)
    for state, names in away.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        findings.add(
            "state", file, f"{names[0]}{more}: State={state}",
            "treated as available; [[outages]] or [[capacity]] can state the times without them",
        )  # fmt: skip
