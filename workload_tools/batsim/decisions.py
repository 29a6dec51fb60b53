"""Decisions of a scheduler, as in Batsim's protocol but without JSON."""

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
    """Number of executors of a custom mapping; 0 without one."""
    one_each: bool = True
    """True if each processor has one executor."""

    @property
    def processors(self) -> ProcSet:
        """The processors."""
        return to_procset(self.intervals)


NO_REASON = "got no reason from the scheduler"
"""The reason of a rejection without one."""


class Reject(msgspec.Struct, frozen=True, gc=False):
    """Reject a job."""

    date: float
    job_id: str
    reason: str = ""
    """Reason in words; Batsim's protocol does not transmit it."""


class Kill(msgspec.Struct, frozen=True, gc=False):
    """Kill running jobs."""

    date: float
    job_ids: list[str]


class CallLater(msgspec.Struct, frozen=True, gc=False):
    """Call the decision process at a date."""

    date: float
    at: float
    call_id: str = ""
    """Name of the call; empty in version 4, whose calls have no names."""


class SetMetadata(msgspec.Struct, frozen=True, gc=False):
    """Write a text beside a job in the output files."""

    date: float
    job_id: str
    text: str


class RegisterProfile(msgspec.Struct, frozen=True, gc=False):
    """Register a profile for dynamic jobs."""

    date: float
    workload: str
    name: str
    profile: dict[str, Any]


class RegisterJob(msgspec.Struct, frozen=True, gc=False):
    """Submit a dynamic job, which is in no workload."""

    date: float
    job_id: str
    job: dict[str, Any]


class Notify(msgspec.Struct, frozen=True, gc=False):
    """Say that no more dynamic jobs follow, or that some follow again."""

    date: float
    type: str


Decision: TypeAlias = (
    Execute | Reject | Kill | CallLater | SetMetadata | RegisterProfile | RegisterJob | Notify
)
