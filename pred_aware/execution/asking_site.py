"""What the jobs of a workload ask a site for, as the engine takes it."""

from collections.abc import Sequence

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.asking import job_at
from pred_aware.log.asked_fields import numbers_in
from pred_aware.log.workload import Workload, groups_of
from pred_aware.simulator.sources import JobSource
from schedulers.policy.on_site import TIME_LIMIT
from schedulers.site.gate import ELIGIBLE


def asked_of_site(workload: Workload, fields: Sequence[str]) -> AskedOfSite | None:
    """Return what jobs ask for, in the order of the workload.

    Parameters
    ----------
    workload
        The jobs.
    fields
        Those that make a difference to the site, by Batsim's names.

    Returns
    -------
    AskedOfSite
        ``None`` where a field has what can't be compared.
    """
    groups = groups_of(workload, tuple(fields))
    if groups is None:
        return None
    source, details = JobSource(workload.raw), workload.raw.details
    return AskedOfSite(
        groups,
        limits=numbers_in(details, TIME_LIMIT),
        eligible=numbers_in(details, ELIGIBLE),
        throttled=numbers_in(details, "array_limit"),
        make=lambda place: job_at(source, place),
    )
