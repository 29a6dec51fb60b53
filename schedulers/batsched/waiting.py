"""Admission of jobs, processors as bits, and exact dates, for `EasyBf` and `ConservativeBf`."""

from schedulers.core.constants import NEVER
from schedulers.decisions import Decision, Request
from workload_tools.batsim.decisions import Reject
from workload_tools.batsim.intervals import Intervals


def lowest(free: int, size: int) -> tuple[int, Intervals]:
    """Return the `size` lowest of the free processors, as bits and as intervals.

    Examples
    --------
    >>> bits, intervals = lowest(0b1101100, 3)
    >>> bin(bits), intervals
    ('0b101100', ((2, 3), (5, 5)))
    """
    taken = 0
    intervals = []
    while True:
        bit = free & -free
        first = bit.bit_length() - 1
        # adding the lowest bit clears the run of ones that it begins, and sets the bit after it
        carried = free + bit
        length = (carried & -carried).bit_length() - 1 - first
        if length >= size:
            taken |= ((1 << size) - 1) << first
            intervals.append((first, first + size - 1))
            return taken, tuple(intervals)
        taken |= ((1 << length) - 1) << first
        intervals.append((first, first + length - 1))
        size -= length
        free &= carried


SCALE = 1074
"""Every double is a multiple of 2^-1074."""


def exact(seconds: float) -> int:
    """Return a floating-point number of seconds, exactly, as a whole number of 2^-1074 s.

    Examples
    --------
    >>> exact(0.1) + exact(0.2) < exact(0.1 + 0.2)
    True
    """
    numerator, denominator = seconds.as_integer_ratio()
    return numerator << (SCALE + 1 - denominator.bit_length())


def in_seconds(date: int) -> float:
    """Return a whole number of 2^-1074 s as the nearest floating-point number of seconds.

    Examples
    --------
    >>> in_seconds(exact(0.1) + exact(0.2))
    0.30000000000000004
    """
    return date / (1 << SCALE)


class WaitingJob:
    """A waiting job.

    `length` is the walltime plus `rjms_delay`, in multiples of 2^-1074 s. `number` is 1 for the
    first submitted job, 2 for the next one.
    """

    __slots__ = ("id", "length", "number", "size")

    def __init__(self, job_id: str, size: int, *, length: int, number: int) -> None:
        self.id = job_id
        self.size = size
        self.length = length
        self.number = number


class Admission:
    """Admits the submitted jobs, and rejects jobs that cannot be planned.

    A job is rejected if it requests more processors than the machine has, or has no walltime.
    `delay` is added to each walltime. It is a whole number of 2^-1074 s.
    """

    def __init__(self, processors: int, delay: int) -> None:
        self._processors = processors
        self._delay = delay
        self._number = 0

    def admit(self, request: Request, decisions: list[Decision]) -> list[WaitingJob]:
        """Return the admitted jobs in the request's order; append rejections to `decisions`."""
        new = []
        for job in request.submitted:
            if job.processors > self._processors:
                reason = f"asks for {job.processors} processors; the machine has {self._processors}"
            elif job.walltime == NEVER:
                reason = "has no walltime"
            else:
                self._number += 1
                length = exact(job.walltime) + self._delay
                new.append(WaitingJob(job.id, job.processors, length=length, number=self._number))
                continue
            decisions.append(Reject(request.now, job.id, reason))
        return new


def in_queue_order(new: list[WaitingJob]) -> list[WaitingJob]:
    """Return the jobs of one request in queue order: sorted by their ids as text."""
    return sorted(new, key=lambda job: job.id) if len(new) > 1 else new
