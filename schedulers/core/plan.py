"""The running jobs, sorted by planned end."""

from schedulers.core.job import Job


class Plan:
    """The running jobs, sorted by planned end and then by number."""

    __slots__ = ("jobs",)

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def place(self, job: Job) -> int:
        """Return the index of a job, or the index at which to insert it."""
        jobs = self.jobs
        low, high = 0, len(jobs)
        while low < high:
            middle = (low + high) >> 1
            other = jobs[middle]
            if other.planned_end < job.planned_end or (
                other.planned_end == job.planned_end and other.number < job.number
            ):
                low = middle + 1
            else:
                high = middle
        return low

    def add(self, job: Job) -> None:
        """Add a job with its `planned_end`."""
        self.jobs.insert(self.place(job), job)

    def remove(self, job: Job) -> None:
        """Remove a job. Its `planned_end` must be the one with which it was added."""
        del self.jobs[self.place(job)]

    def start(self, job: Job, now: float) -> None:
        """Add a job that starts now, with its estimated run time."""
        job.planned_end = now + job.running
        self.jobs.insert(self.place(job), job)
