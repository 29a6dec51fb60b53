"""Messages between a worker and the process that started it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pred_aware.campaign.specification import RunKey

Figures = dict[str, float | None]
Why = Literal["died", "error", "log", "memory", "store", "time"]


@dataclass(frozen=True, slots=True)
class Task:
    """A run to be made."""

    run: RunKey
    """Which."""
    digest: str
    """By which the run is known."""
    over: frozenset[int] = frozenset()
    """Places of logs of which no run will be asked for any more."""
    runs: int = field(default=1, compare=False)
    """How many who makes it is about to make, with it, as far as is known."""


@dataclass(frozen=True, slots=True)
class Began:
    """A worker has the log, and simulates now."""


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """What became of a task."""

    figures: Figures = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)
    """Of a run that was made; empty for one that was there."""
    failed: str | None = None
    """Why it was not, if it was not."""
    why: Why = "error"
    """What kind of failure that is: of the run, for taking too much memory or time, of its process,
    of its log, which no other run can have either, or of the store, which can't be written."""
    value: Any = None
    """What was made, where that is no run of a store."""
