"""A record of what a policy planned on the way to its schedule: promises, corrections, heads.

A schedule says when jobs ran, and the journal how each was planned in the end; why a job waited is
seen from what was planned in between. Nothing is changed by it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from schedulers.backfilling import Backfilling
from schedulers.backfilling.trust_log import TrustLog
from schedulers.core.job import Job
from schedulers.core.machine import Machine
from schedulers.core.plan import Plan
from schedulers.decisions import Decision, Policy, Request
from schedulers.orders import Order


class Promised(NamedTuple):
    """A start that a waiting job was promised: from when on, and when it was to be, in seconds.

    `before` is the date of the pass through the queue before that.
    """

    at: float
    start: float
    before: float


class Corrected(NamedTuple):
    """A running job whose estimate was replaced: when, and its planned ends, in seconds."""

    at: float
    job: str
    before: float
    after: float


class HeadOfQueue(NamedTuple):
    """The first job of the queue (empty: none) from a date on, and its promised start, or -1."""

    at: float
    job: str
    start: float


@dataclass(eq=False)
class Recording:
    """A record of what a policy plans; `make_policy` puts it where it sees that."""

    order: Order | None = None
    """``None`` where the policy is no combination of parts."""
    jobs: dict[str, Job] = field(default_factory=dict)
    """The jobs that started, by their full names, as in all that follows."""
    promises: dict[str, list[Promised]] = field(default_factory=dict)
    """The promises to each job in their order; one that repeats the one before is left out."""
    corrections: list[Corrected] = field(default_factory=list)
    heads: list[HeadOfQueue] = field(default_factory=list)
    """One for each change."""
    started_by_bound: set[str] = field(default_factory=set)
    """The jobs that started at a place which a bound on waiting had given them."""
    trust_log: TrustLog | None = None
    """The periods in which the estimates were used; ``None`` where they always are."""
    last_pass: float = 0.0
    """The date of the last pass through the queue, in seconds."""

    def promised(self, job: str, start: float, now: float) -> None:
        """Note what a job is promised, if that is new."""
        known = self.promises.setdefault(job, [])
        if not known or known[-1].start != start:
            known.append(Promised(now, start, self.last_pass))

    def passed(self, job: str, start: float, now: float) -> None:
        """Note the end of a pass, and who is first in the queue then, if that is new."""
        self.last_pass = now
        heads = self.heads
        if not heads or heads[-1].job != job or heads[-1].start != start:
            heads.append(HeadOfQueue(now, job, start))


class WatchedBackfilling(Backfilling):
    """Records what the backfilling inside does; see `Backfilling`."""

    def __init__(self, inside: Backfilling, order: Order, *, recording: Recording) -> None:
        self.plans = inside.plans
        self.remembers = inside.remembers
        self.only_fitting = inside.only_fitting
        self.asks = inside.asks
        self.needs_fields = getattr(inside, "needs_fields", False)
        self._inside = inside
        self._recording = recording
        recording.order = order

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine."""
        self._inside.begin(machine)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start, and note them and what the others are promised."""
        recording = self._recording
        chosen = self._inside.choose(queue, plan, now)
        for job in chosen:
            recording.jobs[job.id] = job
        for job in getattr(self._inside, "started_by_bound", ()):
            recording.started_by_bound.add(job.id)
        # one that needs no more than the first of those that do not fit promises nobody else
        for jobs in (chosen, queue[:1] if self.only_fitting else queue):
            for job in jobs:
                if job.last_promise >= 0.0:
                    recording.promised(job.id, job.last_promise, now)
        head = queue[0] if queue else None
        recording.passed(head.id if head else "", head.last_promise if head else -1.0, now)
        return chosen

    def ended(self, job: Job, now: float) -> None:
        """Tell the backfilling inside."""
        self._inside.ended(job, now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Tell the backfilling inside."""
        self._inside.withdrawn(job, now)

    def changed(self, plan: Plan, now: float) -> None:
        """Tell the backfilling inside."""
        self._inside.changed(plan, now)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Ask the backfilling inside."""
        return self._inside.next_pass(waiting, now, order_changes)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Record a correction, and tell the backfilling inside."""
        self._recording.corrections.append(Corrected(now, job.id, planned_end, job.planned_end))
        self._inside.corrected(job, planned_end, now)


class Promising(Policy, Protocol):
    """A policy that tells what it has promised."""

    def promised(self) -> Iterable[tuple[str, float]]:
        """Return the full names of waiting jobs and the starts they are promised, in seconds.

        In the order of the queue, and the first of the queue is the first of them.
        """
        ...


class WatchedPolicy:
    """Records what the policy inside promises; see `Policy`."""

    def __init__(self, inside: Promising, recording: Recording) -> None:
        self.needs_fields = inside.needs_fields
        self.journal = inside.journal
        self._inside = inside
        self._recording = recording

    def begin(self, processors: int) -> None:
        """Start with an idle machine."""
        self._inside.begin(processors)

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request, and record what is promised."""
        recording, now = self._recording, request.now
        recording.jobs.update((job.id, job) for job in request.submitted)
        decisions = self._inside.decide(request)
        head, at = "", -1.0
        for place, (job, start) in enumerate(self._inside.promised()):
            recording.promised(job, start, now)
            if not place:
                head, at = job, start
        recording.passed(head, at, now)
        return decisions
