"""The scheduler of a site: it applies the site's rules before priority order and backfilling."""

import math
from typing import Any

from schedulers.backfilling import Backfilling
from schedulers.core.job import Job, by_key, by_number, take_out
from schedulers.core.machine import NEVER, Machine
from schedulers.core.scheduler import Scheduler
from schedulers.errors import SchedulerError
from schedulers.foreign import require
from schedulers.orders import Order
from schedulers.site.gate import Gate
from schedulers.site.gated_machine import GatedMachine, StoppedJobs

TIME_LIMIT = "time_limit"
"""The field with the seconds after which a job is killed, even before its walltime."""

QUIET = 366 * 86400.0
"""After this many seconds without an event, windows no longer cause passes."""


class SiteScheduler(Scheduler):
    """A `Scheduler` whose queue holds only the jobs that a site's rules let start.

    A job that a rule stops is not in the queue of the backfilling rule. The job gets no
    reservation, does not count in the backlog and stops no other job. Its waiting time continues.
    One exception: a backfilling rule with ``set_stopped`` (OpenPBS) also plans jobs that only
    limits stop.

    If a limit is reached during a pass and stops the next job that has room, the pass ends. Another
    pass begins at the same date without this job. A backfilling rule with ``skips_limited`` (Slurm)
    continues the pass without the job instead. The scheduler also makes a pass when a rule may have
    changed. If the site has a `cycle`, passes are made only at its multiples.

    A machine that changes over time has the methods ``look(now)``, which says whether it has
    changed, and ``next_change(now)``, which returns a date in seconds. It may have
    ``lasting_refusal(job)``, which returns the date from which on the job never has room, and the
    reason. A machine of nodes has ``node_count(job)`` and ``gpu_count(job)``, which return how many
    nodes and GPUs a job has.
    """

    def __init__(
        self,
        order: Order,
        backfilling: Backfilling,
        *,
        gate: Gate,
        machine: Machine,
        **others: Any,  # noqa: ANN401 - as `Scheduler` has them
    ) -> None:
        self._remembers = backfilling.remembers
        if self._remembers:
            require("backfilling on a site", backfilling, "withdrawn", "changed")
        self._skips = getattr(backfilling, "skips_limited", False)
        # a rule with `only_fitting` plans a start only for the first job, by `reserve`
        promises = not backfilling.only_fitting
        gated = GatedMachine(machine, gate, promises=promises, skips=self._skips)
        super().__init__(order, backfilling, machine=gated, **others)
        self.needs_fields = True
        self._gate = gate
        self._gated = gated
        set_stopped = getattr(backfilling, "set_stopped", None)
        if set_stopped is not None and gate.site.limits:
            set_stopped(StoppedJobs(gate, order.key))
        self._bare = machine
        self._cycle = gate.site.cycle
        self._look = getattr(machine, "look", None)
        self._next_change = getattr(machine, "next_change", None)
        self._lasting_refusal = getattr(machine, "lasting_refusal", None)
        names = {"nodes": "node_count", "gpus": "gpu_count"}
        had = {of: getattr(machine, name, None) for of, name in names.items()}
        gate.count_by({of: count for of, count in had.items() if count is not None})
        self._by_time = gate.by_time or self._next_change is not None
        self.stop_log = gate.log
        self._wake = NEVER
        # whether `_wake` was computed without the windows
        self._quiet = False
        self._due = False
        self._passes = True

    def begin(self, processors: int) -> None:
        """Start with an idle machine; see `Policy`."""
        size = self._gate.site.size
        if size not in (None, processors):
            raise SchedulerError(
                f"the site has {size} processors, but the platform has {processors}: use a site "
                "and a platform of the same machine"
            )
        Scheduler.begin(self, processors)

    def choose(self, now: float) -> list[Job]:
        """Return the jobs that start now; see `Scheduler`."""
        gate, acts = self._gate, self._acts
        woken = self._wake <= now
        if woken:
            self._wake = NEVER
            if self._quiet:
                # the call was requested without the windows, so it counts as an event
                self._last_event = now
        if self._cycle:
            # `woken` counts too: if messages take time, a call comes shortly after its date
            self._passes = woken or now == round(now / self._cycle) * self._cycle
        started = Scheduler.choose(self, now)
        if woken and not acts:
            self._start_jobs(now, started)
            if started or self.refused:
                self._last_event = now
            if self._backfilling.asks:
                self._ask_for_pass(now)
        changes = self._by_time or self._due or gate.held or gate.last_dates.first < NEVER
        if changes and (self._queue or gate.stops_any):
            self._ask(now)
        return started

    def _submit(self, job: Job, now: float) -> str | None:
        refused = Scheduler._submit(self, job, now)  # noqa: SLF001 - its own
        if refused is not None:
            self._gate.forget(job)
        elif self._gate.held and self._gate.is_held(job, now):
            take_out(self._queue, [job])
        return refused

    def _refusal(self, job: Job, now: float) -> str | None:
        # the scheduler treats the kill limit as the walltime
        limit = (job.fields or {}).get(TIME_LIMIT)
        if job.walltime < NEVER and isinstance(limit, int | float) and 0.0 < limit < job.walltime:
            job.walltime = float(limit)
        # the gate sets the default walltime and the partitions that accept the job
        refusal = self._gate.refusal(job, now)
        if refusal is not None:
            return refusal
        refusal = self._bare.refusal(job)
        if refusal is None and self._lasting_refusal is not None:
            last, why = self._lasting_refusal(job)
            if last <= now:
                refusal = why
            elif last < NEVER:
                self._gate.last_dates.add(job, last, f"would wait for ever: it {why}")
        if refusal is not None and self._gate.site.impossible == "waits":
            return f"would wait for ever: it {refusal}"
        return refusal

    def _reject_late(self, now: float) -> None:
        """Reject the waiting jobs that can never start from now on."""
        for job, why in self._gate.last_dates.reached(now):
            if job in self._queue:
                take_out(self._queue, [job])
                if self._remembers:
                    self._backfilling.withdrawn(job, now)
            if self._learns:
                self._learning.notify("withdrawn", job, now)
            self._gate.forget(job)
            self.refused.append((job, why))

    def _start_jobs(self, now: float, started: list[Job]) -> None:
        if self._gate.last_dates.first <= now:
            self._reject_late(now)
        self._due = not self._passes
        if self._due:
            return
        if self._look is not None and self._look(now) and self._remembers:
            self._backfilling.changed(self._plan, now)
        gated = self._gated
        gate = self._gate
        while True:
            if gate.has_changed(now):
                self._apply_rules(now)
            if not self._queue:
                break
            gated.begin_pass(self._queue, now)
            # a rule that keeps state between passes plans starts before it starts any job
            promises = {
                job.number: (job, job.first_promise, job.last_promise)
                for job in (self._queue if self._remembers else ())
            }
            Scheduler._start_jobs(self, now, started)  # noqa: SLF001 - its own
            gated.end_pass()
            if self._skips:
                # from now on, the skipped jobs count as stopped by the limit
                if gate.has_changed(now):
                    self._apply_rules(now)
                break
            # make another pass if a limit has ended this one, or stops a job with a reservation
            if not (gated.over or (gate.unsure and gated.free and gate.has_stopped_more())):
                break
            if promises:
                self._take_back(promises)

    def _take_back(self, promises: dict[int, tuple[Job, float, float]]) -> None:
        """Restore the old planned starts of jobs that a limit stops since this pass."""
        for number in self._gate.stopped_in_pass():
            if number in promises:
                job, first, last = promises[number]
                job.first_promise, job.last_promise = first, last

    def _apply_rules(self, now: float) -> None:
        """Remove the jobs that a rule stops from the queue, and put back the other jobs."""
        gate = self._gate
        gone: dict[int, Job] = {}
        back: dict[int, Job] = {}
        # either all jobs of a group are in the queue, or none
        new, released, touched = gate.to_look_at(now)
        for job in new:
            group = gate.group(job)
            if group.rule is not None:
                gone[job.number] = job
        for group in touched:
            before = group.rule
            if not gate.rule_changed(group, now):
                continue
            if before is None:
                gone |= group.jobs
            elif group.rule is None:
                back |= group.jobs
        for job in released:
            # the job was held, so it is not in the queue, also if a rule stops its group
            gone.pop(job.number, None)
            group = gate.group(job)
            if group.rule is None:
                back[job.number] = job
        if self._remembers:
            for job in gone.values():
                self._backfilling.withdrawn(job, now)
        if back or gone:
            self._requeue(back, gone, now)

    def _requeue(self, back: dict[int, Job], gone: dict[int, Job], now: float) -> None:
        """Remove the jobs in `gone` from the queue, and insert those in `back` at their places."""
        queue = []
        for job in self._queue:
            if job.number not in gone:
                queue.append(job)  # noqa: PERF401 - typed in C
        if back:
            queue += back.values()
            queue.sort(key=by_number)
            if self._in_place:
                for job in queue:
                    job.key = self._order.key(job, now)
                queue.sort(key=by_key)
        self._queue = queue

    def _ask(self, now: float) -> None:
        """Request a call at the next possible change of a rule or of the machine.

        If a pass is due that must wait for the site's cycle, request a call at the next cycle.
        """
        quiet = now - self._last_event > QUIET
        at = self._gate.next_change(now, quiet)
        if self._next_change is not None:
            at = min(at, self._next_change(now))
        cycle = self._cycle
        if cycle and self._due:
            quiet = False
            at = (math.floor(now / cycle) + 1) * cycle
        elif cycle and at < NEVER:
            at = math.ceil(at / cycle) * cycle
        if at < self._wake:
            self._wake = at
            self._quiet = quiet
            self.calls.append(at)
