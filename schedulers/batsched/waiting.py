"""Jobs that wait in batsched's schedulers, and their admission."""

from schedulers.batsched.arithmetic import exact
from schedulers.decisions import Decision, Request
from workload_tools.batsim.decisions import Reject


class WaitingJob:
    """A waiting job, as the passes see it.

    Its `length` is the walltime and batsched's addition to it, in multiples of 2^-1074 s; its
    `number` counts the submissions.
    """

    __slots__ = ("id", "length", "number", "size")

    def __init__(self, job_id: str, size: int, *, length: int, number: int) -> None:
        self.id = job_id
        self.size = size
        self.length = length
        self.number = number


class Admission:
    """Takes in the jobs of a request, and rejects those that can't be planned.

    A job is rejected if it asks for more processors than there are, or has no walltime. `delay` is
    added to each walltime, in multiples of 2^-1074 s.
    """

    def __init__(self, processors: int, delay: int) -> None:
        self._processors = processors
        self._delay = delay
        self._number = 0

    def admit(self, request: Request, decisions: list[Decision]) -> list[WaitingJob]:
        """Return the jobs that were submitted, in the request's order; note the others' refusal."""
        new = []
        for job in request.submitted:
            if job.processors > self._processors:
                reason = f"asks for {job.processors} processors; the machine has {self._processors}"
            elif job.walltime is None:
                reason = "has no walltime"
            else:
                self._number += 1
                length = exact(job.walltime) + self._delay
                new.append(WaitingJob(job.id, job.processors, length=length, number=self._number))
                continue
            decisions.append(Reject(request.now, job.id, reason))
        return new


def in_queue_order(new: list[WaitingJob]) -> list[WaitingJob]:
    """Return the jobs of one request in the order in which they wait: by their ids as text."""
    return sorted(new, key=lambda job: job.id) if len(new) > 1 else new
