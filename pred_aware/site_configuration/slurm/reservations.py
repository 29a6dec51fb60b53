"""The reservations and licences of Slurm."""

from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import NodeClasses
from pred_aware.site_configuration.numbers import date, whole
from pred_aware.site_configuration.slurm.settings import Settings
from pred_aware.site_configuration.slurm.text import NOTHING, listed, records
from schedulers.site.site import Limit, Reservation
from workload_tools.slurm.node_names import node_names

_FLAGS = {
    "MAINT": "", "SPEC_NODES": "", "ALL_NODES": "", "IGNORE_JOBS": "", "OVERLAP": "",
    "PURGE_COMP": "",
    "NO_HOLD_JOBS_AFTER": "", "NO_HOLD_JOBS_AFTER_END": "", "STATIC_ALLOC": "", "STATIC": "",
    "PART_NODES": "", "FORCE_START": "", "USER_DELETE": "", "SKIP": "",
    "DAILY": "it repeats each day; here once", "HOURLY": "it repeats each hour; here once",
    "WEEKLY": "it repeats each week; here once",
    "WEEKDAY": "it repeats each workday; here once",
    "WEEKEND": "it repeats each weekend; here once",
    "FLEX": "its jobs may begin before it and end after it",
    "MAGNETIC": "jobs that may use it run in it without a request",
    "ANY_NODES": "it is for any nodes", "REPLACE": "nodes in use are replaced by others",
    "REPLACE_DOWN": "nodes that are down are replaced by others",
    "TIME_FLOAT": "it moves with time", "FIRST_CORES": "it is for some cores of each node",
    "LICENSE_ONLY": "it reserves only licences",
}  # fmt: skip


def reservations_of(folder: Folder, nodes: NodeClasses) -> tuple[Reservation, ...]:
    """Return the reservations with nodes; report settings that are not understood.

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
                folder.findings.add("not modelled", where, f"{key}={one[key]}", "it is left out")
        denied = [name for key in ("Users", "Accounts") for name in listed(one.get(key, ""))]
        if any(name.startswith("-") for name in denied):
            folder.findings.add(
                "not modelled",
                where,
                "users or accounts that may not use it",
                "no job may use it here",
            )
        if names in NOTHING or not nodes.classes:
            folder.findings.add(
                "not modelled", where, f"Nodes={names}", "it reserves no nodes here"
            )
            continue
        with folder.findings.unless_unreadable(where, "its dates and nodes", "it is left out"):
            kept = [*nodes.places] if names.upper() == "ALL" else node_names(names)
            begin, end = (date(one, key) for key in ("StartTime", "EndTime"))
            found.append(
                Reservation(
                    name=one["ReservationName"],
                    nodes=nodes.told(kept),
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
    """Return the numbers of licences, as limits of all jobs."""
    _, text = folder.text("licenses.txt")
    most = {one["LicenseName"]: one.get("Total", "0") for one in records(text, "LicenseName")}
    if not most:
        for part in listed(settings.get("Licenses")):
            name, _, number = part.replace("=", ":").partition(":")
            most[name] = number or "1"
    told = {
        name: folder.findings.read("licences", (name, number), whole)
        for name, number in most.items()
    }
    return tuple(
        Limit(of="licences", licence=name.partition("@")[0], most=float(number))
        for name, number in told.items()
        if number is not None
    )
