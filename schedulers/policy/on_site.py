"""The policy engine on a site: the site's rules come before order and backfilling."""

import math
from typing import Any

from mypy_extensions import mypyc_attr

from schedulers.backfilling import Backfilling
from schedulers.backfilling.backfilling import take_out
from schedulers.decisions import Decision, Request
from schedulers.foreign import require
from schedulers.job import Job
from schedulers.machine.machine import NEVER, Machine
from schedulers.orders import Order
from schedulers.policy.changing_order import ChangingOrder
from schedulers.policy.combined import CombinedPolicy
from schedulers.site.gate import Gate
from schedulers.site.gated_machine import GatedMachine
from workload_tools.batsim.decisions import CallLater, Reject


@mypyc_attr(allow_interpreted_subclasses=True)
class PolicyOnSite(CombinedPolicy):
    """A `CombinedPolicy` that is told only of the jobs that a site's rules let start.

    A job that a rule stops is not in the queue that the backfilling sees: it gets no reservation,
    has no place, counts in no backlog, and stops nobody. Its wait goes on counting. When a limit
    is filled in a pass, so that it stops the next job that has room, the pass is over, and another
    one begins at the same date without that job. The queue is gone through as well when a rule may
    have changed; the policy asks to be called then, and with a `cycle` only at its multiples.

    Parameters
    ----------
    gate
        The site's rules.
    machine
        One that may change in time has ``look(now)``, which says whether it has, and
        ``next_change(now)``, in seconds.
    cycle
        Seconds between passes; 0: at each event.
    others
        See `CombinedPolicy`.
    """

    def __init__(
        self,
        order: Order,
        backfilling: Backfilling,
        *,
        gate: Gate,
        machine: Machine,
        **others: Any,  # noqa: ANN401 - as `CombinedPolicy` has them
    ) -> None:
        self._remembers = getattr(backfilling, "remembers", True)
        if self._remembers:
            require("backfilling on a site", backfilling, "withdrawn", "changed")
        self._remembering: Any = backfilling
        gated = GatedMachine(machine, gate)
        super().__init__(order, backfilling, machine=gated, **others)
        self.needs_fields = True
        self._gate = gate
        self._gated = gated
        self._bare = machine
        self._cycle = gate.site.cycle
        self._look = getattr(machine, "look", None)
        self._next_change = getattr(machine, "next_change", None)
        if order.changes:
            # the first that does not fit may be one that a rule stops
            self._changing = ChangingOrder(order, only_fitting=False)
        self.stop_log = gate.log
        # the jobs of the last pass that wait, by number, and the call that was asked for
        self._open: dict[int, Job] = {}
        self._wake = NEVER
        self._due = False
        self._passes = True

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request; see `Policy`."""
        now = request.now
        woken = self._wake <= now
        if woken:
            self._wake = NEVER
        cycle = self._cycle
        # where messages take time a call comes a little after its date
        self._passes = not cycle or woken or now == round(now / cycle) * cycle
        decisions = super().decide(request)
        if woken and not (request.submitted or request.ended):
            self._start_jobs(now, decisions)
        self._ask(now, decisions)
        return decisions

    def _end(self, job_id: str, now: float) -> None:
        job = self._running[job_id]
        super()._end(job_id, now)
        self._gate.ended(job)

    def _submit(self, job: Job, now: float, decisions: list[Decision]) -> None:
        super()._submit(job, now, decisions)
        if decisions and isinstance(decisions[-1], Reject) and decisions[-1].job_id == job.id:
            self._gate.ended(job)

    def _refusal(self, job: Job, now: float) -> str | None:
        refusal = self._bare.refusal(job)
        return self._gate.refusal(job, now) if refusal is None else refusal

    def _start_jobs(self, now: float, decisions: list[Decision]) -> None:
        self._due = not self._passes
        if self._due:
            return
        if self._look is not None and self._look(now) and self._remembers:
            self._remembering.changed(self._plan, now)
        self._gate.look(now)
        while self._queue:
            gated = self._gated
            super()._start_jobs(now, decisions)
            if not gated.over:
                break

    def _choose(self, queue: list[Job], now: float) -> list[Job]:
        """Let the backfilling choose among those that no rule stops."""
        gate, gated = self._gate, self._gated
        stopped, note = gate.stopped, gate.log.note
        able = []
        for job in queue:
            rule = stopped(job, now)
            note(job, rule, now)
            if rule is None:
                able.append(job)
        if self._remembers:
            waiting = {job.number: job for job in able}
            for number, job in self._open.items():
                if number not in waiting:
                    self._remembering.withdrawn(job, now)
            self._open = waiting
        gated.begin_pass(able, now)
        if not able:
            return []
        chosen = self._backfilling.choose(able, self._plan, now)
        gated.end_pass()
        if queue is self._queue:
            take_out(queue, chosen)
        for job in chosen:
            self._open.pop(job.number, None)
        return chosen

    def _ask(self, now: float, decisions: list[Decision]) -> None:
        """Ask to be called when a rule or the machine may have changed, or at the next cycle."""
        if not self._queue:
            return
        at = self._gate.next_change(self._queue, now)
        if self._next_change is not None:
            at = min(at, self._next_change(now))
        cycle = self._cycle
        if cycle and self._due:
            at = (math.floor(now / cycle) + 1) * cycle
        elif cycle and at < NEVER:
            at = math.ceil(at / cycle) * cycle
        if at < self._wake:
            self._wake = at
            decisions.append(CallLater(now, at))
