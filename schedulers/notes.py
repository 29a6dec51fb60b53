"""What policies note beside their decisions, for files of their own."""

from collections.abc import Iterator
from typing import Protocol

from schedulers.decisions import Policy

KINDS = ("estimates", "blocks", "trust")
"""What stands behind the prefix in the names of their files; see `notes_of`."""


class Notes(Protocol):
    """What becomes a file at the end."""

    def text(self) -> Iterator[str]:
        """Return its content, piece by piece."""
        ...


def notes_of(policy: Policy) -> dict[str, Notes]:
    """Return the notes of a policy by their kind, one of `KINDS`.

    Returns
    -------
    dict
        ``estimates``: how each job was planned (`schedulers.journal`), ``blocks``: which block each
        had (`schedulers.machine.block_log`), and ``trust``: when estimates were gone by
        (`schedulers.backfilling.trust_log`); those that it has.

    Examples
    --------
    >>> from schedulers import make_policy
    >>> list(notes_of(make_policy("easy"))), list(notes_of(make_policy("easy_bf")))
    (['estimates'], [])
    """
    kept = (policy.journal, *(getattr(policy, f"{kind}_log", None) for kind in ("block", "trust")))
    return {kind: notes for kind, notes in zip(KINDS, kept, strict=True) if notes is not None}
