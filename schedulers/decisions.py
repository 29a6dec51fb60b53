"""The contract of a policy: requests and decisions."""

from typing import Protocol, TypeAlias

import msgspec

from schedulers.core.job import Job
from schedulers.journal import Journal
from workload_tools.batsim.decisions import CallLater, Execute, Reject


class Request(msgspec.Struct, gc=False):
    """The events since the last request."""

    now: float
    """In seconds."""
    ended: list[str] = []
    """The ids of the jobs that ended, in the order of the request."""
    submitted: list[Job] = []
    """In the order of the request."""
    called: bool = False
    """Whether a requested call is due."""
    last_event: float = 0.0
    """Date of the last event, in seconds; `now` or a little before."""


Decision: TypeAlias = Execute | Reject | CallLater


class Policy(Protocol):
    """Decides when and where jobs start. It is independent of sockets, JSON and pybatsim."""

    needs_fields: bool
    """Whether the policy uses more than a job's size and walltime."""

    journal: Journal | None
    """The plans of the ended jobs, if the policy records them."""

    def begin(self, processors: int) -> None:
        """Start with an idle machine of this size. Called once, before anything else."""
        ...

    def decide(self, request: Request) -> list[Decision]:
        """Return the decisions after these events, in the order in which to carry them out."""
        ...
