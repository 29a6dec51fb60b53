"""The scheduler combines an order, a backfilling rule, estimates, a correction and a machine."""

from collections.abc import Mapping
from types import MappingProxyType

from schedulers.core.backfilling import Backfilling
from schedulers.core.constants import NEVER
from schedulers.core.corrections import Correction
from schedulers.core.counting import Counting
from schedulers.core.estimates import (
    UNKNOWN,
    EstimateSource,
    FromWalltime,
    Learning,
    fields_needed,
    predictors_of,
)
from schedulers.core.job import Job, Plan, by_key, by_number, take_out
from schedulers.core.machine import Machine
from schedulers.core.orders import Fcfs, Order
from schedulers.core.overruns import Overruns
from schedulers.decisions import Decision, Request
from schedulers.journal import BlockLog, Journal, TrustLog
from workload_tools.batsim.decisions import CallLater, Execute, Reject

ROLES = ("queueing", "backfilling", "running")
"""The three uses of an estimate: to sort the queue, to backfill, and to plan running jobs."""
RENAMED_ROLES = MappingProxyType({"draining": "running"})
"""The new name of each renamed role."""

LONG = 30 * 86400.0
"""If no job is submitted, starts or ends for this long (seconds), periodic passes become rarer."""
RARER = 1000.0
"""The next periodic pass then comes after 1/`RARER` of the time since the last event."""

NO_ESTIMATE = "has neither a walltime nor an estimate"


class Scheduler:
    """A scheduler made of parts.

    At each date the caller reports the jobs that ended (`end`) and the jobs that were submitted
    (`submit`). Then `choose` returns the jobs that start.

    A scheduling pass goes through the queue. A pass follows each submission and each end of a job.
    The backfilling rule can request more passes (``next_pass``). Estimates are soft limits: the
    scheduler plans with them and never kills a job by them. When a running job reaches its
    estimate, the correction replaces the estimate at that moment. A correction triggers no pass.

    `refused` lists the jobs that can never run, with the reasons. `calls` lists the dates in
    seconds at which the scheduler wants to be called. The caller empties `refused` and `calls`.

    Parameters
    ----------
    order, backfilling, correction
        The rules that sort the queue, choose the jobs to start, and correct estimates.
    estimates
        A source of estimates for each of `ROLES`.
    machine
        The machine; by default it only counts processors.
    by_id
        Sort jobs that are submitted at one date by their ids as text, as batsched does. Otherwise
        they keep the order in which the request lists them.
    call_margin
        The seconds from a planned end to the call that corrects the estimate. ``None``: the
        scheduler requests no calls. See `Overruns`.
    """

    OPTIONS = dict.fromkeys(
        ("order", "backfilling", "estimates", "correction", "machine", "by_id", "call_margin")
    )

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
        self._machine = Counting() if machine is None else machine
        # most orders have none of these methods
        self._tell_submitted = getattr(order, "submitted", None)
        self._tell_started = getattr(order, "started", None)
        self._tell_ended = getattr(order, "ended", None)
        self._queueing, self._backfill, self._while_running = (estimates[role] for role in ROLES)
        one_source = self._queueing is self._backfill is self._while_running
        self._walltimes_only = one_source and isinstance(self._queueing, FromWalltime)
        self._changes = bool(order.changes)
        self._only_fitting = backfilling.only_fitting
        self._by_id = by_id
        # with first come, first served, a new job goes to the end without a search
        self._in_place = not self._changes and not isinstance(order, Fcfs)
        predictors = predictors_of(estimates.values())
        self._learning = Learning(predictors)
        self._learns = bool(predictors)
        parts = (order, backfilling, self._machine, *estimates.values())
        self.needs_fields = any([getattr(part, "needs_fields", False) for part in parts])
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
            Overruns(correction, self._plan, backfilling, margin=call_margin)
            if self._plans and correction.asks and not isinstance(self._while_running, FromWalltime)
            else None
        )
        self._asks_early = correction.lead > 0.0
        self._called_at = self._pass_at = NEVER
        # the date of the last submission, start, end, or request of a call for a correction
        self._last_event = 0.0
        self._valid_for = self._while_running.valid_for if self._plans else UNKNOWN
        self._number = 0
        # at the current date: were earlier and present corrections made, and has a job come or gone
        self._settled = self._corrected = self._acts = False
        # the running jobs by id, for `decide`: requests name ended jobs by their ids
        self._running: dict[str, Job] = {}

    def begin(self, processors: int) -> None:
        """Start with an idle machine; see `Policy`."""
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
        """Make the corrections that were due before this date."""
        if not self._settled and self._overruns is not None:
            self._settled = True
            self._overruns.settle_before(now)

    def _correct(self, now: float) -> None:
        """Make the corrections that are due now. All jobs that end now must have been reported."""
        if not self._corrected and self._overruns is not None:
            self._come_to(now)
            self._corrected = True
            self._overruns.correct(now)

    def end(self, job: Job, now: float) -> None:
        """Free the processors of an ended job and let the predictors learn from it."""
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
        """Add the jobs submitted at this date to the queue, or refuse them."""
        self._correct(now)
        self._acts = True
        if self._by_id and len(jobs) > 1:
            jobs = sorted_by_id(jobs, self._machine)
        for job in jobs:
            self._number = job.number = self._number + 1
            refused = self._submit(job, now)
            if refused is not None:
                self.refused.append((job, refused))

    def choose(self, now: float) -> list[Job]:
        """Return the jobs that start now, with their processors in `Job.intervals`."""
        self._correct(now)
        acts = self._acts
        self._settled = self._corrected = self._acts = False
        started: list[Job] = []
        called = False
        if self._called_at <= now:
            # the backfilling rule may no longer want the pass for which it requested this call
            self._called_at = NEVER
            called = self._pass_at <= now
        if called or acts:
            self._start_jobs(now, started)
        if acts or started:
            self._last_event = now
        overruns = self._overruns
        if overruns is not None:
            if self._asks_early:
                # a job that has just started may already need a correction
                overruns.correct(now)
            if overruns.asks_for_calls:
                at = overruns.next_call(now)
                if at < NEVER:
                    self._last_event = now
                    self.calls.append(at)
        if self._backfilling.asks:
            self._ask_for_pass(now)
        return started

    def _ask_for_pass(self, now: float) -> None:
        """Ask for a call at the next date at which the backfilling rule wants a pass."""
        at = self._backfilling.next_pass(len(self._queue), now, self._changes)
        quiet = now - self._last_event
        if quiet > LONG and at < NEVER:
            at = max(at, now + quiet / RARER)
        self._pass_at = at
        if now < at < self._called_at:
            self._called_at = at
            self.calls.append(at)

    def _submit(self, job: Job, now: float) -> str | None:
        """Add a job to the queue, or return the reason for which it is refused."""
        refusal = self._refusal(job, now)
        if refusal is not None:
            return refusal
        if self._walltimes_only:
            job.queueing = job.backfilling = job.running = job.first_estimate = job.walltime
        else:
            self._estimate(job, now)
        if self._plans and (job.running == UNKNOWN or job.backfilling == UNKNOWN):
            if self._learns:
                self._learning.notify("withdrawn", job, now)
            return NO_ESTIMATE
        if self._tell_submitted is not None:
            self._tell_submitted(job, now)
        queue = self._queue
        if not self._in_place:
            queue.append(job)
            return None
        job.key = self._order.key(job, now)
        low, high = 0, len(queue)
        while low < high:
            middle = (low + high) >> 1
            other = queue[middle]
            if other.key <= job.key:
                low = middle + 1
            else:
                high = middle
        queue.insert(low, job)
        return None

    def _refusal(self, job: Job, now: float) -> str | None:
        """Return why a job can never run, or ``None`` if it can."""
        return self._machine.refusal(job)

    def _estimate(self, job: Job, now: float) -> None:
        queueing, backfill, running = self._queueing, self._backfill, self._while_running
        # a source with several roles makes one estimate for all of them
        job.queueing = queueing.estimate(job, now)
        job.backfilling = job.queueing if backfill is queueing else backfill.estimate(job, now)
        if running is backfill:
            job.running = job.backfilling
        else:
            job.running = job.queueing if running is queueing else running.estimate(job, now)
        job.first_estimate = job.running
        if self._learns:
            self._learning.notify("submitted", job, now)

    def _start_jobs(self, now: float, started: list[Job]) -> None:
        """Go through the queue and append the jobs that start to `started`."""
        queue = self._queue
        if not queue:
            return
        machine = self._machine
        if self._changes:
            chosen = self._backfilling.choose(self._ordered(now), self._plan, now)
            take_out(queue, chosen)
        else:
            chosen = self._backfilling.choose(queue, self._plan, now)
        for job in chosen:
            job.started = now
            job.intervals = machine.allocate(job)
            if self._tell_started is not None:
                self._tell_started(job, now)
            if self._plans and job.planned_end < 0.0:
                self._plan.start(job, now)
            if now - job.submit_time > self._valid_for:
                self._estimate_again(job, now)
            if self._learns:
                self._learning.notify("started", job, now)
            started.append(job)

    def _ordered(self, now: float) -> list[Job]:
        """Return the waiting jobs in priority order.

        If the backfilling rule needs only jobs that fit, the list has these jobs and the first job
        that does not fit. The queue itself stays in the order of submission, which breaks ties.
        """
        free = self._machine.free
        jobs: list[Job] = []
        first = None
        for job in self._queue:
            job.key = self._order.key(job, now)
            if job.processors <= free or not self._only_fitting:
                jobs.append(job)
            elif first is None or job.key < first.key:
                first = job
        if first is not None:
            jobs.append(first)
            if len(jobs) > 1:
                jobs.sort(key=by_number)
        jobs.sort(key=by_key)
        return jobs

    def _estimate_again(self, job: Job, now: float) -> None:
        """Replace the estimate of a starting job, because its first estimate is too old."""
        estimate = self._while_running.estimate(job, now)
        if estimate == job.running:
            return
        planned_end = job.planned_end
        self._plan.remove(job)
        job.running = job.first_estimate = estimate
        job.planned_end = now + estimate
        self._plan.add(job)
        self._backfilling.corrected(job, planned_end, now)


def sorted_by_id(jobs: list[Job], machine: Machine) -> list[Job]:
    """Return the jobs of one date sorted by their ids as text, as batsched does.

    Jobs that can never run come first, in their given order, because batsched never queues them.
    """
    return sorted(jobs, key=lambda job: job.id if machine.refusal(job) is None else "")
