"""Smallest area first."""

from schedulers.job import Job


class Saf:
    """Smallest area first: by estimated run time x processors."""

    changes = False

    def key(self, job: Job, now: float) -> float:
        """Return the estimated area, in processor seconds."""
        return job.queueing * job.processors
