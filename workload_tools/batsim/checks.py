"""What of a Batsim workload can't be simulated, and is refused."""

from pathlib import Path

from workload_tools.batsim.workload import (
    LATEST,
    MOST_PROCESSORS,
    TOO_LATE,
    WORKLOAD_PREFIX,
    RawArrays,
    RawJob,
    RawProfile,
    arrays_of,
)
from workload_tools.errors import WorkloadError


def check_raw(
    path: str | Path, nb_res: int | None, jobs: list[RawJob], profiles: dict[str, RawProfile]
) -> RawArrays | None:
    """Refuse what can't be simulated, and make the ids of jobs texts; see `load_raw`.

    Parameters
    ----------
    path
        What errors name.
    nb_res, jobs, profiles
        Of the workload.

    Returns
    -------
    RawArrays
        The jobs', where they were looked at all at once.
    """
    if nb_res is not None and not 1 <= nb_res <= MOST_PROCESSORS:
        raise WorkloadError(path, f"nb_res must be from 1 to {MOST_PROCESSORS} processors")
    _check_profiles(path, jobs, profiles)
    found = _surely_fine(jobs, profiles)
    if found is None:
        _check_jobs(path, jobs, profiles)
    return found


def _check_profiles(path: str | Path, jobs: list[RawJob], profiles: dict[str, RawProfile]) -> None:
    reasons = {name: profile.why_not() for name, profile in profiles.items()}
    if not any(reasons.values()):
        return
    used = {job.profile for job in jobs}
    for name, reason in reasons.items():
        # what is not understood does no harm as long as nobody uses it
        if reason is not None and (name in used or profiles[name].type == "delay"):
            raise WorkloadError(path, f"profile '{name}' {reason}")


def _surely_fine(jobs: list[RawJob], profiles: dict[str, RawProfile]) -> RawArrays | None:
    """Return the arrays of jobs in which `_check_jobs` would neither refuse nor change anything."""
    names = {job.id for job in jobs if isinstance(job.id, str)}
    if len(names) < len(jobs) or WORKLOAD_PREFIX in "\n".join(names):
        return None
    try:
        found = arrays_of(jobs, profiles)
    except (KeyError, OverflowError):
        return None
    submit, sizes, walltime = found[:3]
    fine = (
        ((sizes >= 1) & (sizes <= MOST_PROCESSORS)).all()
        and ((submit >= 0.0) & (submit <= LATEST)).all()
        # NaN where it is none
        and ((walltime > 0.0) | (walltime == -1.0)).all()
    )
    return found if fine else None


def _check_jobs(path: str | Path, jobs: list[RawJob], profiles: dict[str, RawProfile]) -> None:
    seen: set[str] = set()
    for job in jobs:
        identifier = job.id = str(job.id)
        if identifier in seen:
            raise WorkloadError(path, f"job '{identifier}' is there twice; ids must be unique")
        seen.add(identifier)
        if job.walltime is None:
            job.walltime = -1.0
        if (
            not 1 <= job.res <= MOST_PROCESSORS
            or not 0.0 <= job.subtime <= LATEST
            or job.profile not in profiles
            or job.walltime <= 0.0
        ):
            _check_job(path, job, profiles)
    # one search in all of them is much faster than one in each, and mostly there is none
    if WORKLOAD_PREFIX not in "\n".join(seen):
        return
    for identifier in sorted(name for name in seen if name.startswith(WORKLOAD_PREFIX)):
        if identifier.removeprefix(WORKLOAD_PREFIX) in seen:
            raise WorkloadError(
                path, f"job '{identifier}' is there twice, once without the name of the workload"
            )


def _check_job(path: str | Path, job: RawJob, profiles: dict[str, RawProfile]) -> None:
    if job.profile not in profiles:
        raise WorkloadError(path, f"job '{job.id}' has the unknown profile '{job.profile}'")
    if job.res < 1:
        raise WorkloadError(
            path, f"job '{job.id}' asks for {job.res} processors; it must be 1 or more"
        )
    if job.res > MOST_PROCESSORS:
        raise WorkloadError(
            path, f"job '{job.id}' asks for more processors than can be counted, {MOST_PROCESSORS}"
        )
    if not 0.0 <= job.subtime <= LATEST:
        raise WorkloadError(
            path,
            f"job '{job.id}' is submitted at {job.subtime} s; it must be 0 or later, and "
            f"{TOO_LATE}",
        )
    if job.walltime != -1.0:
        raise WorkloadError(
            path,
            f"job '{job.id}' has a walltime of {job.walltime} s; it must be above 0, or left out",
        )
