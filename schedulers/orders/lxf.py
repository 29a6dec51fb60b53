"""Largest expansion factor first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from predictors.checks import require_number
from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(eq=False)
class Lxf:
    """Largest expansion factor first: by (wait + estimate) / estimate.

    With a head start each job counts as having waited for so much longer, so that a short job that
    has just come stands before long ones that have waited for a while: without, everybody begins
    at 1; with a very long one it is shortest first. A job without an estimate has the factor 1, the
    smallest.
    """

    head_start: float = 0.0
    """In seconds."""

    changes = True

    def __post_init__(self) -> None:
        """Check the option."""
        self.head_start = require_number("head_start", self.head_start, unit="seconds")

    def key(self, job: Job, now: float) -> float:
        """Return minus the expansion factor.

        Examples
        --------
        >>> job = Job("w0!1", 0.0, 1, 60.0, queueing=60.0)
        >>> Lxf().key(job, 120.0), Lxf(head_start=60.0).key(job, 120.0)
        (-3.0, -4.0)
        """
        estimate = job.queueing
        if estimate == float("inf"):
            return -1.0
        return -((now - job.submit_time + self.head_start + estimate) / estimate)

    def keys(
        self,
        submitted: "NDArray[np.float64]",
        estimates: "NDArray[np.float64]",
        processors: "NDArray[np.float64]",
        now: float,
    ) -> "NDArray[np.float64]":
        """Return the keys of many jobs; see `KeysAtOnce`."""
        import numpy as np

        with np.errstate(over="ignore", invalid="ignore"):
            keys = -((now - submitted + self.head_start + estimates) / estimates)
        keys[np.isinf(estimates)] = -1.0
        return keys
