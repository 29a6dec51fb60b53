"""The order of Argonne's Cobalt."""

from schedulers.job import Job


class Wfp:
    """Favours large and old jobs: by (wait / estimate)^3 x processors (paper 004, equation 1)."""

    changes = True
    by_id = False

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
