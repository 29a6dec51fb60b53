"""A job while it is simulated."""

from enum import IntEnum
from typing import Any

import msgspec

from pred_aware.simulator.intervals import Intervals
from workload_tools.raw_workload import RawWorkload

NO_WALLTIME = -1.0
"""What a workload and Batsim's output say where there is no walltime."""

WORKLOAD_NAME = "w0"
"""What Batsim calls the first workload."""


class JobState(IntEnum):
    """Where a job is; the names of the final states are Batsim's."""

    SUBMITTED = 1
    RUNNING = 2
    COMPLETED_SUCCESSFULLY = 3
    COMPLETED_FAILED = 4
    COMPLETED_WALLTIME_REACHED = 5
    COMPLETED_KILLED = 6
    REJECTED = 7


SUBMITTED = JobState.SUBMITTED
RUNNING = JobState.RUNNING
COMPLETED_KILLED = JobState.COMPLETED_KILLED
REJECTED = JobState.REJECTED
_SUCCEEDED = JobState.COMPLETED_SUCCESSFULLY
_FAILED = JobState.COMPLETED_FAILED
_REACHED = JobState.COMPLETED_WALLTIME_REACHED
_PREFIX = f"{WORKLOAD_NAME}!"


class SimulatedJob(msgspec.Struct, gc=False, eq=False):
    """A job while it is simulated.

    Dates and durations in seconds. `id` is the job's full name, such as ``w0!15``, `name` the one
    of the workload file. A `walltime` of -1 means that there is none. `duration` is how long the
    job will hold its processors: its delay, or its walltime where that comes first (also when both
    are equal); `final_state` is what it will then be.
    """

    id: str
    name: str
    profile: str
    submit_time: float
    processors: int
    walltime: float
    delay: float
    duration: float
    final_state: JobState
    return_code: int
    place: int
    source: "JobSource | None"
    state: JobState = SUBMITTED
    start: float = -1.0
    end: float = -1.0
    intervals: Intervals = ()
    metadata: str = ""

    def fields(self) -> dict[str, Any]:
        """Return every field of the workload file; the id is the full one."""
        assert self.source is not None
        return self.source.fields(self)


NOBODY = SimulatedJob("", "", "", 0.0, 0, NO_WALLTIME, 0.0, 0.0, REJECTED, 0, 0, None)
"""The job that never ends."""


class JobSource:
    """Makes the jobs of a workload one by one, when they are submitted.

    A job is made when it is submitted and forgotten when it has ended, so that only those that wait
    or run are in memory.

    Parameters
    ----------
    workload
        The workload.
    """

    def __init__(self, workload: RawWorkload) -> None:
        self._workload = workload
        self._texts: list[msgspec.Raw] | None = None

    def dates(self) -> list[float]:
        """Return the dates of submission, in seconds, in the order of the file."""
        return [job.subtime for job in self._workload.jobs]

    def full_id(self, place: int) -> str:
        """Return the full id of the job at a place of the file."""
        return _PREFIX + str(self._workload.jobs[place].id).removeprefix(_PREFIX)

    def submitted(self, job_id: str, now: float) -> bool | None:
        """Say whether a job was submitted by a date; ``None`` when there is no such job."""
        for place, job in enumerate(self._workload.jobs):
            if job_id == self.full_id(place):
                return job.subtime <= now
        return None

    def make(self, place: int) -> SimulatedJob:
        """Make the job at a place of the file."""
        job = self._workload.jobs[place]
        profile = self._workload.profiles[job.profile]
        delay = profile.delay
        walltime = job.walltime
        if walltime is None:
            walltime = NO_WALLTIME
        if walltime == NO_WALLTIME or delay < walltime:
            state, duration, code = (_FAILED if profile.ret else _SUCCEEDED), delay, profile.ret
        else:
            state, duration, code = _REACHED, walltime, -1
        name = str(job.id)
        if name.startswith(_PREFIX):
            name = name.removeprefix(_PREFIX)
        return SimulatedJob(
            _PREFIX + name, name, job.profile, job.subtime, job.res, walltime,
            delay, duration, state, code, place, self,
        )  # fmt: skip

    def fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return every field of a job in the workload file; the id is the full one."""
        if self._texts is None:
            self._texts = self._workload.job_texts()
        fields: dict[str, Any] = msgspec.json.decode(self._texts[job.place])
        fields["id"] = job.id
        return fields
