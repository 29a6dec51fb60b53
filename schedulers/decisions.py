"""The contract of a policy: requests, decisions, and notes beside these."""

from collections.abc import Iterator
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


KINDS = ("estimates", "blocks", "trust", "stops")
"""The kinds of notes, as in the file names ``PREFIX_KIND.csv``; see `notes_of`."""


class Notes(Protocol):
    """Notes that are written to a file at the end."""

    def text(self) -> Iterator[str]:
        """Return the content of the file, piece by piece."""
        ...


def notes_of(policy: Policy) -> dict[str, Notes]:
    """Return the notes that a policy has by their kind, one of `KINDS`.

    ``estimates``: how each job was planned, ``blocks``: the block of each, ``trust``: when
    estimates were used, and ``stops``: when a rule of the site kept a job from starting; see
    `schedulers.journal`.

    Examples
    --------
    >>> from schedulers import make_policy
    >>> list(notes_of(make_policy("easy"))), list(notes_of(make_policy("easy_bf")))
    (['estimates'], [])
    """
    logs = ("block", "trust", "stop")
    kept = (policy.journal, *(getattr(policy, f"{kind}_log", None) for kind in logs))
    return {kind: notes for kind, notes in zip(KINDS, kept, strict=True) if notes is not None}
