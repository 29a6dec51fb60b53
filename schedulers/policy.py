"""The policy engine: order x backfilling x estimates x correction x allocation."""

from bisect import insort
from collections.abc import Mapping

from schedulers.allocation import LowestFree
from schedulers.backfilling import Backfilling
from schedulers.corrections import Correction, Overrun
from schedulers.decisions import CallAt, Decision, Refuse, Request, Start
from schedulers.errors import SchedulerError
from schedulers.estimates import UNKNOWN, EstimateSource, FromWalltime, Learning, predictors_of
from schedulers.job import Job
from schedulers.orders import Order
from schedulers.orders.fcfs import Fcfs
from schedulers.plan import Plan

ROLES = ("queueing", "backfilling", "draining")
"""What an estimate is used for: the order, the candidate, the jobs that run."""

NEVER = float("inf")


class CombinedPolicy:
    """A scheduler made of parts.

    The queue is gone through when a job is submitted or has ended. Estimates are soft: they are
    planned with, nothing is killed by them, and one that a job outlives is corrected at the moment
    it runs out, by a call that the policy asks for.

    Parameters
    ----------
    order
        In which order jobs wait.
    backfilling
        Which of them may start now.
    estimates
        A source of estimates for each of `ROLES`.
    correction
        The new estimate of a job that outlives its own.
    call_margin
        How long after a planned end the call for its correction is asked for, in seconds: where
        the report of an end takes time, a job that ends as planned must not be corrected.
    """

    def __init__(
        self,
        order: Order,
        backfilling: Backfilling,
        *,
        estimates: Mapping[str, EstimateSource],
        correction: Correction,
        call_margin: float = 0.0,
    ) -> None:
        self._order = order
        self._backfilling = backfilling
        self._queueing, self._backfill, self._draining = (estimates[role] for role in ROLES)
        self._one_source = self._queueing is self._backfill is self._draining
        self._walltimes_only = self._one_source and isinstance(self._queueing, FromWalltime)
        self._correction = correction
        self._call_margin = call_margin
        self._by_id = order.by_id
        # first come, first served needs no search for a job's place in the queue
        self._in_place = not order.changes and not isinstance(order, Fcfs)
        self._learning = Learning(predictors_of(estimates.values()))
        self._learns = bool(self._learning)
        self.needs_fields = any(source.needs_fields for source in estimates.values())
        self._queue: list[Job] = []
        self._running: dict[str, Job] = {}
        self._plan = Plan()
        self._plans = backfilling.plans
        self._corrects = self._plans and not isinstance(self._draining, FromWalltime)
        self._called_at = NEVER
        self._number = 0

    def begin(self, processors: int) -> None:
        """Take over an idle machine; see `Policy`."""
        self._processors = processors
        self._allocation = LowestFree(processors)

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request; see `Policy`."""
        now = request.now
        decisions: list[Decision] = []
        for job_id in request.ended:
            self._end(job_id, now)
        if self._corrects:
            self._correct_overruns(now)
        submitted = request.submitted
        if submitted:
            if self._by_id and len(submitted) > 1:
                submitted = sorted(submitted, key=lambda job: job.id)
            for job in submitted:
                self._submit(job, now, decisions)
        if submitted or request.ended:
            self._start_jobs(now, decisions)
        if self._corrects:
            self._ask_for_call(now, decisions)
        return decisions

    def _end(self, job_id: str, now: float) -> None:
        job = self._running.pop(job_id)
        self._allocation.release(job.intervals)
        if self._plans:
            self._plan.remove(job)
        if self._learns:
            self._learning.ended(job, now)

    def _submit(self, job: Job, now: float, decisions: list[Decision]) -> None:
        self._number = job.number = self._number + 1
        if job.processors > self._processors:
            decisions.append(
                Refuse(
                    now,
                    job.id,
                    f"asks for {job.processors} processors; the machine has {self._processors}",
                )
            )
            return
        if self._walltimes_only:
            walltime = job.walltime
            job.queueing = job.backfilling = job.draining = (
                UNKNOWN if walltime is None else walltime
            )
        else:
            job.queueing = self._queueing.estimate(job, now)
            if self._one_source:
                job.backfilling = job.draining = job.queueing
            else:
                job.backfilling = self._backfill.estimate(job, now)
                job.draining = self._draining.estimate(job, now)
            if self._learns:
                self._learning.submitted(job, now)
        if self._plans and UNKNOWN in (job.draining, job.backfilling):
            decisions.append(Refuse(now, job.id, "has neither a walltime nor an estimate"))
            if self._learns:
                self._learning.withdrawn(job, now)
            return
        queue = self._queue
        if self._in_place and queue:
            key = self._order.key
            if key(queue[-1], now) > key(job, now):
                insort(queue, job, key=lambda other: key(other, now))
                return
        queue.append(job)

    def _start_jobs(self, now: float, decisions: list[Decision]) -> None:
        queue = self._queue
        free = self._allocation.free
        if not queue or not free:
            return
        if self._order.changes:
            key = self._order.key
            queue.sort(key=lambda job: (key(job, now), job.number))
        for job in self._backfilling.choose(queue, free, self._plan, now):
            job.started = now
            job.intervals = intervals = self._allocation.allocate(job.processors)
            self._running[job.id] = job
            if self._plans and job.planned_end < 0.0:
                job.planned_end = now + job.draining
                self._plan.add(job)
            if self._learns:
                self._learning.started(job, now)
            decisions.append(Start(now, job.id, intervals))

    def _correct_overruns(self, now: float) -> None:
        """Give each running job whose estimate has run out a new one."""
        lead = self._correction.lead
        due = []
        for planned_end, _, job in self._plan.ends:
            if planned_end - lead + self._call_margin > now:
                break
            if job.walltime is None or job.draining < job.walltime:
                due.append(job)
        for job in due:
            self._correct(job, now)

    def _correct(self, job: Job, now: float) -> None:
        if not job.corrections:
            job.first_estimate = job.draining
        overrun = Overrun(
            elapsed=now - job.started,
            estimate=job.draining,
            first_estimate=job.first_estimate,
            walltime=job.walltime,
            corrections=job.corrections,
            submission=job.submission,
        )
        estimate = self._correction.correct(overrun)
        longest = NEVER if job.walltime is None else job.walltime
        if not overrun.elapsed < estimate <= longest and estimate != longest:
            raise SchedulerError(
                f"the correction of job '{job.id}' answered {estimate!r} s; it must be above the "
                f"{overrun.elapsed} s that the job has run, and at most its walltime"
            )
        self._plan.remove(job)
        job.draining = estimate
        job.corrections += 1
        job.planned_end = job.started + estimate
        self._plan.add(job)

    def _ask_for_call(self, now: float, decisions: list[Decision]) -> None:
        """Ask for a call at the next date at which an estimate runs out."""
        if self._called_at <= now:
            self._called_at = NEVER
        for planned_end, _, job in self._plan.ends:
            if job.walltime is not None and job.draining >= job.walltime:
                continue
            at = planned_end - self._correction.lead + self._call_margin
            if at < self._called_at and at > now:
                self._called_at = at
                decisions.append(CallAt(now, at))
            return
