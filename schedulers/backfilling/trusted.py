"""Scheduling by estimates only while they tell short jobs from long ones."""

from collections import deque
from operator import attrgetter

from schedulers.backfilling.backfilling import Backfilling, at_worst, take_out
from schedulers.backfilling.easy import Easy
from schedulers.backfilling.plan import Plan
from schedulers.backfilling.trust_log import TrustLog
from schedulers.job import Job
from schedulers.machine.machine import Machine

NEIGHBOURS = 32
"""Each job is compared with so many that ended before it."""

APART = 2.0
"""Only jobs are compared of which one ran so many times as long as the other."""

SHORT = 10.0
"""Run times below this count as this, in seconds, as in bounded slowdowns."""

REMEMBERED = 1000
"""After so many ends a pair is forgotten."""

ENOUGH = 1000
"""With fewer pairs nothing is known."""

UNKNOWN = 0.5
"""The concordance while too little is known, as of random estimates."""


class Concordance:
    """The share of pairs of ended jobs whose estimates stand in the order of their run times.

    The concordance index of Harrell et al. [1]_, over pairs of jobs of which one ran at least twice
    as long: 1 where all are in the right order, 0.5 where the estimates are equal or say nothing,
    less where they are wrong. A pair is compared once the second of the two has ended, with the 32
    that ended before it, and forgotten `jobs` ends later. With fewer than `pairs` nothing is known.
    That of the walltimes is taken over the same pairs, to compare with.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the yield
       of medical tests", JAMA 247(18), 1982.

    Examples
    --------
    >>> seen = Concordance(pairs=1)
    >>> for estimate, run_time in ((60.0, 100.0), (600.0, 3600.0), (30.0, 900.0)):
    ...     seen.ended(estimate, run_time, walltime=7200.0)
    >>> round(seen.of_estimates, 3)  # the third was taken for the shortest, and was not
    0.667
    >>> seen.of_walltimes
    0.5
    """

    def __init__(self, *, jobs: int = REMEMBERED, pairs: int = ENOUGH) -> None:
        self._jobs = jobs
        self._least = max(pairs, 1)
        self._last: deque[tuple[float, float, float]] = deque(maxlen=NEIGHBOURS)
        self._counted: deque[tuple[int, int, int]] = deque()
        self._pairs = 0
        # a tie counts as half a pair in the right order, so right ones count as two
        self._right = 0
        self._right_of_walltimes = 0

    def ended(self, estimate: float, run_time: float, *, walltime: float) -> None:
        """Learn from a job that has ended; all in seconds."""
        run_time = max(run_time, SHORT)
        pairs = right = of_walltimes = 0
        for other_estimate, other_walltime, other in self._last:
            if run_time >= APART * other:
                pairs += 1
                right += (estimate > other_estimate) + (estimate >= other_estimate)
                of_walltimes += (walltime > other_walltime) + (walltime >= other_walltime)
            elif other >= APART * run_time:
                pairs += 1
                right += (estimate < other_estimate) + (estimate <= other_estimate)
                of_walltimes += (walltime < other_walltime) + (walltime <= other_walltime)
        self._last.append((estimate, walltime, run_time))
        self._counted.append((pairs, right, of_walltimes))
        self._pairs += pairs
        self._right += right
        self._right_of_walltimes += of_walltimes
        if len(self._counted) > self._jobs:
            pairs, right, of_walltimes = self._counted.popleft()
            self._pairs -= pairs
            self._right -= right
            self._right_of_walltimes -= of_walltimes

    @property
    def of_estimates(self) -> float:
        """The share in the right order; 0.5 while nothing is known."""
        return UNKNOWN if self._pairs < self._least else self._right / (2 * self._pairs)

    @property
    def of_walltimes(self) -> float:
        """The same of the walltimes."""
        known = self._pairs >= self._least
        return self._right_of_walltimes / (2 * self._pairs) if known else UNKNOWN


WORSE = 0.1
"""The estimates' concordance may be so much below that of the walltimes."""

HYSTERESIS = 0.05
"""Estimates lose trust so much below the concordance at which they gain it."""

_number = attrgetter("number")


class Trusted:
    """Chooses by estimates while these tell short jobs from long ones, and as EASY does otherwise.

    As EASY: first come, first served, candidates as they wait, every job taken to run up to its
    walltime. It begins so, and uses the estimates once their concordance with the run times of
    the jobs that have ended (`Concordance`) is at least `least`, and no more than 0.1 below that of
    the walltimes; it goes back when it has fallen by another 0.05. So estimates that are random or
    all the same leave the schedule as EASY's nearly all the time, and those of a predictor that
    has broken down are left as soon as that shows in what has ended.

    Only the order of the estimates is judged, not their size. Those of running jobs have to be
    walltimes: a job that runs can't be planned anew without breaking promises.

    The backfilling `inside` chooses while the estimates are trusted; changes go into the `log`.
    """

    plans = True
    remembers = False
    # the first of the queue is another one when the estimates are not trusted
    only_fitting = False

    def __init__(self, inside: Backfilling, *, least: float, log: TrustLog) -> None:
        self.inside = inside
        self._easy = Easy()
        self.least = least
        self._concordance = Concordance()
        # of the jobs that were planned by their walltimes instead, with the jobs, by number
        self._estimates: dict[int, tuple[Job, float]] = {}
        self.trusts = False
        self.log = log

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self.inside.begin(machine)
        self._easy.begin(machine)

    def ended(self, job: Job, now: float) -> None:
        """Compare the estimate of a job that ended; see `Concordance`."""
        self.inside.ended(job, now)
        seen = self._concordance
        _, estimate = self._estimates.pop(job.number, (job, job.backfilling))
        seen.ended(estimate, now - job.started, walltime=at_worst(job))
        concordance, of_walltimes = seen.of_estimates, seen.of_walltimes
        least = max(self.least, of_walltimes - WORSE) - self.trusts * HYSTERESIS
        if (concordance >= least) is not self.trusts:
            self.trusts = not self.trusts
            self.log.changed(now, concordance=concordance, of_walltimes=of_walltimes)
            if self.trusts:
                self._plan_by_estimates()

    def _plan_by_estimates(self) -> None:
        """Give the jobs that wait their estimates back; of those that run they are kept."""
        estimates = self._estimates
        waiting = [(job, estimate) for job, estimate in estimates.values() if job.started < 0.0]
        for job, estimate in waiting:
            job.backfilling = estimate
            del estimates[job.number]

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
        self.inside.corrected(job, planned_end, now)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if self.trusts:
            return self.inside.choose(queue, plan, now)
        estimates = self._estimates
        for job in queue:
            if job.number not in estimates:
                estimates[job.number] = job, job.backfilling
                job.backfilling = at_worst(job)
        waiting = sorted(queue, key=_number)
        chosen = self._easy.choose(waiting, plan, now)
        take_out(queue, chosen)
        return chosen
