"""What a policy is told, and what it answers."""

from typing import Protocol, TypeAlias

import msgspec
from procset import ProcSet

from schedulers.job import Intervals, Job
from schedulers.journal import Journal


class Request(msgspec.Struct, gc=False):
    """What has happened, as a policy is told.

    Parameters
    ----------
    now
        The date of the request, in seconds.
    ended
        The ids of the jobs that ended, in the order of the request.
    submitted
        The jobs that were submitted, in the order of the request.
    called
        Whether a call that was asked for is due.
    last_event
        Date of the request's last event, in seconds; `now` or a little before.
    """

    now: float
    ended: list[str] = []
    submitted: list[Job] = []
    called: bool = False
    last_event: float = 0.0


class Start(msgspec.Struct, frozen=True, gc=False):
    """Start a job on these processors."""

    date: float
    job_id: str
    intervals: Intervals

    @property
    def processors(self) -> ProcSet:
        """The processors."""
        return ProcSet(*self.intervals)


class Refuse(msgspec.Struct, frozen=True, gc=False):
    """Reject a job, for a reason."""

    date: float
    job_id: str
    reason: str


class CallAt(msgspec.Struct, frozen=True, gc=False):
    """Ask to be called at a date."""

    date: float
    at: float


Decision: TypeAlias = Start | Refuse | CallAt


class Policy(Protocol):
    """Decides when and where jobs start; knows nothing of sockets, JSON or pybatsim."""

    needs_fields: bool
    """Whether the policy looks at more of a job than its size and walltime."""

    journal: Journal | None
    """How the jobs that ended were planned, if the policy notes it."""

    def begin(self, processors: int) -> None:
        """Take over an idle machine of this size; called once, before anything else."""
        ...

    def decide(self, request: Request) -> list[Decision]:
        """Be told what happened, and answer with decisions, in the order in which to carry out."""
        ...
