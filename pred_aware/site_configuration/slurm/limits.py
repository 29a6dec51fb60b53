"""Limits of QOS and associations; a QOS's limit replaces the association's of the same kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.slurm.accounting import ROOT, Accounting, Row
from pred_aware.site_configuration.slurm.keys import count_of, listed, seconds_of
from schedulers.site.site import Limit
from workload_tools.slurm.amounts import read_count, read_megabytes

LimitHolder = Literal["group", "user", "account", "job"]
Kind = tuple[str, str]
"""What a limit counts; a limit of a QOS replaces an association's limit of the same kind."""

_COLUMNS: Mapping[str, tuple[LimitHolder, str, str]] = {
    "GrpJobs": ("group", "jobs", "GrpJobs"),
    "GrpSubmit": ("group", "submitted", "GrpSubmit"),
    "GrpTRES": ("group", "tres", "GrpTRES"),
    "GrpTRESRunMins": ("group", "minutes", "GrpTRESRunMins"),
    "MaxJobsPU": ("user", "jobs", "MaxJobs"),
    "MaxSubmitPU": ("user", "submitted", "MaxSubmit"),
    "MaxTRESPU": ("user", "tres", "MaxTRESPU"),
    "MaxTRESRunMinsPU": ("user", "minutes", "MaxTRESRunMinsPU"),
    "MaxJobsPA": ("account", "jobs", "MaxJobsPA"),
    "MaxSubmitPA": ("account", "submitted", "MaxSubmitPA"),
    "MaxTRESPA": ("account", "tres", "MaxTRESPA"),
    "MaxTRESRunMinsPA": ("account", "minutes", "MaxTRESRunMinsPA"),
    "MaxTRES": ("job", "tres", "MaxTRES"),
    "MaxTRESMins": ("job", "minutes", "MaxTRESMins"),
    "MaxWall": ("job", "walltime", "MaxWall"),
}
"""Columns of ``sacctmgr show qos``: whose jobs are counted together, what is counted, and the
kind of limit.
"""

_OF_USERS: Mapping[str, str] = {"MaxJobs": "MaxJobsPU", "MaxSubmit": "MaxSubmitPU"}
"""Columns of ``sacctmgr show assoc`` that have another name in ``sacctmgr show qos``."""

_UNTOLD: Mapping[str, str] = {
    "GrpTRESMins": "jobs are held after this much (decaying) usage",
    "GrpWall": "jobs are held after this total run time",
    "MaxTRESPerNode": "jobs that request more per node are held",
    "MinTRES": "jobs that request less are held",
    "UsageThres": "jobs with a lower fair-share factor are held",
    "MaxJobsAccruePU": "at most this many jobs of a user gain age priority",
    "MaxJobsAccruePA": "at most this many jobs of an account gain age priority",
    "GrpJobsAccrue": "at most this many jobs gain age priority",
    "MaxJobsAccrue": "at most this many jobs gain age priority",
    "MinPrioThres": "jobs of lower priority get no reservation",
    "LimitFactor": "associations' limits are multiplied by this factor",
    "UsageThreshold": "jobs with a lower fair-share factor are held",
}
"""Effects of limits that sites cannot express."""

_TRES = {"cpu": "processors", "node": "nodes", "mem": "memory", "gres/gpu": "gpus"}
_LICENCE = "license/"
_GPU_TYPE = "gres/gpu:"


@dataclass(frozen=True, slots=True)
class _StatedLimit:
    """A limit that a line of `sacctmgr` states."""

    kind: Kind
    whose: LimitHolder
    of: str
    most: float
    licence: str | None = None
    gpu_type: str | None = None

    def table(self, **only: tuple[str, ...]) -> dict[str, Any]:
        """Return the limit's table for a site, restricted to jobs with the given fields."""
        found: dict[str, Any] = {"of": self.of}
        if self.licence is not None:
            found["licence"] = self.licence
        if self.gpu_type is not None:
            only["gpu_type"] = (self.gpu_type,)
        return {**found, "only": only} if only else found


def limits_of(
    accounting: Accounting, findings: Findings, *, of_partitions: Mapping[str, str]
) -> tuple[Limit, ...]:
    """Return the limits of QOS, of partitions' QOS, and of associations.

    Parameters
    ----------
    accounting
        QOS and associations.
    findings
        Receives limits that sites cannot express.
    of_partitions
        The QOS of each partition, by the partition's name.
    """
    qos = {
        name: [*_stated_limits(row, f"{accounting.qos_file}, QOS {name}", findings)]
        for name, row in accounting.qos.items()
    }
    flags = {name: listed(row.get("Flags", "")) for name, row in accounting.qos.items()}
    partitions: dict[str, list[str]] = {}
    for partition, name in of_partitions.items():
        partitions.setdefault(name, []).append(partition)

    def by_kind(kind: Kind, names: Iterable[str]) -> list[str]:
        return [name for name in names if any(one.kind == kind for one in qos.get(name, ()))]

    def over(kind: Kind) -> list[str]:
        return by_kind(kind, (name for name in qos if "OverPartQOS" in flags[name]))

    def in_partitions(kind: Kind) -> list[str]:
        return [one for name in by_kind(kind, partitions) for one in partitions[name]]

    found: list[Limit] = []
    for name, stated in qos.items():
        refused = {"above": "rejected"} if "DenyOnLimit" in flags[name] else {}
        for one in stated:
            mine = [] if "OverPartQOS" in flags[name] else in_partitions(one.kind)
            exempt = {"exempt": {"partition": tuple(mine)}} if mine else {}
            found.append(_limit(one, {"qos": (name,)}, **exempt, **refused))
            if name in partitions:
                others = over(one.kind)
                exempt = {"exempt": {"qos": tuple(others)}} if others else {}
                found.append(
                    _limit(one, {"partition": tuple(partitions[name])}, **exempt, **refused)
                )
    denying = [name for name, flags_of_qos in flags.items() if "DenyOnLimit" in flags_of_qos]
    for told_once, tables in _of_associations(accounting, findings):
        replaced = {
            "qos": tuple(by_kind(told_once, qos)), "partition": tuple(in_partitions(told_once)),
        }  # fmt: skip
        found += _with_denying(tables, replaced, denying, [*qos])
    return tuple(found)


def _with_denying(
    tables: Iterable[dict[str, Any]],
    replaced: dict[str, tuple[str, ...]],
    denying: list[str],
    known: list[str],
) -> Iterator[Limit]:
    """Yield an association's limits, above which jobs of a QOS with DenyOnLimit are rejected."""
    refused = [name for name in denying if name not in replaced["qos"]]
    for table in tables:
        # a single job cannot exceed a limit on the number of jobs
        apart = [] if table["of"] in ("jobs", "submitted") else refused
        for above, left_out in (
            ("rejected", [name for name in known if name not in apart]),
            (None, [*replaced["qos"], *apart]),
        ):
            if above and not apart:
                continue
            exempt = {"qos": tuple(left_out), "partition": replaced["partition"]}
            left = {name: labels for name, labels in exempt.items() if labels}
            yield _made(**table, above=above, exempt=left)


_made: Callable[..., Limit] = Limit


def _limit(stated: _StatedLimit, only: dict[str, tuple[str, ...]], **more: Any) -> Limit:  # noqa: ANN401
    per = {"group": "all", "user": "user", "account": "project", "job": "job"}[stated.whose]
    return _made(per=per, most=stated.most, **stated.table(**only), **more)


def _stated_limits(row: Row, where: str, findings: Findings) -> Iterator[_StatedLimit]:
    """Yield the limits in a row of QOS, or of an association with QOS's column names."""
    for column, effect in _UNTOLD.items():
        value = row.get(column, "").strip()
        if value and value not in ("0", "1.000000", "-1"):
            findings.add("not modelled", where, f"{column}={value}", effect)
    for column, (whose, what, kind) in _COLUMNS.items():
        value = row.get(column, "").strip()
        if not value:
            continue
        with findings.unless_unreadable(where, f"{column}={value}", "this limit is left out"):
            if what == "walltime":
                longest = seconds_of(value)
                if longest is not None:
                    yield _StatedLimit((kind, ""), whose, "walltime", longest)
            elif what in ("tres", "minutes"):
                yield from _of_tres(value, (whose, what, kind), where, findings)
            else:
                most = count_of(value)
                if most is not None:
                    yield _StatedLimit((kind, ""), whose, what, float(most))


def _of_tres(
    text: str, column: tuple[LimitHolder, str, str], where: str, findings: Findings
) -> Iterator[_StatedLimit]:
    whose, what, kind = column
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if value == "-1":
            continue
        if what == "minutes" and name == "cpu":
            yield _StatedLimit(
                (kind, name), whose, "processor_minutes", float(read_count(value, kind) or 0)
            )
        elif what == "tres" and name == "mem":
            yield _StatedLimit((kind, name), whose, "memory", read_megabytes(value) or 0.0)
        elif what == "tres" and name in _TRES:
            yield _StatedLimit(
                (kind, name), whose, _TRES[name], float(read_count(value, kind) or 0)
            )
        elif what == "tres" and name.startswith(_GPU_TYPE):
            most = float(read_count(value, kind) or 0)
            gpu_type = name.removeprefix(_GPU_TYPE)
            yield _StatedLimit((kind, name), whose, "gpus", most, gpu_type=gpu_type)
        elif what == "tres" and name.startswith(_LICENCE):
            licence = name.removeprefix(_LICENCE)
            most = float(read_count(value, kind) or 0)
            yield _StatedLimit((kind, name), whose, "licences", most, licence)
        else:
            findings.add("not modelled", where, f"{kind}={part}", "holds jobs above the limit")


def _of_associations(
    accounting: Accounting, findings: Findings
) -> Iterator[tuple[Kind, list[dict[str, Any]]]]:
    """Yield the limits of associations by kind, as tables that do not exempt any QOS yet."""
    rows = {
        name: [*_stated_limits(_as_qos(row), f"{accounting.file}, account {name}", findings)]
        for name, row in accounting.accounts.items()
    }
    tables: dict[Kind, list[dict[str, Any]]] = {}
    together: dict[tuple[Kind, str, tuple[str, ...]], dict[str, Any]] = {}

    def add(stated_limit: _StatedLimit, keys: tuple[str, ...], key: tuple[str, ...]) -> None:
        """Add the limit for one user or account to the table for all users or accounts."""
        place = stated_limit.kind, stated_limit.of, keys
        if place not in together:
            per = keys[0] if len(keys) == 1 else keys
            together[place] = {"per": per, "by": {}, **stated_limit.table()}
            tables.setdefault(stated_limit.kind, []).append(together[place])
        together[place]["by"][":".join(key)] = stated_limit.most

    for name, stated in rows.items():
        of_group = [one for one in stated if one.whose == "group"]
        below = accounting.below(name) if of_group else []
        for one in of_group:
            if name == ROOT or len(below) > 1:
                only = {} if name == ROOT else {"project": tuple(below)}
                table = {"per": "all", "most": one.most, **one.table(**only)}
                tables.setdefault(one.kind, []).append(table)
            else:
                add(one, ("project",), (name,))
    of_jobs: dict[_StatedLimit, dict[str, list[str]]] = {}
    for row in accounting.users:
        user, account = row["User"].strip(), row["Account"]
        where = f"{accounting.file}, user {user} of {account}"
        mine = [*_stated_limits(_as_qos(row), where, findings)]
        kinds = {one.kind for one in mine}
        inherited = [
            one
            for above in accounting.above(account)
            for one in rows.get(above, ())
            if one.whose != "group" and one.kind not in kinds and not kinds.add(one.kind)  # type: ignore[func-returns-value]
        ]
        partition = row.get("Partition", "").strip()
        keys = ("user", "project", *(("partition",) if partition else ()))
        for one in (*mine, *inherited):
            if one.whose == "job":
                of_jobs.setdefault(one, {}).setdefault(account, []).append(user)
            else:
                add(one, keys, (user, account, *((partition,) if partition else ())))
    for one, users in of_jobs.items():
        tables.setdefault(one.kind, []).extend(_of_jobs(one, users, accounting))
    yield from tables.items()


def _of_jobs(
    stated: _StatedLimit, users: Mapping[str, list[str]], accounting: Accounting
) -> Iterator[dict[str, Any]]:
    """Yield the tables of a limit on single jobs; if all users of an account have it, one table."""
    table = {"per": "job", "most": stated.most}
    whole = []
    for account, names in users.items():
        all_users = {row["User"].strip() for row in accounting.users if row["Account"] == account}
        if {*names} == all_users:
            whole.append(account)
        else:
            yield table | stated.table(project=(account,), user=tuple(dict.fromkeys(names)))
    if whole:
        yield table | stated.table(project=tuple(whole))


def _as_qos(row: Row) -> Row:
    """Return an association's row with QOS's column names."""
    return {_OF_USERS.get(name, name): value for name, value in row.items()}
