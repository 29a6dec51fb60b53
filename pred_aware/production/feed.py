"""Feeds: what tells the service of jobs that have ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pred_aware.production.store import Position
from workload_tools.job import Job


@dataclass(frozen=True, slots=True)
class Read:
    """What was read."""

    jobs: list[Job]
    """Those of which the ends were there."""
    position: Position
    """Where to go on."""
    more: bool = True
    """Whether there may be more at once."""
    doubt: str = ""
    """Why the feed may not show all jobs; empty where nothing speaks for that."""


class Feed(Protocol):
    """Tells of ended jobs."""

    name: str
    """By which its position is kept."""
    pause: float
    """After how many seconds it is asked again."""

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Read on; None where there is nothing new.

        Parameters
        ----------
        positions
            How far each file was read; see `pred_aware.production.store.Position`.

        Raises
        ------
        OSError, FeedError
            It cannot be read now.
        """
        ...

    def close(self) -> None:
        """Let go of what it waits for: the service ends."""
        ...
