"""First come, first served."""

from schedulers.job import Job


class Fcfs:
    """First come, first served: jobs wait in the order of their submission."""

    changes = False

    def key(self, job: Job, now: float) -> float:
        """Return the number of the submission."""
        return job.number
