"""Use estimates only while they distinguish short jobs from long ones."""

from schedulers.core.backfilling import Backfilling, Easy
from schedulers.core.job import Job, Plan, by_number, take_out
from schedulers.core.machine import Machine
from schedulers.journal import TrustLog

NEIGHBOURS = 32
"""Each ended job is compared with the last jobs that ended before it, up to this many."""

APART = 2.0
"""Two jobs are compared only if one ran at least this many times as long as the other."""

SHORT = 10.0
"""Shorter run times count as this time (in seconds), as in the bounded slowdown."""

REMEMBERED = 1000
"""A pair is forgotten after this many more jobs have ended."""

ENOUGH = 1000
"""With fewer remembered pairs, the concordance is unknown."""

UNKNOWN = 0.5
"""The value that stands for an unknown concordance: the concordance of random estimates."""


WORSE = 0.1
"""Trusted estimates have a concordance at most this much below that of the walltimes."""

HYSTERESIS = 0.05
"""Estimates lose trust if the concordance falls this much below the value that gains trust."""


class ComparedJob:
    """An ended job, with its times in seconds and the results of its comparisons.

    - `pairs`: the number of jobs with which it was compared.
    - `right`, `of_walltimes`: 2 for each pair that estimates or walltimes put in the right order, 1
      for each tie.
    """

    __slots__ = ("estimate", "of_walltimes", "pairs", "right", "run", "walltime")

    def __init__(self, estimate: float, walltime: float, run: float) -> None:
        self.estimate = estimate
        self.walltime = walltime
        self.run = run
        self.pairs = 0
        self.right = 0
        self.of_walltimes = 0


class Concordance:
    """The fraction of pairs of ended jobs whose estimates have the same order as their run times.

    This is the concordance index of Harrell et al. [1]_, over pairs in which one job ran at least
    twice as long as the other. The index is 1 if all pairs are in the right order. It is 0.5 for
    equal or random estimates, and lower if most pairs are in the wrong order. Each ended job is
    compared with the 32 jobs that ended before it. After `jobs` more jobs have ended, its pairs are
    forgotten. With fewer than `pairs` pairs the index is unknown. The index of the walltimes uses
    the same pairs.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the yield
       of medical tests", JAMA 247(18), 1982.

    Examples
    --------
    >>> seen = Concordance(pairs=1)
    >>> for estimate, run_time in ((60.0, 100.0), (600.0, 3600.0), (30.0, 900.0)):
    ...     seen.ended(estimate, run_time, 7200.0)
    >>> round(seen.of_estimates(), 3)  # wrong: the third job has the shortest estimate
    0.667
    >>> seen.of_walltimes()
    0.5
    """

    def __init__(self, jobs: int = REMEMBERED, pairs: int = ENOUGH) -> None:
        self.jobs = jobs
        self.least = pairs if pairs > 1 else 1
        self.seen: list[ComparedJob] = []
        self.pairs = self.right = self.right_of_walltimes = 0

    def ended(self, estimate: float, run_time: float, walltime: float) -> None:
        """Compare an ended job with earlier jobs. All times are in seconds."""
        seen = self.seen
        job = ComparedJob(estimate, walltime, max(SHORT, run_time))
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
            # drop forgotten jobs, so that the list stays short
            del seen[: len(seen) - self.jobs - NEIGHBOURS]

    def count(self, job: ComparedJob, times: int) -> None:
        """Add a job's pairs to the totals (`times` is 1), or remove them (`times` is -1)."""
        self.pairs += times * job.pairs
        self.right += times * job.right
        self.right_of_walltimes += times * job.of_walltimes

    def of_estimates(self) -> float:
        """Return the concordance of the estimates; 0.5 while it is unknown."""
        return self.right / (2 * self.pairs) if self.pairs >= self.least else UNKNOWN

    def of_walltimes(self) -> float:
        """Return the concordance of the walltimes; 0.5 while it is unknown."""
        return self.right_of_walltimes / (2 * self.pairs) if self.pairs >= self.least else UNKNOWN


class Trusted(Backfilling):
    """Schedules by estimates while they are trusted, and otherwise as EASY with walltimes.

    Scheduling begins without trust: first come, first served, with candidates in the order of the
    queue and full walltimes. The rule trusts the estimates when their `Concordance` is at least
    `least`, and at most 0.1 below the concordance of the walltimes. It loses trust when the
    concordance falls 0.05 below this threshold. So random or constant estimates leave EASY's
    schedule nearly unchanged. A predictor that breaks down loses trust after enough ends of jobs.

    The concordance depends on the order of the estimates only, not on their size. Running jobs must
    be planned with walltimes, because a new plan for a running job could break reservations.

    The rule `inside` chooses jobs while the estimates are trusted. Each change of trust is written
    to `log`.
    """

    def __init__(self, inside: Backfilling, *, least: float, log: TrustLog) -> None:
        self.plans = True
        # `only_fitting` is false, because the first job of the queue depends on the trust
        self.remembers = self.only_fitting = self.asks = False
        self.inside = inside
        self._easy = Easy()
        self.least = least
        self._concordance = Concordance()
        # by number: the jobs that are planned with their walltimes instead of their estimates
        self._kept: dict[int, Job] = {}
        self.trusts = False
        self.log = log

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine; see `Backfilling`."""
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
                # waiting jobs get their estimates back; running jobs stay planned with walltimes
                for waiting in list(self._kept.values()):
                    if waiting.started < 0.0:
                        waiting.backfilling = waiting.kept_estimate
                        del self._kept[waiting.number]

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Report the corrected estimate to the inner rule; see `Backfilling`."""
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
