"""The contract of a policy: requests, decisions, and notes that are written to files."""

from collections.abc import Iterator
from typing import Protocol, TypeAlias

import msgspec

from schedulers.core.job import Job
from schedulers.journal import Journal
from workload_tools.batsim.decisions import CallLater, Execute, Reject


class Request(msgspec.Struct, gc=False):
    """The events since the last request."""

    now: float
    """The date of the request, in seconds."""
    ended: list[str] = []
    """The ids of the jobs that ended, in the order of Batsim's message."""
    submitted: list[Job] = []
    """The submitted jobs, in the order of Batsim's message."""
    called: bool = False
    """Whether a call that the policy requested is due."""
    last_event: float = 0.0
    """The date of the last event, in seconds. It is `now` or slightly earlier."""


Decision: TypeAlias = Execute | Reject | CallLater


class Policy(Protocol):
    """Decides when jobs start, and on which processors. It needs no sockets, JSON or pybatsim."""

    needs_fields: bool
    """Whether the policy uses other fields of a job than its size and walltime."""

    journal: Journal | None
    """The plans of the ended jobs; ``None`` if the policy does not record them."""

    def begin(self, processors: int) -> None:
        """Start with an idle machine of this size. This method is called first, and once."""
        ...

    def decide(self, request: Request) -> list[Decision]:
        """Return the decisions after the events of a request, in the order of their execution."""
        ...


KINDS = ("estimates", "blocks", "trust", "stops")
"""The kinds of notes, as in the file names ``PREFIX_KIND.csv``; see `notes_of`."""


class Notes(Protocol):
    """Notes of a policy that are written to a file at the end of a run."""

    def text(self) -> Iterator[str]:
        """Return the content of the file, piece by piece."""
        ...


def notes_of(policy: Policy) -> dict[str, Notes]:
    """Return the notes that a policy has, by kind; see `KINDS`.

    ``estimates`` says how each job was planned. ``blocks`` says which block each job had. ``trust``
    says when estimates were used. ``stops`` says how long rules of the site stopped each job. See
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
