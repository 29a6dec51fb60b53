"""Orders sort the queue."""

import math

from predictors.checks import require_number
from schedulers.core.constants import NEVER
from schedulers.core.job import Job


class Order:
    """The order of the queue.

    A subclass defines `key`. It may also have these methods:

    - ``on_site(site)`` and ``begin(processors)`` receive the site and the machine's size.
    - ``submitted``, ``started`` and ``ended`` receive events, each with the job and the date. Past
      jobs of the option `history` have dates up to 0.

    If the order sets ``needs_fields = True``, jobs come with their `fields`.

    - `changes`: whether the order of two waiting jobs may change while they wait. If so, the queue
      is sorted at each pass. The value is read after ``on_site``.
    """

    changes = False

    def key(self, job: Job, now: float) -> float:
        """Return the sort key of a job at the date `now` (in seconds).

        The smallest key comes first. Equal keys are sorted by submission.
        """
        raise NotImplementedError


class Fcfs(Order):
    """First come, first served: the order of submission."""

    def key(self, job: Job, now: float) -> float:
        """Return the job's number: 1 for the first submission, 2 for the next one."""
        return job.number


class Sjf(Order):
    """Shortest job first, by the estimate for queueing. Jobs without an estimate come last."""

    def key(self, job: Job, now: float) -> float:
        """Return the estimated run time in seconds."""
        return job.queueing


class Saf(Order):
    """Smallest area first: estimated run time x processors."""

    def key(self, job: Job, now: float) -> float:
        """Return the estimated area, in processor seconds."""
        return job.queueing * job.processors


class Lxf(Order):
    """Largest expansion factor first: (wait + head start + estimate) / estimate^exponent.

    The head start is added to every wait. So a new short job comes before long jobs that have
    waited for a while. Without a head start, every job begins with the factor 1. With a very long
    head start, the shortest job comes first. An exponent below 1 favours short jobs less. A job
    without an estimate always has the factor 1.

    Ageing multiplies the factor by 1 + ageing x (wait / `limit`)^4. So a job whose wait comes close
    to the bound on waiting moves to the front.

    `head_start` is in seconds. `exponent` is from 0 to 1. `ageing` is at least 0; 0 means none.
    """

    OPTIONS = {"head_start": 0.0, "exponent": 1.0, "ageing": 0.0}
    changes = True

    limit: float
    """The wait in seconds after which `Bounded` protects a job. `Bounded` sets this value."""

    def __init__(self, head_start: float = 0.0, exponent: float = 1.0, ageing: float = 0.0) -> None:
        self.head_start = require_number("head_start", head_start, unit="seconds")
        self.exponent = require_number("exponent", exponent, most=1.0)
        self.ageing = require_number("ageing", ageing)
        self.limit = NEVER

    def key(self, job: Job, now: float) -> float:
        """Return minus the expansion factor.

        Examples
        --------
        >>> from schedulers.core.job import Job
        >>> job = Job("w0!1", 0.0, 1, 64.0, queueing=64.0)
        >>> Lxf().key(job, 128.0), Lxf(head_start=64.0).key(job, 128.0)
        (-3.0, -4.0)
        >>> Lxf(exponent=0.5).key(job, 128.0)
        -24.0
        """
        estimate = job.queueing
        if estimate == NEVER:
            return -1.0
        wait = now - job.submit_time
        factor = wait + self.head_start + estimate
        if self.exponent == 1.0:
            factor /= estimate
        else:
            if job.divisor < 0.0:
                # computed once for each job; not with **, because Cython's ** rounds differently
                job.divisor = math.pow(estimate, self.exponent)
            factor /= job.divisor
        if self.ageing:
            ratio = wait / self.limit
            ratio *= ratio
            factor *= 1.0 + self.ageing * ratio * ratio
        return -factor


class Wfp(Order):
    """Favours large and old jobs: (wait / estimate)^3 x processors.

    This is equation 1 of Tang et al. (paper 004).
    """

    changes = True

    def key(self, job: Job, now: float) -> float:
        """Return minus the score.

        Examples
        --------
        >>> from schedulers.core.job import Job
        >>> job = Job("w0!1", 0.0, 4, 60.0, queueing=60.0)
        >>> Wfp().key(job, 120.0)
        -32.0
        """
        ratio = (now - job.submit_time) / job.queueing
        return -(ratio * ratio * ratio * job.processors)
