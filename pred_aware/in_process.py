"""A policy that decides in the simulator's own process: no socket, no JSON."""

from collections import Counter
from time import perf_counter

from pred_aware.simulator.messages import (
    Begins,
    Called,
    CallLater,
    Completed,
    Decision,
    Event,
    Execute,
    Reject,
    Submitted,
)
from schedulers import CallAt, Job, Policy, Refuse, Request, Start


class PolicyInProcess:
    """Hands a policy what happens, and the simulator what the policy decides.

    Parameters
    ----------
    policy
        Who decides.

    Attributes
    ----------
    rejections : Counter
        How many jobs were rejected, by reason.
    scheduling_time : float
        Seconds that the policy has taken so far.
    """

    def __init__(self, policy: Policy) -> None:
        self.rejections: Counter[str] = Counter()
        self.scheduling_time = 0.0
        self._policy = policy
        self._needs_fields = policy.needs_fields

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Answer a request; see `DecisionProcess`."""
        ended: list[str] = []
        submitted: list[Job] = []
        called = False
        needs_fields = self._needs_fields
        for event in events:
            kind = type(event)
            if kind is Completed:
                ended.append(event.job.id)  # type: ignore[union-attr] - mypy can't follow `kind`
            elif kind is Submitted:
                job = event.job  # type: ignore[union-attr]
                walltime = job.walltime
                submitted.append(
                    Job(
                        job.id,
                        job.submit_time,
                        job.processors,
                        None if walltime <= 0 else walltime,
                        job.fields() if needs_fields else None,
                        job.delay,
                    )
                )
            elif kind is Called:
                called = True
            elif kind is Begins:
                self._policy.begin(len(event.platform.hosts))  # type: ignore[union-attr]
        if not (ended or submitted or called):
            return [], now
        last_event = events[-1].date
        began = perf_counter()
        answers = self._policy.decide(Request(now, ended, submitted, called, last_event))
        self.scheduling_time += perf_counter() - began
        if last_event < now and len(answers) > 1:
            # in a message of pybatsim decisions stand by date
            answers.sort(key=lambda answer: answer.date)
        decisions: list[Decision] = []
        for answer in answers:
            if type(answer) is Start:
                decisions.append(Execute(answer.date, answer.job_id, answer.intervals))
            elif isinstance(answer, Refuse):
                self.rejections[answer.reason] += 1
                decisions.append(Reject(answer.date, answer.job_id))
            elif isinstance(answer, CallAt):
                decisions.append(CallLater(answer.date, answer.at))
        return decisions, now
