"""The planned ends of the running jobs."""

from bisect import bisect_left, insort

from schedulers.job import Job


class Plan:
    """The running jobs by their planned ends."""

    __slots__ = ("ends",)

    def __init__(self) -> None:
        self.ends: list[tuple[float, int, Job]] = []
        """``(planned end in s, number of the job, job)``, ascending."""

    def add(self, job: Job) -> None:
        """Add a job with its `planned_end`."""
        insort(self.ends, (job.planned_end, job.number, job))

    def remove(self, job: Job) -> None:
        """Remove a job that is in the plan with its `planned_end`."""
        index = bisect_left(self.ends, (job.planned_end, job.number))
        assert self.ends[index][2] is job
        del self.ends[index]
