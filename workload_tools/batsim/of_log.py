"""Convert a log's jobs to a workload in memory, without writing JSON."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from math import isfinite
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from workload_tools.batsim.checks import check_raw
from workload_tools.batsim.fields import JOB_NAMES, NUMBERS
from workload_tools.batsim.workload import (
    WORKLOAD_PREFIX,
    RawJob,
    RawProfile,
    RawWorkload,
    profile_name,
)
from workload_tools.batsim.writer import (
    check_job,
    columns_of_jobs,
    machine_size,
    row_of,
    shortest,
    workload_content,
    workload_fields,
)
from workload_tools.errors import WorkloadError
from workload_tools.job import Job, Workload

_numbers_of = attrgetter(*sorted(NUMBERS))


def raw_workload(workload: Workload, path: str | Path) -> RawWorkload:
    """Return the workload that `write_workload` would write for a log's jobs, without the file.

    Parameters
    ----------
    workload
        The jobs.
    path
        The name for error messages.

    Raises
    ------
    WorkloadError
        A job cannot be simulated.
    """
    logged, size, name = workload.jobs, machine_size(workload), Path(path).name
    details = _OfLog(workload, path)
    if not _all_valid(logged):
        _check(logged, path)
    run_times = [shortest(job.run_time) for job in logged]
    names = [
        profile_name(job.processors, run_time)
        for job, run_time in zip(logged, run_times, strict=True)
    ]
    profiles = {
        name: RawProfile("delay", float(run_time))
        for name, run_time in dict(zip(names, run_times, strict=True)).items()
    }
    jobs = [
        RawJob(
            job.id, float(job.submit_time), job.processors, name,
            -1.0 if job.walltime is None else float(job.walltime),
        )
        for job, name in zip(logged, names, strict=True)
    ]  # fmt: skip
    known = check_raw(path, size, jobs, profiles)
    return RawWorkload(name, size, jobs, profiles, details, known)


def _all_valid(jobs: Sequence[Job]) -> bool:
    """Return True if a fast test of all jobs together proves that all jobs are valid."""
    ids = {job.id for job in jobs}
    numbers = chain.from_iterable(map(_numbers_of, jobs))
    return (
        len(ids) == len(jobs)
        and WORKLOAD_PREFIX not in "\n".join(ids)
        and isfinite(sum(filter(None, numbers)))
        and min((job.processors for job in jobs), default=1) >= 1
        and min((job.submit_time for job in jobs), default=0.0) >= 0.0
        and min((job.run_time for job in jobs), default=0.0) >= 0.0
        and min((job.walltime for job in jobs if job.walltime is not None), default=1.0) > 0.0
    )


def _check(jobs: Sequence[Job], path: str | Path) -> None:
    """Raise a WorkloadError for the first job that cannot be simulated."""
    seen = set[str]()
    for job in jobs:
        try:
            check_job(job, seen)
            for value in filter(None, _numbers_of(job)):
                shortest(value)
        except (ValueError, OverflowError) as error:
            raise WorkloadError(path, f"job '{job.id}' cannot be simulated: {error}") from error


class _OfLog:
    """The `Details` of a workload whose jobs come from a log."""

    def __init__(self, workload: Workload, path: str | Path) -> None:
        self._workload = workload
        self._path = path

    @cached_property
    def content(self) -> bytes:
        """Return the JSON that `write_workload` writes."""
        return workload_content(self._workload, self._path)

    @cached_property
    def warm_up(self) -> frozenset[str]:
        """Return the ids of the jobs that are marked as warm-up."""
        jobs = self._workload.jobs
        return frozenset(job.id.removeprefix(WORKLOAD_PREFIX) for job in jobs if job.warm_up)

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of the job at a position, as in the JSON."""
        fields: dict[str, Any] = msgspec.to_builtins(row_of(self._workload.jobs[place]))
        if "inferred" in fields:
            fields["inferred"] = [*fields["inferred"]]
        return fields

    def values(self, name: str) -> frozenset[Any]:
        """Return the distinct values of a field, given by Batsim's name."""
        field = JOB_NAMES.get(name, name)
        return frozenset(getattr(job, field) for job in self._workload.jobs) - {None, False}

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of every job."""
        return [*map(self.job_fields, range(len(self._workload.jobs)))]

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return the named fields (by default all) of all jobs as columns."""
        return columns_of_jobs(self._workload.jobs, names)

    @cached_property
    def _workload_fields(self) -> dict[str, Any]:
        return workload_fields(self._workload)

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return a field of the workload itself, such as `nb_res`."""
        return self._workload_fields.get(name)

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """Return the Unix date of second 0, and the time zone."""
        return self._workload.start_time, self._workload.time_zone
