"""Check that each job of a Batsim workload can be simulated."""

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
    """Check a workload, and convert the ids of jobs to text; see `load_raw`.

    Parameters
    ----------
    path
        The name for error messages.
    nb_res, jobs, profiles
        Machine size, jobs and profiles of the workload.

    Returns
    -------
    RawArrays
        The arrays of the jobs, or None if the fast check failed and each job was checked alone.
    """
    if nb_res is not None and not 1 <= nb_res <= MOST_PROCESSORS:
        raise WorkloadError(path, f"nb_res must be from 1 to {MOST_PROCESSORS} processors")
    _check_profiles(path, jobs, profiles)
    found = _all_valid(jobs, profiles)
    if found is None:
        _check_jobs(path, jobs, profiles)
    return found


def _check_profiles(path: str | Path, jobs: list[RawJob], profiles: dict[str, RawProfile]) -> None:
    reasons = {name: profile.why_not() for name, profile in profiles.items()}
    if not any(reasons.values()):
        return
    used = {job.profile for job in jobs}
    for name, reason in reasons.items():
        # a profile of an unsupported type is only an error if a job uses the profile
        if reason is not None and (name in used or profiles[name].type == "delay"):
            raise WorkloadError(path, f"profile '{name}' {reason}")


def _all_valid(jobs: list[RawJob], profiles: dict[str, RawProfile]) -> RawArrays | None:
    """Return the arrays of the jobs if a fast check proves all jobs valid, else None."""
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
        # NaN fails both comparisons
        and ((walltime > 0.0) | (walltime == -1.0)).all()
    )
    return found if fine else None


def _check_jobs(path: str | Path, jobs: list[RawJob], profiles: dict[str, RawProfile]) -> None:
    seen: set[str] = set()
    for job in jobs:
        identifier = job.id = str(job.id)
        if identifier in seen:
            raise WorkloadError(path, f"job '{identifier}' occurs twice; ids must be unique")
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
    # one search in the joined text is much faster than one per id, and such ids are rare
    if WORKLOAD_PREFIX not in "\n".join(seen):
        return
    for identifier in sorted(name for name in seen if name.startswith(WORKLOAD_PREFIX)):
        if identifier.removeprefix(WORKLOAD_PREFIX) in seen:
            raise WorkloadError(
                path, f"job '{identifier}' occurs twice, once without '{WORKLOAD_PREFIX}'"
            )


def _check_job(path: str | Path, job: RawJob, profiles: dict[str, RawProfile]) -> None:
    if job.profile not in profiles:
        raise WorkloadError(path, f"job '{job.id}' has the unknown profile '{job.profile}'")
    if job.res < 1:
        raise WorkloadError(
            path, f"job '{job.id}' requests {job.res} processors; it must request at least 1"
        )
    if job.res > MOST_PROCESSORS:
        raise WorkloadError(
            path,
            f"job '{job.id}' requests {job.res} processors; the limit is {MOST_PROCESSORS}",
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
            f"job '{job.id}' has a walltime of {job.walltime} s; it must be above 0 or missing",
        )
