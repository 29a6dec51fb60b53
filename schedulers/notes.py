"""What policies record beside their decisions, each kind for its own file."""

from collections.abc import Iterator
from typing import Protocol

from schedulers.decisions import Policy

KINDS = ("estimates", "blocks", "trust", "stops")
"""The kinds of notes, as in the file names ``PREFIX_KIND.csv``; see `notes_of`."""


class Notes(Protocol):
    """Notes that are written to a file at the end."""

    def text(self) -> Iterator[str]:
        """Return the content of the file, piece by piece."""
        ...


def notes_of(policy: Policy) -> dict[str, Notes]:
    """Return the notes that a policy has by their kind, one of `KINDS`.

    ``estimates``: how each job was planned (`schedulers.journal`), ``blocks``: the block of each
    (`schedulers.machine.block_log`), ``trust``: when estimates were used
    (`schedulers.backfilling.trust_log`), and ``stops``: when a rule of the site kept a job from
    starting (`schedulers.site.stop_log`).

    Examples
    --------
    >>> from schedulers import make_policy
    >>> list(notes_of(make_policy("easy"))), list(notes_of(make_policy("easy_bf")))
    (['estimates'], [])
    """
    logs = ("block", "trust", "stop")
    kept = (policy.journal, *(getattr(policy, f"{kind}_log", None) for kind in logs))
    return {kind: notes for kind, notes in zip(KINDS, kept, strict=True) if notes is not None}
