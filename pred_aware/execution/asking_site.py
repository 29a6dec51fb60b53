"""What the jobs of a workload ask a site for, as the engine takes it."""

from collections.abc import Sequence

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.asking import job_at
from pred_aware.log.workload import Workload, requested_fields_of
from pred_aware.simulator.sources import JobSource


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
    found = requested_fields_of(workload, tuple(fields))
    if found is None:
        return None
    source = JobSource(workload.raw)
    return AskedOfSite(
        found.groups, found.limits, found.eligible, found.throttled,
        lambda place: job_at(source, place), tuple(fields), found.values,
    )  # fmt: skip
