"""What is kept of the jobs that have ended: enough for the figures of the whole schedule."""

from array import array
from typing import TYPE_CHECKING

from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob

if TYPE_CHECKING:
    from workload_tools.batsim.intervals import Intervals

SUCCESS = JobState.COMPLETED_SUCCESSFULLY


class Record:
    """The jobs that have ended.

    Attributes
    ----------
    rejected, successful : int
        How many jobs were rejected, and how many ran to their own end.
    submit, start, end : array of float
        Dates of the jobs that ran, in seconds, in the order in which their ends were handled.
    sizes : array of int
        How many processors each of them had.
    intervals : list of Intervals
        Which.
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

    def add(self, job: SimulatedJob) -> None:
        """Add a job that has ended or was rejected."""
        state = job.state
        if state is SUCCESS:
            self.successful += 1
        elif state is REJECTED:
            self.rejected += 1
            return
        self.submit.append(job.submit_time)
        self.start.append(job.start)
        self.end.append(job.end)
        self.sizes.append(job.processors)
        self.intervals.append(job.intervals)
