"""Scheduling by estimates only while they tell short jobs from long ones."""

from schedulers.backfilling.trust_log import TrustLog
from schedulers.core.backfilling import Backfilling, Easy
from schedulers.core.job import Job, by_number, take_out
from schedulers.core.machine import Machine
from schedulers.core.plan import Plan

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


WORSE = 0.1
"""The estimates' concordance may be so much below that of the walltimes."""

HYSTERESIS = 0.05
"""Estimates lose trust so much below the concordance at which they gain it."""


class Seen:
    """A job that has ended, as it is compared with others, and what the comparisons said."""

    __slots__ = ("estimate", "of_walltimes", "pairs", "right", "run", "walltime")

    estimate: float
    walltime: float
    run: float
    pairs: int
    right: int
    of_walltimes: int

    def __init__(self, estimate: float, walltime: float, run: float) -> None:
        self.estimate = estimate
        self.walltime = walltime
        self.run = run
        self.pairs = 0
        # a tie counts as half a pair in the right order, so right ones count as two
        self.right = 0
        self.of_walltimes = 0


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
    ...     seen.ended(estimate, run_time, 7200.0)
    >>> round(seen.of_estimates(), 3)  # the third was taken for the shortest, and was not
    0.667
    >>> seen.of_walltimes()
    0.5
    """

    jobs: int
    least: int
    seen: list[Seen]
    pairs: int
    right: int
    right_of_walltimes: int

    def __init__(self, jobs: int = REMEMBERED, pairs: int = ENOUGH) -> None:
        self.jobs = jobs
        self.least = pairs if pairs > 1 else 1
        self.seen = []
        self.pairs = self.right = self.right_of_walltimes = 0

    def ended(self, estimate: float, run_time: float, walltime: float) -> None:
        """Learn from a job that has ended; all in seconds."""
        seen = self.seen
        job = Seen(estimate, walltime, max(SHORT, run_time))
        first = len(seen) - NEIGHBOURS
        if first < 0:
            first = 0
        for place in range(first, len(seen)):
            other = seen[place]
            if job.run >= APART * other.run:
                longer, shorter = job, other
            elif other.run >= APART * job.run:
                longer, shorter = other, job
            else:
                continue
            job.pairs += 1
            if longer.estimate > shorter.estimate:
                job.right += 2
            elif longer.estimate == shorter.estimate:
                job.right += 1
            if longer.walltime > shorter.walltime:
                job.of_walltimes += 2
            elif longer.walltime == shorter.walltime:
                job.of_walltimes += 1
        seen.append(job)
        self.count(job, 1)
        if len(seen) > self.jobs:
            self.count(seen[len(seen) - self.jobs - 1], -1)
        if len(seen) >= 2 * self.jobs + NEIGHBOURS:
            # those that are forgotten, but for the last, which others are compared with
            del seen[: len(seen) - self.jobs - NEIGHBOURS]

    def count(self, job: Seen, times: int) -> None:
        """Count a job's pairs, or forget them."""
        self.pairs += times * job.pairs
        self.right += times * job.right
        self.right_of_walltimes += times * job.of_walltimes

    def of_estimates(self) -> float:
        """Return the share in the right order; 0.5 while nothing is known."""
        return self.right / (2 * self.pairs) if self.pairs >= self.least else UNKNOWN

    def of_walltimes(self) -> float:
        """Return the same of the walltimes."""
        return self.right_of_walltimes / (2 * self.pairs) if self.pairs >= self.least else UNKNOWN


class Trusted(Backfilling):
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

    least: float
    trusts: bool

    def __init__(self, inside: Backfilling, *, least: float, log: TrustLog) -> None:
        self.plans = True
        # the first of the queue is another one when the estimates are not trusted
        self.remembers = self.only_fitting = self.asks = False
        self.inside = inside
        self._easy = Easy()
        self.least = least
        self._concordance = Concordance()
        # the jobs that were planned by their walltimes instead, by number
        self._kept: dict[int, Job] = {}
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
        estimate = job.backfilling
        if job.number in self._kept:
            del self._kept[job.number]
            estimate = job.kept_estimate
        seen.ended(estimate, now - job.started, job.walltime)
        concordance, of_walltimes = seen.of_estimates(), seen.of_walltimes()
        least = of_walltimes - WORSE
        if least < self.least:
            least = self.least
        if self.trusts:
            least -= HYSTERESIS
        if (concordance >= least) != self.trusts:
            self.trusts = not self.trusts
            self.log.changed(now, concordance=concordance, of_walltimes=of_walltimes)
            if self.trusts:
                self.plan_by_estimates()

    def plan_by_estimates(self) -> None:
        """Give the jobs that wait their estimates back; of those that run they are kept."""
        for job in list(self._kept.values()):
            if job.started < 0.0:
                job.backfilling = job.kept_estimate
                del self._kept[job.number]

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Tell the backfilling inside; see `Backfilling`."""
        self.inside.corrected(job, planned_end, now)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if self.trusts:
            return self.inside.choose(queue, plan, now)
        for job in queue:
            if job.number not in self._kept:
                self._kept[job.number] = job
                job.kept_estimate = job.backfilling
                job.backfilling = job.walltime
        waiting = sorted(queue, key=by_number)
        chosen = self._easy.choose(waiting, plan, now)
        take_out(queue, chosen)
        return chosen
