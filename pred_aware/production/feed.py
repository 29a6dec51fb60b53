"""Feeds: sources of ended jobs for the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pred_aware.production.store import Position
from workload_tools.job import Job


@dataclass(frozen=True, slots=True)
class Read:
    """The result of a read."""

    jobs: list[Job]
    """Jobs whose ends were found."""
    position: Position
    """Position at which the next read starts."""
    more: bool = True
    """True if more jobs may be available now, without a pause."""
    doubt: str = ""
    """Why the feed may not contain all jobs; empty if there is no reason to doubt it."""


class Feed(Protocol):
    """A source of ended jobs."""

    name: str
    """Name under which the store keeps the position reached in this feed."""
    pause: float
    """Seconds until the feed is read again."""

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Read the jobs after a position; return None if there is nothing new.

        Parameters
        ----------
        positions
            Position reached in each file; see `pred_aware.production.store.Position`.

        Raises
        ------
        OSError, FeedError
            The feed cannot be read now.
        """
        ...

    def close(self) -> None:
        """End a read that is still waiting, because the service ends."""
        ...
