"""What is kept of the jobs that have ended: enough for the figures of the whole schedule."""

from typing import TypeAlias

import numpy as np

from pred_aware.simulator.intervals import Intervals
from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob

SUCCESS = JobState.COMPLETED_SUCCESSFULLY

Row: TypeAlias = tuple[float, float, float, int, Intervals]


class Record:
    """The jobs that have ended.

    Attributes
    ----------
    rejected, successful : int
        How many jobs were rejected, and how many ran to their own end.
    ran : list of tuple
        ``(submission, start, end, processors, intervals)`` of each job that ran, dates in seconds,
        in the order in which their ends were handled.
    """

    def __init__(self) -> None:
        self.rejected = 0
        self.successful = 0
        self.ran: list[Row] = []

    def add(self, job: SimulatedJob) -> None:
        """Add a job that has ended or was rejected."""
        state = job.state
        if state is SUCCESS:
            self.successful += 1
        elif state is REJECTED:
            self.rejected += 1
            return
        self.ran.append((job.submit_time, job.start, job.end, job.processors, job.intervals))

    def dates(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the dates of submission, start and end as C's ``long double``, in seconds."""
        if not self.ran:
            return (np.empty(0, np.longdouble),) * 3
        submit, start, end, _, _ = zip(*self.ran, strict=True)
        return (
            np.array(submit, np.float64).astype(np.longdouble),
            np.array(start, np.float64).astype(np.longdouble),
            np.array(end, np.float64).astype(np.longdouble),
        )
