"""Construction of a site from Slurm's configuration."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.slurm.accounting import (
    ROOT,
    Accounting,
    qos_of,
    read_accounting,
    shares_of,
    with_plain_gpus,
)
from pred_aware.site_configuration.slurm.keys import listed
from pred_aware.site_configuration.slurm.limits import limits_of
from pred_aware.site_configuration.slurm.nodes import nodes_of
from pred_aware.site_configuration.slurm.partitions import (
    Partitions,
    licences_of,
    reservations_of,
    tell_of_partition_qos,
)
from pred_aware.site_configuration.slurm.scheduler import Settings, scheduler_of
from schedulers.site.site import Limit, Partition, Site

_ENFORCES_LIMITS = {"limits", "safe", "all"}


def slurm_site(folder: Folder) -> tuple[Site, str]:
    """Return the site from a folder with Slurm's output, and the scheduler in words.

    Raises
    ------
    SiteError
        A file has invalid content.
    """
    findings = folder.findings
    settings = Settings(folder)
    settings.report_changes(findings)
    nodes = nodes_of(folder, settings)
    for name, here in nodes.renamed().items():
        findings.add(
            "assumed", "nodes", f"{name} and equal nodes", f"renamed here to {here} and so on"
        )
    partitions = Partitions(folder, settings, nodes)
    types = {kind for one in nodes.classes for kind in one.gpus}
    accounting = with_plain_gpus(read_accounting(folder, settings), types)
    tell_of_partition_qos(partitions, accounting.qos, findings)
    of_site = partitions.of_site(
        (name for name in accounting.accounts if name != ROOT), accounting.qos
    )
    site = Site(
        name=settings.get("ClusterName") or folder.path.absolute().name,
        time_zone=folder.time_zone,
        impossible=_impossible(settings, folder, of_site),
        nodes=nodes.classes,
        partitions=of_site,
        limits=(
            *_limits(folder, settings, accounting, partitions), *licences_of(folder, settings),
        ),
        reservations=reservations_of(folder, nodes),
        slurm=scheduler_of(settings, findings),
        associations=shares_of(accounting, findings),
        qos=qos_of(accounting, folder),
    )  # fmt: skip
    _tell_of_refusals(settings, accounting, folder)
    _tell_of_private_data(settings, folder)
    return site, _scheduler(site)


def _impossible(
    settings: Settings, folder: Folder, partitions: Sequence[Partition]
) -> Literal["waits", "rejected"]:
    """Return whether a job above a partition's limits waits or is rejected."""
    setting = settings.get("EnforcePartLimits").upper() or "NO"
    if setting in ("ALL", "YES") and len(partitions) > 1:
        several = "a job must be within the limits of all its partitions; here one is enough"
        folder.findings.add(
            "not modelled",
            settings.where("EnforcePartLimits"),
            f"EnforcePartLimits={setting}",
            several,
        )
    return "waits" if setting == "NO" else "rejected"


def _limits(
    folder: Folder, settings: Settings, accounting: Accounting, partitions: Partitions
) -> Iterable[Limit]:
    enforced = {part.lower() for part in listed(settings.get("AccountingStorageEnforce"))}
    where = settings.where("AccountingStorageEnforce")
    if "safe" in enforced:
        folder.findings.add(
            "not modelled", where, "AccountingStorageEnforce=safe",
            "jobs start only if their usage until their end stays below GrpTRESMins",
        )  # fmt: skip
    everything = settings.get("AccountingStorageEnforce").lower() == "all"
    found = limits_of(accounting, folder.findings, of_partitions=partitions.qos)
    if everything or enforced & _ENFORCES_LIMITS:
        return found
    if found:
        folder.findings.add(
            "assumed", where,
            f"AccountingStorageEnforce={settings.get('AccountingStorageEnforce') or '(not set)'}",
            f"without 'limits', Slurm ignores the {len(found)} limits of QOS and associations",
        )  # fmt: skip
    return ()


def _tell_of_refusals(settings: Settings, accounting: Accounting, folder: Folder) -> None:
    """Report submissions that Slurm refuses, but pred-aware accepts."""
    setting = settings.get("AccountingStorageEnforce").lower()
    where = settings.where("AccountingStorageEnforce")
    lists = {row.get("QOS", "") for row in accounting.users}
    if setting not in ("", "none", "0"):
        folder.findings.add(
            "not modelled", where, f"AccountingStorageEnforce={setting}",
            "jobs of users and accounts without an association are refused; here they run",
        )  # fmt: skip
    if len(lists) > 1 and ("qos" in setting or setting == "all"):
        folder.findings.add(
            "not modelled", accounting.file, "QOS of associations",
            "jobs are refused if their user may not use their QOS; here they run",
        )  # fmt: skip


def _tell_of_private_data(settings: Settings, folder: Folder) -> None:
    setting = settings.get("PrivateData").lower()
    if setting in ("", "none"):
        return
    folder.findings.add(
        "not read", settings.where("PrivateData"), f"PrivateData={setting}",
        "users who are not operators see only their own data, so this snapshot may be "
        "incomplete",
    )  # fmt: skip


def _scheduler(site: Site) -> str:
    assert site.slurm is not None
    version = f" {site.slurm.version}" if site.slurm.version else ""
    backfill = "backfill" if site.slurm.backfill else "no backfill"
    return f"Slurm{version}, {backfill}, priority/{site.slurm.priority_type}"
