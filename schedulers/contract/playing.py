"""A small simulator that checks every answer of a policy."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from schedulers.core.job import Job
from schedulers.decisions import Decision, Policy, Request
from schedulers.errors import SchedulerError
from workload_tools.batsim.decisions import CallLater, Execute, Reject

CALLS_WITHOUT_END = 10_000
"""After this many requested calls in a row without an event, the check fails."""


class ContractError(SchedulerError):
    """A policy gave a forbidden answer, or did not give a required answer."""


class Spec(NamedTuple):
    """A job to simulate. Times are in seconds. The job is killed at its walltime."""

    id: str
    submit: float
    size: int
    run: float
    walltime: float | None = 3600.0
    user: str | None = None

    @property
    def duration(self) -> float:
        """The run time in seconds, up to the walltime."""
        return self.run if self.walltime is None else min(self.run, self.walltime)


@dataclass
class Played:
    """The result of a simulation, by the jobs' ids. Dates are in seconds."""

    starts: dict[str, float] = field(default_factory=dict)
    processors: dict[str, set[int]] = field(default_factory=dict)
    ends: dict[str, float] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    calls: list[float] = field(default_factory=list)
    """The dates of the calls that the policy requested."""


def play(policy: Policy, specs: Iterable[Spec], processors: int) -> Played:
    """Simulate jobs with a policy, and check each of its answers.

    The policy must be new. At each date, the events are first ends (sorted by start), then calls,
    then submissions. Jobs that still wait at the end are missing in the result; this is no error
    here. A forbidden answer raises a `ContractError`.
    """
    return _Playing(policy, specs, processors).to_the_end()


def job(spec: Spec, *, fields: bool = True) -> Job:
    """Return the job as a policy sees it."""
    known = {"user": spec.user} if spec.user else {}
    return Job(
        spec.id, spec.submit, spec.size, spec.walltime,
        fields=known if fields else None, delay=spec.run,
    )  # fmt: skip


class _Playing:
    """The state of a simulation."""

    def __init__(self, policy: Policy, specs: Iterable[Spec], processors: int) -> None:
        self.policy = policy
        self.processors = processors
        self.coming = sorted(specs, key=lambda spec: spec.submit)
        self.known = {spec.id: spec for spec in self.coming}
        self.played = Played()
        self.waiting: set[str] = set()
        self.running: dict[str, float] = {}
        self.calls_due: list[float] = []

    def to_the_end(self) -> Played:
        self.policy.begin(self.processors)
        idle_calls = 0
        while self.coming or self.running or self.calls_due:
            nothing = self._happen()
            idle_calls = idle_calls + 1 if nothing else 0
            if idle_calls == CALLS_WITHOUT_END:
                raise ContractError(
                    f"requested {CALLS_WITHOUT_END} calls in a row while nothing happened"
                )
        return self.played

    def _happen(self) -> bool:
        """Handle the events of the next date; return ``True`` if a call was the only event."""
        ends, played = self.running, self.played
        coming = [spec.submit for spec in self.coming[:1]]
        now = min([*ends.values(), *self.calls_due, *coming])
        ended = [job_id for job_id, end in ends.items() if end == now]
        for job_id in ended:
            del self.running[job_id]
            played.ends[job_id] = now
        called = now in self.calls_due
        self.calls_due = [date for date in self.calls_due if date > now]
        played.calls += [now] * called
        submitted = [spec for spec in self.coming if spec.submit == now]
        self.coming = self.coming[len(submitted) :]
        self.waiting |= {spec.id for spec in submitted}
        fields = self.policy.needs_fields
        jobs = [job(spec, fields=fields) for spec in submitted]
        answers = self.policy.decide(Request(now, ended, jobs, called, now))
        for answer in answers:
            self._carry_out(answer, now)
        return not (ended or submitted or any(isinstance(one, Execute) for one in answers))

    def _carry_out(self, answer: Decision, now: float) -> None:
        if not isinstance(answer, Execute | Reject | CallLater):
            raise ContractError(
                f"answered {answer!r} at {now:g} s; it must answer Execute, Reject and CallLater"
            )
        if not answer.date >= now:
            raise ContractError(
                f"answered at {now:g} s with a decision of {answer.date:g} s; its date must not be "
                "earlier than the request"
            )
        if isinstance(answer, CallLater):
            if not answer.at > now or math.isinf(answer.at):
                raise ContractError(
                    f"requested at {now:g} s a call at {answer.at:g} s; give a later, finite date"
                )
            self.calls_due.append(answer.at)
        elif answer.job_id not in self.waiting:
            raise ContractError(
                f"decided at {now:g} s on job '{answer.job_id}', which {self._state(answer.job_id)}"
            )
        elif isinstance(answer, Reject):
            self.waiting.remove(answer.job_id)
            self.played.refusals[answer.job_id] = answer.reason
        else:
            self._start(answer)

    def _state(self, job_id: str) -> str:
        if job_id in self.running:
            return "runs"
        if job_id in self.played.ends:
            return "has ended"
        if job_id in self.played.refusals:
            return "was rejected"
        return "is not submitted yet" if job_id in self.known else "was never submitted"

    def _start(self, answer: Execute) -> None:
        spec, played = self.known[answer.job_id], self.played
        given = set(answer.processors)
        where = f"gave job '{spec.id}' the processors {answer.processors} at {answer.date:g} s"
        if len(given) != spec.size:
            raise ContractError(f"{where}; the job asks for {spec.size}")
        if not given <= set(range(self.processors)):
            raise ContractError(f"{where}; the machine has {self.processors}, numbered from 0")
        for other in self.running:
            if given & played.processors[other]:
                raise ContractError(f"{where}; some of them are in use by '{other}'")
        self.waiting.remove(spec.id)
        self.running[spec.id] = answer.date + spec.duration
        played.starts[spec.id] = answer.date
        played.processors[spec.id] = given
