"""A record of a policy's plans over time: reservations, corrections, heads of the queue.

The schedule says when jobs ran, and the journal says how each job was planned in the end. The
recording adds the plans in between, which explain why a job waited. It changes no decision.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from schedulers.backfilling import Backfilling
from schedulers.core.job import Job, Plan
from schedulers.core.machine import Machine
from schedulers.decisions import Decision, Policy, Request
from schedulers.journal import TrustLog
from schedulers.orders import Order


class Promised(NamedTuple):
    """A planned start of a waiting job.

    `at` is the date of the plan, `start` the planned start, and `before` the date of the previous
    pass through the queue. All are in seconds.
    """

    at: float
    start: float
    before: float


class Corrected(NamedTuple):
    """A correction of a running job.

    `at` is the date of the correction, `before` the old planned end and `after` the new planned
    end. All are in seconds.
    """

    at: float
    job: str
    before: float
    after: float


class HeadOfQueue(NamedTuple):
    """The first job of the queue from the date `at` on, and its planned start (-1: none).

    `job` is empty if the queue is empty.
    """

    at: float
    job: str
    start: float


@dataclass(eq=False)
class Recording:
    """A record of a policy's plans. `make_policy` connects it to the policy."""

    order: Order | None = None
    """The policy's order; ``None`` if the policy is not a combination of parts."""
    jobs: dict[str, Job] = field(default_factory=dict)
    """The jobs that started, by full name. The other fields also use full names."""
    promises: dict[str, list[Promised]] = field(default_factory=dict)
    """The successive planned starts of each job, without repetitions."""
    corrections: list[Corrected] = field(default_factory=list)
    heads: list[HeadOfQueue] = field(default_factory=list)
    """An entry for each change of the first job or of its planned start."""
    started_by_bound: set[str] = field(default_factory=set)
    """The jobs that started in a reservation that the bound on waiting had made."""
    trust_log: TrustLog | None = None
    """The periods in which estimates were used; ``None`` if they are always used."""
    last_pass: float = 0.0
    """The date of the last pass through the queue, in seconds."""

    def promised(self, job: str, start: float, now: float) -> None:
        """Record a job's planned start, if it is new."""
        known = self.promises.setdefault(job, [])
        if not known or known[-1].start != start:
            known.append(Promised(now, start, self.last_pass))

    def passed(self, job: str, start: float, now: float) -> None:
        """Record the date of a pass that ended, and the head with its planned start if new."""
        self.last_pass = now
        heads = self.heads
        if not heads or heads[-1].job != job or heads[-1].start != start:
            heads.append(HeadOfQueue(now, job, start))


class WatchedBackfilling(Backfilling):
    """Records what the inner backfilling rule does; see `Backfilling`."""

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
        """Choose the jobs to start. Record these jobs, and the planned starts of waiting jobs."""
        recording = self._recording
        chosen = self._inside.choose(queue, plan, now)
        for job in chosen:
            recording.jobs[job.id] = job
        for job in getattr(self._inside, "started_by_bound", ()):
            recording.started_by_bound.add(job.id)
        # a rule with `only_fitting` plans a start only for the first job that does not fit
        for jobs in (chosen, queue[:1] if self.only_fitting else queue):
            for job in jobs:
                if job.last_promise >= 0.0:
                    recording.promised(job.id, job.last_promise, now)
        head = queue[0] if queue else None
        recording.passed(head.id if head else "", head.last_promise if head else -1.0, now)
        return chosen

    def ended(self, job: Job, now: float) -> None:
        """Report the end of a job to the inner rule."""
        self._inside.ended(job, now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Report a withdrawn job to the inner rule."""
        self._inside.withdrawn(job, now)

    def changed(self, plan: Plan, now: float) -> None:
        """Report a change of the machine to the inner rule."""
        self._inside.changed(plan, now)

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return the date at which the inner rule wants a pass."""
        return self._inside.next_pass(waiting, now, order_changes)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Record a correction and report it to the inner rule."""
        self._recording.corrections.append(Corrected(now, job.id, planned_end, job.planned_end))
        self._inside.corrected(job, planned_end, now)


class Promising(Policy, Protocol):
    """A policy that reports its planned starts."""

    def promised(self) -> Iterable[tuple[str, float]]:
        """Return the full names of waiting jobs and their planned starts, in seconds.

        The jobs are in the order of the queue. The head of the queue comes first.
        """
        ...


class WatchedPolicy:
    """Records the planned starts of the inner policy; see `Policy`."""

    def __init__(self, inside: Promising, recording: Recording) -> None:
        self.needs_fields = inside.needs_fields
        self.journal = inside.journal
        self._inside = inside
        self._recording = recording

    def begin(self, processors: int) -> None:
        """Start with an idle machine."""
        self._inside.begin(processors)

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request and record the planned starts."""
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
