"""The orders in which jobs wait."""

import math

from predictors.checks import require_number
from schedulers.core.constants import NEVER
from schedulers.core.job import Job


class Order:
    """The order in which jobs wait.

    An order of many jobs at once may have two methods more: ``row(job)`` returns numbers of a
    waiting job that do not change, `width` of them, and ``keys_of_rows(rows, now)`` the keys of
    many jobs, of rows of the shape (width, jobs). One that looks at the site has ``on_site(site)``
    and ``begin(processors)``. One that wants to hear what becomes of the jobs has any of
    ``submitted``, ``started`` and ``ended``, each with the job and the date; with ``needs_fields =
    True`` jobs have their `fields`. Past jobs of the option `history` have dates up to 0.

    Attributes
    ----------
    changes : bool
        Whether the order of two waiting jobs may change while they wait. Then the queue is sorted
        anew at each pass. It counts once the site is known.
    """

    changes = False

    def key(self, job: Job, now: float) -> float:
        """Return what the queue is sorted by, smallest first; equal ones by submission.

        `now` is the date in seconds.
        """
        raise NotImplementedError


class Fcfs(Order):
    """First come, first served: jobs wait in the order of their submission."""

    def key(self, job: Job, now: float) -> float:
        """Return the number of the submission."""
        return job.number


class Sjf(Order):
    """Shortest job first, by the estimate for queueing; one without an estimate comes last."""

    def key(self, job: Job, now: float) -> float:
        """Return the estimated run time in seconds."""
        return job.queueing


class Saf(Order):
    """Smallest area first: by estimated run time x processors."""

    def key(self, job: Job, now: float) -> float:
        """Return the estimated area, in processor seconds."""
        return job.queueing * job.processors


class Lxf(Order):
    """Largest expansion factor first: by (wait + head start + estimate) / estimate^exponent.

    With a head start each job counts as having waited for so much longer, so that a short job that
    has just come stands before long ones that have waited for a while: without, everybody begins
    at 1; with a very long one it is shortest first. An exponent below 1 favours short jobs less. A
    job without an estimate has the factor 1, the smallest.

    With ageing the factor is multiplied by 1 + ageing x (wait / `limit`)^4: a job that has waited
    for nearly as long as the bound on waiting allows comes before the others.

    Parameters
    ----------
    head_start
        In seconds.
    exponent
        From 0 to 1.
    ageing
        By how much the factor of a job that has waited for `limit` is larger.
    """

    OPTIONS = {"head_start": 0.0, "exponent": 1.0, "ageing": 0.0}
    changes = True

    head_start: float
    exponent: float
    ageing: float
    limit: float
    """The wait after which a bound on waiting protects a job now, in seconds; the bound sets it."""

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
                # once for each job, and not by **, which C rounds in another way
                job.divisor = math.pow(estimate, self.exponent)
            factor /= job.divisor
        if self.ageing:
            ratio = wait / self.limit
            ratio *= ratio
            factor *= 1.0 + self.ageing * ratio * ratio
        return -factor


class Wfp(Order):
    """Favours large and old jobs: by (wait / estimate)^3 x processors (paper 004, equation 1)."""

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
