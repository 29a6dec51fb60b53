"""The scheduler: an order, a backfilling, estimates, a correction, a machine."""

from bisect import insort
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from schedulers.backfilling import Backfilling
from schedulers.backfilling.plan import Plan
from schedulers.core.changing_order import ChangingOrder
from schedulers.core.estimates import (
    UNKNOWN,
    EstimateSource,
    FromWalltime,
    Learning,
    fields_needed,
    predictors_of,
)
from schedulers.core.overruns import Overruns
from schedulers.corrections import Correction
from schedulers.decisions import Decision, Request
from schedulers.job import Job
from schedulers.journal import Journal
from schedulers.machine.block_log import BlockLog
from schedulers.machine.counting import Counting
from schedulers.machine.machine import NEVER, Machine
from schedulers.orders import Order
from schedulers.orders.fcfs import Fcfs
from workload_tools.batsim.decisions import CallLater, Execute, Reject

if TYPE_CHECKING:
    from schedulers.backfilling.trust_log import TrustLog

ROLES = ("queueing", "backfilling", "running")
RENAMED_ROLES = MappingProxyType({"draining": "running"})
"""The uses of an estimate: the order, the candidate, the jobs that run."""

NO_ESTIMATE = "has neither a walltime nor an estimate"


class Scheduler:
    """A scheduler made of parts.

    At each date of a simulation, or of a request, it hears of the jobs that have ended (`end`) and
    of those that were submitted (`submit`), and then says which jobs start (`choose`).

    It goes through the queue when a job was submitted or has ended, and when the backfilling wants
    it to (``next_pass``). Estimates are soft: it plans with them and never kills by them. An
    estimate that a job outlives is corrected as of the moment at which it runs out; a correction by
    itself starts no job.

    Parameters
    ----------
    order, backfilling, correction
        Its parts.
    estimates
        A source of estimates for each of `ROLES`.
    machine
        By default a counted one.
    by_id
        Whether the jobs of one date count as submitted in the order of their ids as text, as
        batsched has it, and not in that of the request.
    call_margin
        Seconds from a planned end to the call for its correction; ``None`` without calls. See
        `Overruns`.

    Attributes
    ----------
    refused : list of (Job, str)
        The jobs that can never run, and why, for the caller to take.
    calls : list of float
        The dates at which it wants to be called, in seconds, for the caller to take.
    """

    def __init__(
        self,
        order: Order,
        backfilling: Backfilling,
        *,
        estimates: Mapping[str, EstimateSource],
        correction: Correction,
        machine: Machine | None = None,
        by_id: bool = False,
        call_margin: float | None = None,
    ) -> None:
        self._order = order
        self._backfilling = backfilling
        self._estimates = estimates
        self._machine = Counting() if machine is None else machine
        # most orders need not be told of anything
        self._tell_submitted: Callable[[Job, float], None] | None
        self._tell_started: Callable[[Job, float], None] | None
        self._tell_ended: Callable[[Job, float], None] | None
        self._tell_submitted = getattr(order, "submitted", None)
        self._tell_started = getattr(order, "started", None)
        self._tell_ended = getattr(order, "ended", None)
        self._queueing, self._backfill, self._while_running = (estimates[role] for role in ROLES)
        one_source = self._queueing is self._backfill is self._while_running
        self._walltimes_only = one_source and isinstance(self._queueing, FromWalltime)
        self._changing = (
            ChangingOrder(order, only_fitting=getattr(backfilling, "only_fitting", False))
            if order.changes
            else None
        )
        self._by_id = by_id
        # first come, first served needs no search for a job's place in the queue
        self._in_place = not order.changes and not isinstance(order, Fcfs)
        self._learning = Learning(predictors_of(estimates.values()))
        self._learns = bool(self._learning)
        self.needs_fields = any(
            getattr(part, "needs_fields", False)
            for part in (order, backfilling, self._machine, *estimates.values())
        )
        self.fields_needed = fields_needed(estimates.values())
        self.journal: Journal | None = Journal()
        log = getattr(self._machine, "log", None)
        self.block_log: BlockLog | None = log if isinstance(log, BlockLog) else None
        self.trust_log: TrustLog | None = None
        self.refused: list[tuple[Job, str]] = []
        self.calls: list[float] = []
        self._queue: list[Job] = []
        self._plan = Plan()
        self._plans = backfilling.plans
        self._overruns = (
            Overruns(correction, self._plan, corrected=backfilling.corrected, margin=call_margin)
            if self._plans and correction.asks and not isinstance(self._while_running, FromWalltime)
            else None
        )
        self._asks_early = correction.lead > 0.0
        self._next_pass: Any = getattr(backfilling, "next_pass", None)
        self._called_at = self._pass_at = NEVER
        self._valid_for = self._while_running.valid_for if self._plans else UNKNOWN
        self._number = 0
        # of the present date: whether corrections are made, and whether anything has happened
        self._settled = self._corrected = self._acts = False
        # only of those whose ends come by name
        self._running: dict[str, Job] = {}

    def begin(self, processors: int) -> None:
        """Take over an idle machine; see `Policy`."""
        self._machine.begin(processors)
        self._backfilling.begin(self._machine)
        begin = getattr(self._order, "begin", None)
        if begin is not None:
            begin(processors)

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request; see `Policy`."""
        now, running = request.now, self._running
        for job_id in request.ended:
            job = running.pop(job_id)
            self.end(job, now)
            assert self.journal is not None
            self.journal.add(job)
        if request.submitted:
            self.submit(request.submitted, now)
        started = self.choose(now)
        decisions: list[Decision] = [Reject(now, job.id, why) for job, why in self.refused]
        for job in started:
            running[job.id] = job
            decisions.append(Execute(now, job.id, job.intervals))
        decisions += [CallLater(now, at) for at in self.calls]
        self.refused.clear()
        self.calls.clear()
        return decisions

    def _come_to(self, now: float) -> None:
        """Make the corrections that were due before a date."""
        if not self._settled and self._overruns is not None:
            self._settled = True
            self._overruns.settle_before(now)

    def _correct(self, now: float) -> None:
        """Make the corrections that are due at a date, whose ends are known by now."""
        if not self._corrected and self._overruns is not None:
            self._come_to(now)
            self._corrected = True
            self._overruns.correct(now)

    def end(self, job: Job, now: float) -> None:
        """Take a job that has ended from the machine, and let the predictors learn from it."""
        self._come_to(now)
        self._acts = True
        self._machine.give_back(job)
        if self._tell_ended is not None:
            self._tell_ended(job, now)
        if self._plans:
            self._plan.remove(job)
            self._backfilling.ended(job, now)
        if self._learns:
            self._learning.ended(job, now)
        if self.block_log is not None:
            self.block_log.ended(job, now)

    def submit(self, jobs: list[Job], now: float) -> None:
        """Let the jobs of a date wait, or refuse them."""
        self._correct(now)
        self._acts = True
        if self._by_id and len(jobs) > 1:
            refusal = self._machine.refusal
            # those that are too large first, as they were told: batsched does not queue them
            jobs = sorted(jobs, key=lambda job: job.id if refusal(job) is None else "")
        for job in jobs:
            self._number = job.number = self._number + 1
            refused = self._submit(job, now)
            if refused is not None:
                self.refused.append((job, refused))

    def choose(self, now: float) -> list[Job]:
        """Return the jobs that start now, with the processors that they get (`Job.intervals`)."""
        self._correct(now)
        acts = self._acts
        self._settled = self._corrected = self._acts = False
        started: list[Job] = []
        # asked first: one that was due has come, whatever else has happened
        if self._is_called(now) or acts:
            self._start_jobs(now, started)
        overruns = self._overruns
        if overruns is not None:
            if self._asks_early:
                # one that has just started with a short estimate may be due at once
                overruns.correct(now)
            at = overruns.next_call(now)
            if at is not None:
                self.calls.append(at)
        if self._next_pass is not None:
            self._ask_for_pass(now)
        return started

    def _is_called(self, now: float) -> bool:
        """Say whether the backfilling still wants the pass that it was to be called for."""
        if self._called_at > now:
            return False
        self._called_at = NEVER
        return self._pass_at <= now

    def _ask_for_pass(self, now: float) -> None:
        """Ask to be called when the backfilling wants to go through the queue by itself."""
        changes = self._changing is not None
        at: float = self._next_pass(len(self._queue), now, order_changes=changes)
        self._pass_at = at
        if now < at < self._called_at:
            self._called_at = at
            self.calls.append(at)

    def _submit(self, job: Job, now: float) -> str | None:
        """Let a job wait, or say why it can't."""
        refusal = self._refusal(job, now)
        if refusal is not None:
            return refusal
        if self._walltimes_only:
            walltime = job.walltime
            job.queueing = job.backfilling = job.running = job.first_estimate = (
                UNKNOWN if walltime is None else walltime
            )
        else:
            self._estimate(job, now)
        if self._plans and UNKNOWN in (job.running, job.backfilling):
            if self._learns:
                self._learning.withdrawn(job, now)
            return NO_ESTIMATE
        if self._tell_submitted is not None:
            self._tell_submitted(job, now)
        queue = self._queue
        if self._in_place and queue:
            key = self._order.key
            if key(queue[-1], now) > key(job, now):
                insort(queue, job, key=lambda other: key(other, now))
                return None
        queue.append(job)
        return None

    def _refusal(self, job: Job, now: float) -> str | None:
        """Say why a job can't be queued at all."""
        del now
        return self._machine.refusal(job)

    def _estimate(self, job: Job, now: float) -> None:
        queueing, backfill, running = self._queueing, self._backfill, self._while_running
        # each source is asked once, however many roles it has
        job.queueing = queueing.estimate(job, now)
        job.backfilling = job.queueing if backfill is queueing else backfill.estimate(job, now)
        if running is backfill:
            job.running = job.backfilling
        else:
            job.running = job.queueing if running is queueing else running.estimate(job, now)
        job.first_estimate = job.running
        if self._learns:
            self._learning.submitted(job, now)

    def _start_jobs(self, now: float, started: list[Job]) -> None:
        """Go through the queue, and add the jobs that start."""
        queue = self._queue
        if not queue:
            return
        machine, changing = self._machine, self._changing
        if changing is not None:
            ordered = changing.ordered(queue, machine.free, now)
            chosen = self._backfilling.choose(ordered, self._plan, now)
            changing.take_out(queue, chosen)
        else:
            chosen = self._backfilling.choose(queue, self._plan, now)
        for job in chosen:
            job.started = now
            job.intervals = machine.allocate(job)
            if self._tell_started is not None:
                self._tell_started(job, now)
            if self._plans and job.planned_end < 0.0:
                job.planned_end = now + job.running
                self._plan.add(job)
            if now - job.submit_time > self._valid_for:
                self._estimate_again(job, now)
            if self._learns:
                self._learning.started(job, now)
            started.append(job)

    def _estimate_again(self, job: Job, now: float) -> None:
        """Replace the estimate of a job that starts, since the one that it was given is old."""
        estimate = self._while_running.estimate(job, now)
        if estimate == job.running:
            return
        planned_end = job.planned_end
        self._plan.remove(job)
        job.running = job.first_estimate = estimate
        job.planned_end = now + estimate
        self._plan.add(job)
        self._backfilling.corrected(job, planned_end, now)
