"""Shortest job first."""

from schedulers.job import Job


class Sjf:
    """Shortest job first, by the estimate for queueing; one without an estimate comes last."""

    changes = False

    def key(self, job: Job, now: float) -> float:
        """Return the estimated run time in seconds."""
        return job.queueing
