"""Scheduling by estimates only while they tell short jobs from long ones."""

from operator import attrgetter

from schedulers.backfilling.backfilling import Backfilling, at_worst, take_out
from schedulers.backfilling.concordance import Concordance
from schedulers.backfilling.easy import Easy
from schedulers.backfilling.plan import Plan
from schedulers.backfilling.trust_log import TrustLog
from schedulers.job import Job
from schedulers.machine.machine import Machine

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
        self._inside = inside
        self._easy = Easy()
        self._least = least
        self._concordance = Concordance()
        # of the jobs that were planned by their walltimes instead, with the jobs, by number
        self._estimates: dict[int, tuple[Job, float]] = {}
        self.trusts = False
        self._log = log

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self._inside.begin(machine)
        self._easy.begin(machine)

    def ended(self, job: Job, now: float) -> None:
        """Compare the estimate of a job that ended; see `Concordance`."""
        self._inside.ended(job, now)
        seen = self._concordance
        _, estimate = self._estimates.pop(job.number, (job, job.backfilling))
        seen.ended(estimate, now - job.started, walltime=at_worst(job))
        concordance, of_walltimes = seen.of_estimates, seen.of_walltimes
        least = max(self._least, of_walltimes - WORSE) - self.trusts * HYSTERESIS
        if (concordance >= least) is not self.trusts:
            self.trusts = not self.trusts
            self._log.changed(now, concordance=concordance, of_walltimes=of_walltimes)
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
        self._inside.corrected(job, planned_end, now)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if self.trusts:
            return self._inside.choose(queue, plan, now)
        estimates = self._estimates
        for job in queue:
            if job.number not in estimates:
                estimates[job.number] = job, job.backfilling
                job.backfilling = at_worst(job)
        waiting = sorted(queue, key=_number)
        chosen = self._easy.choose(waiting, plan, now)
        take_out(queue, chosen)
        return chosen
