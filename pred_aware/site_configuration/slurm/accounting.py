"""QOS, associations and the tree of accounts, from ``sacctmgr``."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.node_classes import decimal, integer
from pred_aware.site_configuration.slurm.keys import listed, tables
from pred_aware.site_configuration.slurm.scheduler import Settings
from schedulers.site.batch_system import Association, Qos

ROOT = "root"
Row = dict[str, str]


@dataclass
class Accounting:
    """QOS and associations from ``sacctmgr``.

    Attributes
    ----------
    qos : dict of Row
        The row of each QOS, by the QOS's name.
    accounts : dict of Row
        The row of each account, by the account's name; parents come first.
    users : list of Row
        The rows of users' associations.
    parents : dict of str
        The parent of each account, by the account's name.
    """

    qos: dict[str, Row] = field(default_factory=dict)
    qos_file: str = ""
    accounts: dict[str, Row] = field(default_factory=dict)
    users: list[Row] = field(default_factory=list)
    file: str = ""
    parents: dict[str, str] = field(default_factory=dict)

    def below(self, account: str) -> list[str]:
        """Return an account and all accounts below this account."""
        found = [account]
        for name in found:
            found += self._children.get(name, ())
        places = self._places
        return [account, *sorted(places.keys() & found[1:], key=places.__getitem__)]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.accounts)}

    @cached_property
    def _children(self) -> Mapping[str, list[str]]:
        children: defaultdict[str, list[str]] = defaultdict(list)
        for name, parent in self.parents.items():
            children[parent].append(name)
        return children

    def above(self, account: str) -> Iterator[str]:
        """Yield an account and the accounts above it; `read_accounting` has removed all cycles."""
        name: str | None = account
        while name is not None:
            yield name
            name = self.parents.get(name)


def with_plain_gpus(accounting: Accounting, types: Collection[str]) -> Accounting:
    """If the machine has only one type of GPUs, replace limits of this type by limits of all GPUs.

    Examples
    --------
    >>> known = Accounting(qos={"few": {"MaxTRES": "cpu=4,gres/gpu:a100=1"}})
    >>> with_plain_gpus(known, {"a100"}).qos["few"], with_plain_gpus(known, {"a100", "b"}) is known
    ({'MaxTRES': 'cpu=4,gres/gpu=1'}, True)
    """
    if len(types) != 1:
        return accounting
    typed = f"gres/gpu:{next(iter(types))}="

    def plain(row: Row) -> Row:
        return {
            key: text if "gres/gpu=" in text else text.replace(typed, "gres/gpu=")
            for key, text in row.items()
        }

    return replace(
        accounting,
        qos={name: plain(row) for name, row in accounting.qos.items()},
        accounts={name: plain(row) for name, row in accounting.accounts.items()},
        users=[plain(row) for row in accounting.users],
    )


def read_accounting(folder: Folder, settings: Settings) -> Accounting:
    """Read QOS and associations of a snapshot, and the tree of accounts."""
    if not _has_accounting(settings):
        return Accounting()
    found = Accounting()
    found.qos_file, text = folder.text("qos.txt", "sacctmgr.txt", lacking="QOS and their limits")
    for table in tables(text):
        if table and "Name" in table[0] and "Account" not in table[0]:
            found.qos = {row["Name"]: row for row in table}
    found.file, text = folder.text(
        "associations.txt", "sacctmgr.txt", lacking="shares, and limits of users and accounts"
    )
    associations = [table for table in tables(text) if table and "Account" in table[0]]
    rows = [row for table in associations if "User" in table[0] for row in table]
    if associations and not rows:
        folder.findings.add(
            "not read", found.file, "the table has no column User",
            "shares and limits of users and accounts are unknown "
            "(`sacctmgr show assoc tree -P` prints the column)",
        )  # fmt: skip
    clusters = {row.get("Cluster", "") for row in rows}
    cluster = settings.get("ClusterName").lower()
    if len(clusters) > 1 and cluster:
        rows = [row for row in rows if row.get("Cluster", "").lower() == cluster]
    for row in rows:
        if not row["Account"].strip():
            folder.findings.add(
                "not read", found.file, "a row without an account", "it is left out"
            )
    _fill(found, [row for row in rows if row["Account"].strip()])
    if not found.parents:
        _, text = folder.text("sshare.txt")
        tree = [row for table in tables(text) if table and "Account" in table[0] for row in table]
        found.parents = _by_depth(tree)
    folder.findings.break_cycles(found.file, "accounts", found.parents)
    if len(found.accounts) > 1 and not found.parents:
        found.parents = dict.fromkeys((name for name in found.accounts if name != ROOT), ROOT)
        folder.findings.add(
            "assumed", found.file, "the parents of accounts are missing",
            "all are placed below root (`sacctmgr show assoc tree -P` has the parents)",
        )  # fmt: skip
    return found


def _has_accounting(settings: Settings) -> bool:
    """Return True if Slurm has an accounting database; without one there are no QOS and shares."""
    return settings.get("AccountingStorageType") != "accounting_storage/none"


def _fill(found: Accounting, rows: list[Row]) -> None:
    found.parents = _by_depth(rows)
    for row in rows:
        name = row["Account"].strip()
        row["Account"] = name
        if row.get("User", "").strip():
            found.users.append(row)
            continue
        found.accounts[name] = row
        parent = (row.get("Par Name") or row.get("ParentName") or "").strip()
        if parent:
            found.parents[name] = parent


def _by_depth(rows: list[Row]) -> dict[str, str]:
    """Return the parents of accounts from the indentation of their names."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for row in rows:
        if row.get("User", "").strip():
            continue
        name = row["Account"].strip()
        depth = len(row["Account"]) - len(row["Account"].lstrip())
        if depth == 0 and name != ROOT:
            # the root account is not indented
            continue
        del path[depth:]
        if path:
            parents[name] = path[-1]
        path.append(name)
    return parents


def shares_of(found: Accounting, findings: Findings) -> tuple[Association, ...]:
    """Return the tree of shares; empty without associations."""
    associations = [
        Association(
            account=name,
            parent=found.parents.get(name, ROOT),
            shares=_shares(found, row, findings),
        )
        for name, row in found.accounts.items()
        if name != ROOT
    ]
    seen: set[tuple[str, str]] = set()
    for row in found.users:
        who = row["Account"], row["User"].strip()
        # several associations of a user, for single partitions, have the same shares
        if who not in seen:
            seen.add(who)
            associations.append(
                Association(account=who[0], user=who[1], shares=_shares(found, row, findings))
            )
    return tuple(associations)


def _shares(found: Accounting, row: Row, findings: Findings) -> int | Literal["parent"]:
    text = (row.get("Share") or row.get("Fairshare") or "1").strip()
    if text.lower() == "parent":
        return "parent"
    shares = findings.read(f"{found.file}, account {row['Account']}", ("Share", text), integer)
    return 1 if shares is None else max(0, shares)


def qos_of(found: Accounting, folder: Folder) -> tuple[Qos, ...]:
    """Return the QOS; report settings that the site cannot take over."""
    levels = []
    for name, row in found.qos.items():
        where = f"{found.qos_file}, QOS {name}"
        read = folder.findings.read
        priority = read(where, ("Priority", row.get("Priority", "")), integer) or 0
        factor = read(where, ("UsageFactor", row.get("UsageFactor", "")), decimal)
        levels.append(
            Qos(
                name=name, priority=max(0, priority), usage_factor=1.0 if factor is None else factor
            )
        )
        for flag in listed(row.get("Flags", "")):
            if flag in _FLAGS:
                if _FLAGS[flag]:
                    folder.findings.add("not modelled", where, f"Flags={flag}", _FLAGS[flag])
            else:
                folder.findings.add("unknown", where, f"Flags={flag}", "unknown to pred-aware")
        if row.get("Preempt", "").strip():
            folder.findings.add(
                "not modelled",
                where,
                f"Preempt={row['Preempt']}",
                "jobs of this QOS may preempt others",
            )
    return tuple(levels)


_FLAGS = {
    "DenyOnLimit": "", "OverPartQOS": "",
    "EnforceUsageThreshold": "jobs are held while their fair-share factor is below a threshold",
    "NoDecay": "the usage of this QOS does not decay",
    "NoReserve": "backfill makes no reservations for jobs of this QOS",
    "PartitionMaxNodes": "jobs of this QOS may have more nodes than the partition allows",
    "PartitionMinNodes": "jobs of this QOS may have fewer nodes than the partition allows",
    "PartitionTimeLimit": "jobs of this QOS may request more time than the partition allows",
    "RequiresReservation": "jobs of this QOS need a reservation",
    "Relative": "the limits of this QOS are shares of the cluster",
    "UsageFactorSafe": "limits use the usage factor of this QOS before jobs start",
}  # fmt: skip
