"""A simulated job, and the ended jobs as columns."""

import math
from array import array
from enum import IntEnum
from typing import Any, Protocol

import msgspec

from workload_tools.batsim.intervals import Intervals

NO_WALLTIME = -1.0
"""The value for a missing walltime in a workload and in Batsim's output."""


class JobState(IntEnum):
    """The states of a job. The final states have Batsim's names."""

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


class SimulatedJob(msgspec.Struct, gc=False, eq=False):
    """A simulated job. Dates and durations are in seconds.

    `id` is the full name, such as ``w0!15``; `name` is the name in the workload file. A `walltime`
    of -1 means no walltime. `duration` is how long the job will hold its processors: its delay or
    its walltime, whichever is shorter. If both are equal, the job reaches its walltime.
    `final_state` is the state after this duration. A job that computes (`operations` on each
    processor) has a delay of -1 until it starts. Then its `rate` is the fraction of its work that
    is done per second.
    """

    id: str
    name: str
    workload: str
    profile: str
    submit_time: float
    processors: int
    walltime: float
    delay: float
    duration: float
    final_state: JobState
    return_code: int
    place: int
    source: "Source | None"
    operations: float = 0.0
    rate: float = 0.0
    state: JobState = SUBMITTED
    start: float = -1.0
    end: float = -1.0
    intervals: Intervals = ()
    metadata: str = ""

    def fields(self) -> dict[str, Any]:
        """Return all fields of the workload file, with the full id."""
        assert self.source is not None
        return self.source.fields(self)

    def profile_fields(self) -> dict[str, Any]:
        """Return all fields of the job's profile."""
        assert self.source is not None
        return self.source.profile_fields(self)

    def computes(self, speed: float) -> None:
        """Set the duration and final state of a job that computes.

        Unlike a job that sleeps, a job that computes succeeds if it takes exactly its walltime.
        `speed` is the speed of its slowest processor, in operations per second.
        """
        self.delay = self.operations / speed
        rate = speed / self.operations if self.operations else math.inf
        self.rate = rate if rate < math.inf else 0.0  # the job ends immediately
        walltime = NO_WALLTIME if self.delay == self.walltime else self.walltime
        self.final_state, self.duration, self.return_code = outcome(
            self.delay, walltime, self.return_code
        )


def outcome(delay: float, walltime: float, return_code: int) -> tuple[JobState, float, int]:
    """Return the final state, duration in seconds and exit code of a job that sleeps.

    The job is killed at its walltime, unless that is -1. Otherwise it exits with `return_code`.
    """
    if walltime == NO_WALLTIME or delay < walltime:
        return _FAILED if return_code else _SUCCEEDED, delay, return_code
    return _REACHED, walltime, -1


class Source(Protocol):
    """Gives the fields of jobs that the simulator itself does not need."""

    def fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return all fields of a job, with the full id."""
        ...

    def profile_fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return all fields of a job's profile."""
        ...


NO_JOB = SimulatedJob("", "", "", "", 0.0, 0, NO_WALLTIME, 0.0, 0.0, REJECTED, 0, 0, None)
"""A placeholder job that never ends."""


class EndedJobs:
    """Columns of the jobs that ran, in the order in which their ends were handled.

    Times are in seconds. The numbers of rejected jobs and of jobs that ran to their own end are
    counted too.
    """

    __slots__ = ("end", "intervals", "rejected", "sizes", "start", "submit", "successful")

    def __init__(self) -> None:
        self.rejected = 0
        self.successful = 0
        self.submit = array("d")
        self.start = array("d")
        self.end = array("d")
        self.sizes = array("q")
        self.intervals: list[Intervals] = []

    def add(self, jobs: list[SimulatedJob]) -> None:
        """Add ended or rejected jobs."""
        ran = [job for job in jobs if job.state is not REJECTED]
        self.rejected += len(jobs) - len(ran)
        self.successful += sum([job.state is _SUCCEEDED for job in ran])
        self.submit.extend([job.submit_time for job in ran])
        self.start.extend([job.start for job in ran])
        self.end.extend([job.end for job in ran])
        self.sizes.extend([job.processors for job in ran])
        self.intervals += [job.intervals for job in ran]
