"""Messages between a worker and the process that started it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pred_aware.campaign.run_key import RunKey

Figures = dict[str, float | None]
Why = Literal["died", "error", "log", "lost", "memory", "store", "time"]


@dataclass(frozen=True, slots=True)
class Task:
    """A run to be made.

    Parameters
    ----------
    run
        Which.
    digest
        By which the run is known.
    over
        Places of logs of which no run will be asked for any more.
    """

    run: RunKey
    digest: str
    over: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Began:
    """A worker has the log, and simulates now."""


@dataclass(frozen=True, slots=True)
class WorkerAnswer:
    """What became of a task.

    Parameters
    ----------
    figures, measured
        Of a run that was made.
    failed
        Why it was not, if it was not.
    why
        What kind of failure that is: of the run, for taking too much memory or time, of its
        process, of its log, which no other run can have either, of the store, which can't be
        written, or that who made it was lost, so that somebody else may try.
    value
        What was made, where that is no run of a store.
    """

    figures: Figures = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)
    failed: str | None = None
    why: Why = "error"
    value: Any = None
