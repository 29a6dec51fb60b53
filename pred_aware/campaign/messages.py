"""Messages between a worker and its parent process."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pred_aware.campaign.specification import RunKey

Figures = dict[str, float | None]
Why = Literal["died", "error", "log", "memory", "store", "time"]


@dataclass(frozen=True, slots=True)
class Task:
    """A run to make."""

    run: RunKey
    """The run's key."""
    digest: str
    """The run's digest."""
    over: frozenset[int] = frozenset()
    """Indices of logs that the worker no longer needs."""
    runs: int = field(default=1, compare=False)
    """How many runs the worker will probably make, including this run."""


@dataclass(frozen=True, slots=True)
class Began:
    """The worker has read the log, and starts to simulate."""


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """The result of a task."""

    figures: Figures = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)
    """Costs of making the run; empty if the store already had the run."""
    failed: str | None = None
    """The reason of a failure, if any."""
    why: Why = "error"
    """Kind of failure: an error of the run, its memory or time limit, or the death of its process.

    ``log`` means that the log cannot be read, so that all its runs fail, and ``store`` that the
    store cannot be written.
    """
    value: Any = None
    """The result of a task that puts no run into a store."""
