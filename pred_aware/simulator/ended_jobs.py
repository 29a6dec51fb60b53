"""The ended jobs, as columns for the figures of the whole schedule."""

from array import array
from typing import TYPE_CHECKING

from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob

if TYPE_CHECKING:
    from workload_tools.batsim.intervals import Intervals

SUCCESS = JobState.COMPLETED_SUCCESSFULLY


class EndedJobs:
    """Columns of the jobs that ran, in the order in which their ends were handled, in seconds.

    It also has the number of rejected jobs and of jobs that ran to their own end.
    """

    __slots__ = ("end", "intervals", "rejected", "sizes", "start", "submit", "successful")

    def __init__(self) -> None:
        self.rejected = 0
        self.successful = 0
        self.submit = array("d")
        self.start = array("d")
        self.end = array("d")
        self.sizes = array("q")
        self.intervals: list[Intervals] = []

    def add(self, jobs: list[SimulatedJob]) -> None:
        """Add ended or rejected jobs."""
        ran = [job for job in jobs if job.state is not REJECTED]
        self.rejected += len(jobs) - len(ran)
        self.successful += sum([job.state is SUCCESS for job in ran])
        self.submit.extend([job.submit_time for job in ran])
        self.start.extend([job.start for job in ran])
        self.end.extend([job.end for job in ran])
        self.sizes.extend([job.processors for job in ran])
        self.intervals += [job.intervals for job in ran]
