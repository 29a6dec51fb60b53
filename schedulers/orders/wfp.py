"""The order of Argonne's Cobalt."""

from typing import TYPE_CHECKING

from schedulers.job import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Wfp:
    """Favours large and old jobs: by (wait / estimate)^3 x processors (paper 004, equation 1)."""

    changes = True

    def key(self, job: Job, now: float) -> float:
        """Return minus the score.

        Examples
        --------
        >>> job = Job("w0!1", 0.0, 4, 60.0, queueing=60.0)
        >>> Wfp().key(job, 120.0)
        -32.0
        """
        ratio = (now - job.submit_time) / job.queueing
        return -(ratio * ratio * ratio * job.processors)

    def keys(
        self,
        submitted: "NDArray[np.float64]",
        estimates: "NDArray[np.float64]",
        processors: "NDArray[np.float64]",
        now: float,
    ) -> "NDArray[np.float64]":
        """Return the keys of many jobs; see `KeysAtOnce`."""
        import numpy as np

        # as in `key` a product beyond all numbers is infinite, without a word
        with np.errstate(over="ignore"):
            ratios = (now - submitted) / estimates
            return -(ratios * ratios * ratios * processors)
