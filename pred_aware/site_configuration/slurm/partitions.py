"""The partitions of Slurm."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import NodeClasses, date, integer
from pred_aware.site_configuration.slurm.keys import (
    NOTHING,
    PARTITION,
    count_of,
    is_off,
    listed,
    records,
    seconds_of,
)
from pred_aware.site_configuration.slurm.scheduler import Settings, weights_of
from schedulers.site.site import Limit, Partition, Reservation
from workload_tools.slurm.conf import node_names, sharing

_SHARING = 4
"""How many jobs may share a core if OverSubscribe has no number; Slurm uses the same default."""
_MIB_PER_GIB = 1024.0
_READ_WORDS = """
partitionname allowaccounts denyaccounts allowqos denyqos default qos defaulttime maxnodes
maxtime nodes priorityjobfactor prioritytier oversubscribe shared state defmempercpu
defmempernode tresbillingweights
"""
_READ = frozenset(_READ_WORDS.split())


class Partitions:
    """The partitions of Slurm, as the controller or otherwise slurm.conf lists them.

    Attributes
    ----------
    qos : dict of str
        The QOS that limits each partition's jobs, by the partition's name.
    """

    def __init__(self, folder: Folder, settings: Settings, nodes: NodeClasses) -> None:
        self._findings = folder.findings
        self._settings = settings
        self._nodes = nodes
        self.file, text = folder.text("partitions.txt")
        options = [_lower(one) for one in records(text, "PartitionName")] or [*_of_conf(settings)]
        # if a partition has several records, the last record is used
        together = {one["partitionname"]: one for one in options}
        self._options = [one for name, one in together.items() if name]
        if len(self._options) < len(options):
            self._findings.add(
                "not read", self.file, "partitions without a name, or with a repeated name",
                "those without a name are left out; the last one with a repeated name is used",
            )  # fmt: skip
        if not self._options:
            folder.text(
                "partitions.txt", lacking="the partitions are unknown: jobs run on any node"
            )
        named = [one["partitionname"] for one in self._options]
        configured = [*_of_conf(settings)]
        hidden = [one["partitionname"] for one in configured if one["partitionname"] not in named]
        if hidden:
            self._findings.add(
                "not read", self.file, f"partitions {', '.join(hidden)} of slurm.conf",
                "scontrol does not show them (hidden, or PrivateData), so they are left out",
            )  # fmt: skip
        self.qos = {
            one["partitionname"]: one["qos"]
            for one in self._options
            if one.get("qos", "") not in NOTHING
        }

    def of_site(self, accounts: Iterable[str], qos: Iterable[str]) -> tuple[Partition, ...]:
        """Return the partitions; denied accounts and QOS become a list of all allowed ones."""
        accounts, qos = [*accounts], [*qos]
        return tuple(self._partition(one, accounts, qos) for one in self._options)

    def _partition(
        self, options: Mapping[str, str], accounts: list[str], qos: list[str]
    ) -> Partition:
        name = options["partitionname"]
        where = f"{self.file}, partition {name}"
        self._tell(options, where)

        def value(key: str, read: Callable[[str], Any]) -> Any:  # noqa: ANN401 - a setting of any type
            return self._findings.read(where, (key, options.get(key, "")), read)

        node_text = options.get("nodes", "")
        known = self._nodes.places
        told_names = value("nodes", lambda text: self._settings.conf.members(text, known)) or []
        names = [one for one in told_names if one in known]
        unknown = [one for one in told_names if one not in known]
        if unknown and known:
            self._findings.add(
                "not read", where, f"nodes {', '.join(unknown[:5])}", "no node or set has this name"
            )
        nodes = self._nodes.in_notation(names) if node_text not in NOTHING else ()
        if self._nodes.classes and not nodes:
            self._findings.add(
                "state", where, f"Nodes={node_text}", "the partition is empty: all nodes are used"
            )
        longest, default = value("maxtime", seconds_of), value("defaulttime", seconds_of)
        most = value("maxnodes", count_of)
        share = sharing(options)
        per_cpu, per_node = self._memory(value)
        return Partition(
            name=name,
            nodes=() if len(names) == len(self._nodes.places) else nodes,
            default=options.get("default", "").upper() == "YES",
            accounts=self._allowed(options, "accounts", accounts, where),
            qos=self._allowed(options, "qos", qos, where),
            max_nodes=None if most is None or (names and most >= len(names)) else max(1, most),
            max_walltime=longest,
            default_walltime=default or longest,
            whole=share.startswith("EXCLUSIVE"),
            oversubscribe=_sharing(share),
            priority_tier=value("prioritytier", integer) or 1,
            priority_job_factor=1 if (of := value("priorityjobfactor", integer)) is None else of,
            billing=value("tresbillingweights", lambda text: weights_of(text, per_mib=_MIB_PER_GIB))
            or {},
            default_memory=per_cpu,
            default_memory_per_node=per_node,
        )

    def _memory(
        self, value: Callable[[str, Callable[[str], Any]], Any]
    ) -> tuple[float | None, float | None]:
        """Return the default memory per CPU and per node in GiB, for jobs that request no memory.

        If the partition has no value, the cluster's value is used.
        """
        if all(one.memory is None for one in self._nodes.classes):
            return None, None
        per_cpu, per_node = value("defmempercpu", count_of), value("defmempernode", count_of)
        if not (per_cpu or per_node):
            per_cpu = self._settings.value("DefMemPerCPU", count_of)
            per_node = self._settings.value("DefMemPerNode", count_of)
        if per_cpu:
            return per_cpu / _MIB_PER_GIB, None
        return None, per_node / _MIB_PER_GIB if per_node else None

    def _allowed(
        self, options: Mapping[str, str], what: str, known: list[str], where: str
    ) -> tuple[str, ...]:
        allowed = listed(options.get(f"allow{what}", ""))
        denied = listed(options.get(f"deny{what}", ""))
        if allowed or not denied:
            return allowed
        if not known:
            self._findings.add(
                "not read", where, f"Deny{what}={','.join(denied)}",
                f"other {what} are unknown, so even the denied ones may use the partition",
            )  # fmt: skip
        return tuple(name for name in known if name not in denied)

    def _tell(self, options: Mapping[str, str], where: str) -> None:
        state = options.get("state", "UP").upper()
        if state != "UP":
            self._findings.add(
                "state",
                where,
                f"State={state}",
                "treated as up; [[freezes]] can state when it was down",
            )
        share = sharing(options)
        if _sharing(share) > 1:
            self._findings.add(
                "not modelled", where, f"OverSubscribe={share}",
                "several jobs may share a CPU; here each job has its own CPUs",
            )  # fmt: skip
        for key, value in options.items():
            off, effect = PARTITION.get(key, ((), ""))
            if key in _READ:
                continue
            if not effect:
                self._findings.add("unknown", where, f"{key}={value}", "unknown to pred-aware")
            elif effect == "-" or is_off(value, off):
                self._findings.without_effect += 1
            else:
                self._findings.add("not modelled", where, f"{key}={value}", effect)


def _sharing(share: str) -> int:
    """Return how many jobs may share a core, for a value such as ``FORCE:4`` or ``YES``."""
    kind, _, number = share.partition(":")
    if kind not in ("FORCE", "YES"):
        return 1
    return int(number) if number.isdecimal() and int(number) > 0 else _SHARING


def tell_of_partition_qos(partitions: Partitions, known: Iterable[str], findings: Findings) -> None:
    """Report partitions whose QOS is unknown."""
    known = {*known}
    for name, qos in partitions.qos.items():
        if qos not in known:
            findings.add(
                "not read", f"{partitions.file}, partition {name}", f"QoS={qos}",
                "the limits of this QOS are unknown",
            )  # fmt: skip


def _lower(options: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in options.items()}


def _of_conf(settings: Settings) -> Iterable[dict[str, str]]:
    return [dict(entry.options) for entry in settings.conf.partitions.values()]


_FLAGS = {
    "MAINT": "", "SPEC_NODES": "", "ALL_NODES": "", "IGNORE_JOBS": "", "OVERLAP": "",
    "PURGE_COMP": "",
    "NO_HOLD_JOBS_AFTER": "", "NO_HOLD_JOBS_AFTER_END": "", "STATIC_ALLOC": "", "STATIC": "",
    "PART_NODES": "", "FORCE_START": "", "USER_DELETE": "", "SKIP": "",
    "DAILY": "repeats each day; here it occurs once",
    "HOURLY": "repeats each hour; here it occurs once",
    "WEEKLY": "repeats each week; here it occurs once",
    "WEEKDAY": "repeats each workday; here it occurs once",
    "WEEKEND": "repeats each weekend; here it occurs once",
    "FLEX": "its jobs may start before the reservation and end after it",
    "MAGNETIC": "permitted jobs use the reservation without requesting it",
    "ANY_NODES": "may use any nodes", "REPLACE": "other nodes replace nodes in use",
    "REPLACE_DOWN": "other nodes replace nodes that are down",
    "TIME_FLOAT": "moves with time", "FIRST_CORES": "reserves only some cores of each node",
    "LICENSE_ONLY": "reserves only licences",
}  # fmt: skip


def reservations_of(folder: Folder, nodes: NodeClasses) -> tuple[Reservation, ...]:
    """Return the reservations with nodes; report settings that the site cannot take over.

    Raises
    ------
    SiteError
        A date or a list of nodes cannot be parsed.
    """
    file, text = folder.text("reservations.txt", lacking="future reservations are unknown")
    found = []
    for one in records(text, "ReservationName"):
        where = f"{file}, reservation {one['ReservationName']}"
        names = one.get("Nodes", "")
        for flag in listed(one.get("Flags", "")):
            effect = _FLAGS.get(flag.partition("=")[0], "unknown to pred-aware")
            if effect:
                folder.findings.add("not modelled", where, f"Flags={flag}", effect)
        for key in ("Groups", "Licenses", "BurstBuffer", "MaxStartDelay", "Features"):
            if one.get(key, "") not in NOTHING:
                folder.findings.add("not modelled", where, f"{key}={one[key]}", "ignored here")
        denied = [name for key in ("Users", "Accounts") for name in listed(one.get(key, ""))]
        if any(name.startswith("-") for name in denied):
            folder.findings.add(
                "not modelled",
                where,
                "users or accounts that may not use the reservation",
                "here no job may use the reservation",
            )
        if names in NOTHING or not nodes.classes:
            folder.findings.add(
                "not modelled", where, f"Nodes={names}", "here it reserves no nodes"
            )
            continue
        with folder.findings.unless_unreadable(where, "dates and nodes", "it is left out"):
            kept = [*nodes.places] if names.upper() == "ALL" else node_names(names)
            begin, end = (date(one, key) for key in ("StartTime", "EndTime"))
            found.append(
                Reservation(
                    name=one["ReservationName"],
                    nodes=nodes.in_notation(kept),
                    begin=begin,
                    end=end,
                    users=_allowed(one.get("Users", "")),
                    accounts=_allowed(one.get("Accounts", "")),
                )
            )
    return tuple(found)


def _allowed(text: str) -> tuple[str, ...]:
    return tuple(name for name in listed(text) if not name.startswith("-"))


def licences_of(folder: Folder, settings: Settings) -> tuple[Limit, ...]:
    """Return the numbers of licences, as limits on the total of all jobs."""
    _, text = folder.text("licenses.txt")
    most = {one["LicenseName"]: one.get("Total", "0") for one in records(text, "LicenseName")}
    if not most:
        for part in listed(settings.get("Licenses")):
            name, _, number = part.replace("=", ":").partition(":")
            most[name] = number or "1"
    amounts = {
        name: folder.findings.read("licences", (name, number), integer)
        for name, number in most.items()
    }
    return tuple(
        Limit(of="licences", licence=name.partition("@")[0], most=float(number))
        for name, number in amounts.items()
        if number is not None
    )
