"""Largest expansion factor first."""

from typing import TYPE_CHECKING

from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Lxf:
    """Largest expansion factor first: by (wait + estimate) / estimate.

    A job without an estimate has the factor 1, the smallest.
    """

    changes = True

    def key(self, job: Job, now: float) -> float:
        """Return minus the expansion factor.

        Examples
        --------
        >>> job = Job("w0!1", 0.0, 1, 60.0, queueing=60.0)
        >>> Lxf().key(job, 120.0)
        -3.0
        """
        estimate = job.queueing
        if estimate == float("inf"):
            return -1.0
        return -((now - job.submit_time + estimate) / estimate)

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
            keys = -((now - submitted + estimates) / estimates)
        keys[np.isinf(estimates)] = -1.0
        return keys
