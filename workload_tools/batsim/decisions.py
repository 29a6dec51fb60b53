"""Decisions that a decision process may take: Batsim's protocol without its JSON."""

from typing import Any, TypeAlias

import msgspec
from procset import ProcSet

from workload_tools.batsim.intervals import Intervals, to_procset


class Execute(msgspec.Struct, frozen=True, gc=False):
    """Start a job on these processors."""

    date: float
    job_id: str
    intervals: Intervals
    executors: int = 0
    """The size of a custom mapping, 0 without one."""
    one_each: bool = True
    """Whether each processor has one executor."""

    @property
    def processors(self) -> ProcSet:
        """The processors."""
        return to_procset(self.intervals)


NO_REASON = "got no reason from the scheduler"
"""Counts as the reason where a job is rejected without one."""


class Reject(msgspec.Struct, frozen=True, gc=False):
    """Refuse a job."""

    date: float
    job_id: str
    reason: str = ""
    """Why, in words; Batsim's protocol has no place for it."""


class Kill(msgspec.Struct, frozen=True, gc=False):
    """Kill running jobs."""

    date: float
    job_ids: list[str]


class CallLater(msgspec.Struct, frozen=True, gc=False):
    """Call the decision process at a date."""

    date: float
    at: float
    call_id: str = ""
    """Its name; empty in version 4, in which calls have none."""


class SetMetadata(msgspec.Struct, frozen=True, gc=False):
    """Write a text beside a job in the output."""

    date: float
    job_id: str
    text: str


class RegisterProfile(msgspec.Struct, frozen=True, gc=False):
    """Make a profile known, for jobs that are registered."""

    date: float
    workload: str
    name: str
    profile: dict[str, Any]


class RegisterJob(msgspec.Struct, frozen=True, gc=False):
    """Submit a job that no workload has."""

    date: float
    job_id: str
    job: dict[str, Any]


class Notify(msgspec.Struct, frozen=True, gc=False):
    """The decision process has no more jobs to register, or has some again after all."""

    date: float
    type: str


Decision: TypeAlias = (
    Execute | Reject | Kill | CallLater | SetMetadata | RegisterProfile | RegisterJob | Notify
)
