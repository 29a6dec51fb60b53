"""Requests to a policy and its answers, and the contract between them."""

from typing import Protocol, TypeAlias

import msgspec

from schedulers.core.job import Job
from schedulers.journal import Journal
from workload_tools.batsim.decisions import CallLater, Execute, Reject


class Request(msgspec.Struct, gc=False):
    """The events since the last request, as a policy is told them."""

    now: float
    """In seconds."""
    ended: list[str] = []
    """The ids of the jobs that ended, in the order of the request."""
    submitted: list[Job] = []
    """In the order of the request."""
    called: bool = False
    """Whether a call that was asked for is due."""
    last_event: float = 0.0
    """Date of the last event, in seconds; `now` or a little before."""


Decision: TypeAlias = Execute | Reject | CallLater


class Policy(Protocol):
    """Decides when and where jobs start; knows nothing of sockets, JSON or pybatsim."""

    needs_fields: bool
    """Whether the policy looks at more of a job than its size and walltime."""

    journal: Journal | None
    """The plans of the jobs that ended, if the policy notes them."""

    def begin(self, processors: int) -> None:
        """Take over an idle machine of this size; called once, before anything else."""
        ...

    def decide(self, request: Request) -> list[Decision]:
        """Answer what has happened with decisions, in the order in which to carry them out."""
        ...
