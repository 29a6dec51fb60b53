"""A machine of a few lines that plays jobs to a policy, and checks what it answers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from schedulers import CallLater, Execute, Job, Policy, Reject, Request


class Spec(NamedTuple):
    """A job to be: times in seconds; killed at its walltime."""

    id: str
    submit: float
    size: int
    run: float
    walltime: float | None = 3600.0
    user: str | None = None

    @property
    def duration(self) -> float:
        return self.run if self.walltime is None else min(self.run, self.walltime)


@dataclass
class Played:
    """What became of the jobs."""

    starts: dict[str, float] = field(default_factory=dict)
    processors: dict[str, set[int]] = field(default_factory=dict)
    ends: dict[str, float] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    calls: list[float] = field(default_factory=list)
    """The dates at which the policy was called, because it asked for it."""


def play(policy: Policy, specs: Iterable[Spec], processors: int) -> Played:
    """Play jobs to a policy: at each date the ends (by start), then the calls, the submissions."""
    waiting = sorted(specs, key=lambda spec: spec.submit)
    known = {spec.id: spec for spec in waiting}
    played = Played()
    running: list[str] = []
    asked: list[float] = []
    policy.begin(processors)
    while waiting or running or asked:
        ends = {job_id: played.starts[job_id] + known[job_id].duration for job_id in running}
        now = min([*ends.values(), *asked, *(spec.submit for spec in waiting[:1])])
        ended = [job_id for job_id in running if ends[job_id] == now]
        running = [job_id for job_id in running if job_id not in ended]
        played.ends |= dict.fromkeys(ended, now)
        called = now in asked
        asked = [date for date in asked if date > now]
        played.calls += [now] * called
        submitted = [spec for spec in waiting if spec.submit == now]
        waiting = waiting[len(submitted) :]
        for answer in policy.decide(Request(now, ended, [*map(job, submitted)], called, now)):
            if isinstance(answer, Execute):
                _start(answer, known, played, running, processors)
                running.append(answer.job_id)
            elif isinstance(answer, Reject):
                assert answer.job_id not in played.starts | played.refusals
                assert known[answer.job_id].submit == now
                played.refusals[answer.job_id] = answer.reason
            else:
                assert isinstance(answer, CallLater)
                assert answer.at > now
                asked.append(answer.at)
    return played


def job(spec: Spec) -> Job:
    """Make the job as a policy is told of it."""
    fields = {"user": spec.user} if spec.user else {}
    return Job(spec.id, spec.submit, spec.size, spec.walltime, fields=fields, delay=spec.run)


def _start(
    answer: Execute, known: dict[str, Spec], played: Played, running: list[str], processors: int
) -> None:
    spec = known[answer.job_id]
    given = set(answer.processors)
    assert answer.job_id not in played.starts | played.refusals
    assert answer.date >= spec.submit
    assert len(given) == spec.size
    assert given <= set(range(processors))
    assert not any(given & played.processors[other] for other in running)
    played.starts[answer.job_id] = answer.date
    played.processors[answer.job_id] = given
