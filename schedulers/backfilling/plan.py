"""When the running jobs are expected to end."""

from bisect import bisect_left, insort

from schedulers.job import Job


class Plan:
    """The running jobs by their planned ends.

    Attributes
    ----------
    ends : list of tuple
        ``(planned end in s, number of the job, job)``, ascending.
    """

    __slots__ = ("ends",)

    def __init__(self) -> None:
        self.ends: list[tuple[float, int, Job]] = []

    def add(self, job: Job) -> None:
        """Add a job with its `planned_end`."""
        insort(self.ends, (job.planned_end, job.number, job))

    def remove(self, job: Job) -> None:
        """Remove a job that is in the plan with its `planned_end`."""
        index = bisect_left(self.ends, (job.planned_end, job.number))
        assert self.ends[index][2] is job
        del self.ends[index]

    def reservation(self, needed: int, now: float) -> tuple[float, int]:
        """Find when enough processors will be free.

        A job past its planned end counts as ending now, and jobs that end together count together.

        Parameters
        ----------
        needed
            How many processors more than are free now; above 0.
        now
            The date in seconds.

        Returns
        -------
        tuple
            The date in seconds, and how many processors will then be left over. The date is
            infinite when the jobs with a planned end do not hold enough of them.
        """
        date = now
        missing = needed
        for end, _, job in self.ends:
            if missing <= 0 and end > date:
                break
            if end > date:
                date = end
            missing -= job.processors
        else:
            if missing > 0:
                return float("inf"), 0
        return date, -missing
