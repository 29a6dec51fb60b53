"""The sources of jobs: workloads, whose jobs are created when they are submitted."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pred_aware.simulator.errors import SimulationError
from pred_aware.simulator.job import NO_WALLTIME, SUBMITTED, SimulatedJob, Source, outcome
from workload_tools.batsim.workload import RawJob, RawProfile, RawWorkload
from workload_tools.expected import UNREADABLE, in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_SPECIAL = re.compile('[,"\r\n]')


def unwritable(names: Collection[str]) -> str | None:
    """Return why one of the names cannot be written to Batsim's CSV files, which have no quotes.

    Examples
    --------
    >>> unwritable(["12.batch", "1,2"])
    "'1,2' has a comma, a double quote or a line break, which the output files cannot hold"
    >>> unwritable(["12.batch"])
    """
    if _SPECIAL.search("".join(names)) is None:
        return None
    name = next(filter(_SPECIAL.search, names))
    return (
        f"{name!r} has a comma, a double quote or a line break, which the output files cannot hold"
    )


def make_job(
    workload: str, job: RawJob, profile: RawProfile, *, place: int, source: Source
) -> SimulatedJob:
    """Return the submitted job at an index of a workload.

    Its id may begin with the name of the workload.
    """
    name = str(job.id)
    prefix = f"{workload}!"
    if name.startswith(prefix):
        name = name.removeprefix(prefix)
    walltime = NO_WALLTIME if job.walltime is None else job.walltime
    if profile.type == "delay":
        operations = 0.0
        delay = profile.delay
        state, duration, code = outcome(delay, walltime, profile.ret)
    else:
        operations = profile.operations
        # both are set when the job starts, because they depend on its processors
        delay = duration = -1.0
        state, code = SUBMITTED, profile.ret
    return SimulatedJob(
        prefix + name, name, workload, job.profile, job.subtime + 0.0, job.res, walltime,
        delay, duration, state, code, place, source, operations,
    )  # fmt: skip


class JobSource:
    """Creates the jobs of a workload when they are submitted.

    An ended job is forgotten, so only waiting and running jobs are in memory. `name` is the
    workload's name in Batsim.
    """

    def __init__(self, workload: RawWorkload, name: str = "w0") -> None:
        for what, names in workload.free_names.items():
            reason = unwritable(names)
            if reason is not None:
                raise SimulationError(f"{workload.name}: {what} {reason}")
        self.name = name
        self.workload = workload
        self._prefix = f"{name}!"
        self._job_fields = workload.details.job_fields
        self._dates: dict[str, float] | None = None
        self._profiles: Mapping[str, Any] | None = None

    def dates(self) -> list[float]:
        """Return the submission dates in seconds, in the order of the file."""
        dates: list[float] = self.workload.arrays.submit.tolist()
        return dates

    def full_id(self, place: int) -> str:
        """Return the full id of the job at an index of the file."""
        return self._prefix + str(self.workload.jobs[place].id).removeprefix(self._prefix)

    def submitted(self, job_id: str, now: float) -> bool | None:
        """Return whether a job was submitted by a date; ``None`` if the job does not exist."""
        if self._dates is None:
            self._dates = {
                self.full_id(place): job.subtime for place, job in enumerate(self.workload.jobs)
            }
        date = self._dates.get(job_id)
        return None if date is None else date <= now

    def make(self, place: int) -> SimulatedJob:
        """Make the job at an index of the file."""
        job = self.workload.jobs[place]
        return make_job(
            self.name, job, self.workload.profiles[job.profile], place=place, source=self
        )

    def fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return all fields of a job in the workload file, with the full id."""
        try:
            fields = self._job_fields(job.place)
        except UNREADABLE as error:
            raise SimulationError(
                f"{self.workload.name}: job '{job.name}' has a field that cannot be passed on to a "
                f"scheduler: {in_words(error)}"
            ) from error
        fields["id"] = job.id
        return fields

    def profile_fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return all fields of a job's profile in the workload file."""
        if self._profiles is None:
            self._profiles = self.workload.profile_objects()
        fields: dict[str, Any] = self._profiles[job.profile]
        return fields


class JobSources:
    """All jobs of a simulation: those of the workloads, and registered ones."""

    def __init__(self, workloads: list[RawWorkload]) -> None:
        self.sources = [
            JobSource(workload, f"w{number}") for number, workload in enumerate(workloads)
        ]
        self.make: Callable[[int], SimulatedJob] = self._make_job
        """Returns a job by its index among all jobs, one workload after another."""
        if len(self.sources) == 1:
            self.make = self.sources[0].make
        self.registered: Callable[[str], bool] = lambda _: False
        """Returns whether a job with this full id was registered."""
        self._places: list[tuple[JobSource, int]] | None = None

    def dates(self) -> list[float]:
        """Return the submission dates of all workloads in seconds, one workload after another."""
        return [date for source in self.sources for date in source.dates()]

    def _make_job(self, place: int) -> SimulatedJob:
        if self._places is None:
            self._places = [
                (source, index)
                for source in self.sources
                for index in range(len(source.workload.jobs))
            ]
        source, index = self._places[place]
        return source.make(index)

    def submitted(self, job_id: str, now: float) -> bool | None:
        """Return whether a job was submitted by a date; ``None`` if the job does not exist."""
        if self.registered(job_id):
            return True
        for source in self.sources:
            found = source.submitted(job_id, now)
            if found is not None:
                return found
        return None
