"""The table ``[openpbs]`` of a site: settings of server and scheduler, and shares."""

from typing import Any

import msgspec

from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import decimal, integer
from pred_aware.site_configuration.pbs.text import (
    OFF,
    SCHED_CONFIG,
    Attributes,
    of_sched_config,
    seconds_of,
)
from schedulers.orders.fair_share.tree import ROOT
from schedulers.site.batch_system import Association, OpenPbs

_FIELDS = {field.name: field.type for field in msgspec.structs.fields(OpenPbs)}
_TIMES = ("fairshare_decay_time", "max_starve")
_NOT_IN_FILE = (
    "version", "scheduler_iteration", "job_sort_formula", "eligible_time_enable", "backfill_depth"
)  # fmt: skip
_COLUMNS = 4
WITHOUT_STARVING = 22
"""From this version on, ``help_starving_jobs`` has no effect; in version 20.0, it has an effect."""


def scheduler_of(server: Attributes, folder: Folder, *, express: bool) -> OpenPbs:
    """Return the scheduler's settings; report settings that the site cannot take over.

    If no queue has `express` jobs, no job preempts others, as in OpenPBS's default settings.

    Raises
    ------
    SiteError
        A setting has an invalid value.
    """
    found = _of_server(server) | _of_file(folder, express=express)
    if found.get("help_starving_jobs") and _without_starving_help(found.get("version", "")):
        del found["help_starving_jobs"]
        folder.findings.without_effect += 1
    return folder.findings.convert(found, OpenPbs, "the scheduler's configuration")


def _of_server(server: Attributes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if server.get("pbs_version"):
        found["version"] = server["pbs_version"]
    for name in ("scheduler_iteration", "backfill_depth"):
        if server.get(name, "").isdecimal():
            found[name] = int(server[name])
    if server.get("job_sort_formula"):
        found["job_sort_formula"] = server["job_sort_formula"]
    found["eligible_time_enable"] = server.get("eligible_time_enable", "").lower() == "true"
    return found


def _without_starving_help(version: str) -> bool:
    """Return True if a version has no help for starving jobs, as OpenPBS from 22.05 on."""
    year = version.partition(".")[0]
    return year.isdecimal() and int(year) % 2000 >= WITHOUT_STARVING


def _of_file(folder: Folder, *, express: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    file, text = folder.text(
        "sched_config", lacking="the scheduler's settings: PBS's defaults are used"
    )
    keys: list[str] = []
    for number, key, value, when in of_sched_config(text):
        where = f"{file}, line {number}"
        if when == "non_prime" and key in found and str(found[key]).lower() != value.lower():
            folder.findings.add(
                "not modelled", where, f"{key}: {value} non_prime",
                "the value differs outside prime time; here the prime-time value is always used",
            )  # fmt: skip
        elif key == "job_sort_key":
            keys.append(value)
        elif key in _FIELDS and key not in _NOT_IN_FILE:
            with folder.findings.unless_unreadable(where, f"{key}: {value}", "treated as not set"):
                found[key] = _value(key, value)
        elif key not in SCHED_CONFIG:
            folder.findings.add("unknown", where, f"{key}: {value}", "unknown to pred-aware")
        elif key == "preemptive_sched" and not express:
            folder.findings.without_effect += 1
        elif SCHED_CONFIG[key] and value.lower() not in OFF:
            folder.findings.add("not modelled", where, f"{key}: {value}", SCHED_CONFIG[key])
        else:
            folder.findings.without_effect += 1
    if keys:
        found["job_sort_key"] = tuple(keys)
    return found


def _value(key: str, value: str) -> object:
    kind = _FIELDS[key]
    if kind is bool:
        return value.lower() in ("true", "1", "yes")
    if key in _TIMES:
        return seconds_of(value)
    if key == "unknown_shares":
        return integer(value)
    return decimal(value) if key == "fairshare_decay_factor" else value


def shares_of(folder: Folder) -> tuple[Association, ...]:
    """Return the tree of shares in the file ``resource_group``: groups and their users."""
    file, text = folder.text("resource_group", lacking="all users have equal shares")
    lines: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.partition("#")[0].split()
        if not parts:
            continue
        where = f"{file}, line {number}"
        with folder.findings.unless_unreadable(where, line.strip(), "the line is left out"):
            if len(parts) < _COLUMNS:
                raise ValueError("must have a name, a number, the parent group and shares")
            if (parts[0], parts[2]) in lines:
                raise ValueError("occurs twice")
            lines[parts[0], parts[2]] = max(0, integer(parts[3]))
    groups = {parent for _, parent in lines}
    parents: dict[str, str] = {}
    for name, parent in lines:
        if name in groups and name != ROOT:
            parents.setdefault(name, parent)
    folder.findings.break_cycles(file, "groups", parents)
    found: dict[tuple[str, str | None], Association] = {}
    for (name, parent), shares in lines.items():
        if name not in groups:
            found[parent, name] = Association(account=parent, user=name, shares=shares)
        elif (name, None) not in found:
            above = parents.get(name, parent)
            found[name, None] = Association(account=name, parent=above, shares=shares)
        else:
            problem = f"group {name} in {parent}"
            folder.findings.add("not read", file, problem, "the group is already in another group")
    return tuple(found.values())
