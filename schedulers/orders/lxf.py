"""Largest expansion factor first."""

from schedulers.job import Job


class Lxf:
    """Largest expansion factor first: by (wait + estimate) / estimate.

    A job without an estimate has the factor 1, the smallest.
    """

    changes = True
    by_id = False

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
