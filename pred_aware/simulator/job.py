"""A job while it is simulated."""

import math
from enum import IntEnum
from typing import Any, Protocol

import msgspec

from workload_tools.batsim.intervals import Intervals

NO_WALLTIME = -1.0
"""Stands for no walltime in a workload and in Batsim's output."""


class JobState(IntEnum):
    """The states of a job; the names of the final ones are Batsim's."""

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
    """A job while it is simulated.

    Dates and durations in seconds. `id` is the job's full name, such as ``w0!15``, `name` the one
    of the workload file. A `walltime` of -1 means that there is none. `duration` is how long the
    job will hold its processors: its delay, or its walltime where that comes first (also when both
    are equal); `final_state` is what it will then be. A job that computes (`operations` for each
    processor) has a delay of -1 until it starts, and then a `rate`: the share of its work that is
    done in a second.
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
        """Return every field of the workload file; the id is the full one."""
        assert self.source is not None
        return self.source.fields(self)

    def profile_fields(self) -> dict[str, Any]:
        """Return every field of the job's profile."""
        assert self.source is not None
        return self.source.profile_fields(self)

    def computes(self, speed: float) -> None:
        """Fix how long a job that computes takes, and with that how it ends.

        Unlike one that sleeps, it has succeeded when it takes just as long as its walltime. The
        speed is that of the slowest of its processors, in operations per second.
        """
        self.delay = self.operations / speed
        rate = speed / self.operations if self.operations else math.inf
        self.rate = rate if rate < math.inf else 0.0  # over at once
        walltime = NO_WALLTIME if self.delay == self.walltime else self.walltime
        self.final_state, self.duration, self.return_code = outcome(
            self.delay, walltime, self.return_code
        )


def outcome(delay: float, walltime: float, return_code: int) -> tuple[JobState, float, int]:
    """Return final state, duration in seconds and exit code of a job that sleeps.

    It is killed at its walltime, never if that is -1; else it exits with `return_code`.
    """
    if walltime == NO_WALLTIME or delay < walltime:
        return _FAILED if return_code else _SUCCEEDED, delay, return_code
    return _REACHED, walltime, -1


class Source(Protocol):
    """All that the workload says of jobs, beyond what the simulator needs."""

    def fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return every field of a job; the id is the full one."""
        ...

    def profile_fields(self, job: SimulatedJob) -> dict[str, Any]:
        """Return every field of a job's profile."""
        ...


NOBODY = SimulatedJob("", "", "", "", 0.0, 0, NO_WALLTIME, 0.0, 0.0, REJECTED, 0, 0, None)
"""The job that never ends."""
