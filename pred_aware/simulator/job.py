"""A job while it is simulated."""

from enum import IntEnum
from typing import Any

import msgspec

from pred_aware.simulator.intervals import Intervals
from workload_tools.raw_workload import RawWorkload

WORKLOAD_NAME = "w0"
"""What Batsim calls the first workload."""


class JobState(IntEnum):
    """Where a job is; the names of the final states are Batsim's."""

    NOT_SUBMITTED = 0
    SUBMITTED = 1
    RUNNING = 2
    COMPLETED_SUCCESSFULLY = 3
    COMPLETED_FAILED = 4
    COMPLETED_WALLTIME_REACHED = 5
    COMPLETED_KILLED = 6
    REJECTED = 7


NOT_SUBMITTED = JobState.NOT_SUBMITTED
SUBMITTED = JobState.SUBMITTED
RUNNING = JobState.RUNNING
COMPLETED_KILLED = JobState.COMPLETED_KILLED
REJECTED = JobState.REJECTED


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
    text: msgspec.Raw
    state: JobState = NOT_SUBMITTED
    start: float = -1.0
    end: float = -1.0
    intervals: Intervals = ()
    metadata: str = ""
    kill_requested: bool = False

    def fields(self) -> dict[str, Any]:
        """Return every field of the workload file; the id is the full one."""
        fields: dict[str, Any] = msgspec.json.decode(self.text)
        fields["id"] = self.id
        return fields


def jobs_of(workload: RawWorkload) -> list[SimulatedJob]:
    """Make the jobs of a workload, in the order of the file."""
    profiles = workload.profiles
    prefix = f"{WORKLOAD_NAME}!"
    succeeded = JobState.COMPLETED_SUCCESSFULLY
    failed = JobState.COMPLETED_FAILED
    reached = JobState.COMPLETED_WALLTIME_REACHED
    jobs = []
    for job, text in zip(workload.jobs, workload.job_texts(), strict=True):
        profile = profiles[job.profile]
        delay = profile.delay
        walltime = job.walltime
        assert isinstance(job.id, str)
        assert walltime is not None
        name = job.id.removeprefix(prefix)
        if walltime == -1.0 or delay < walltime:
            state = failed if profile.ret else succeeded
            duration, code = delay, profile.ret
        else:
            state, duration, code = reached, walltime, -1
        jobs.append(
            SimulatedJob(
                prefix + name, name, job.profile, job.subtime, job.res, walltime,
                delay, duration, state, code, text,
            )
        )  # fmt: skip
    return jobs
