"""The decisions of a scheduler as Python objects: the same as in Batsim's protocol."""

from typing import Any, TypeAlias

import msgspec
from procset import ProcSet

from workload_tools.batsim.intervals import Intervals, to_procset


class Execute(msgspec.Struct, frozen=True, gc=False):
    """Start a job on given processors. `date` is in seconds here and in the other decisions."""

    date: float
    job_id: str
    intervals: Intervals
    executors: int = 0
    """Number of executors in Batsim's custom mapping; 0 if the decision has no mapping."""
    one_each: bool = True
    """True if each of the job's processors has exactly one executor."""

    @property
    def processors(self) -> ProcSet:
        """The processors as a ``ProcSet``."""
        return to_procset(self.intervals)


NO_REASON = "got no reason from the scheduler"
"""Text that is shown if a rejection has no reason."""


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
    """Ask the simulator to call the decision process at the date `at`, in seconds."""

    date: float
    at: float
    call_id: str = ""
    """Name of the call; empty in version 4 of the protocol, which has no names of calls."""


class SetMetadata(msgspec.Struct, frozen=True, gc=False):
    """Write a text into the job's row of the output files."""

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
    """Submit a dynamic job: a job that the scheduler creates during the simulation."""

    date: float
    job_id: str
    job: dict[str, Any]


class Notify(msgspec.Struct, frozen=True, gc=False):
    """Announce that no more dynamic jobs will follow, or that more may follow after all."""

    date: float
    type: str


Decision: TypeAlias = (
    Execute | Reject | Kill | CallLater | SetMetadata | RegisterProfile | RegisterJob | Notify
)
