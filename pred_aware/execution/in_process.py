"""A policy that decides in the simulator's own process, without sockets and JSON."""

from collections import Counter
from operator import attrgetter
from time import perf_counter

from pred_aware.simulator.job import SimulatedJob
from pred_aware.simulator.messages import Begins, Event, EventsAt, in_decimals
from schedulers import Decision, Job, Policy, Request
from workload_tools.batsim.decisions import NO_REASON, Reject
from workload_tools.batsim.fields import forget_what_came


class PolicyInProcess:
    """Passes events to a policy, and its decisions to the simulator.

    Parameters
    ----------
    policy
        The policy.

    Attributes
    ----------
    rejections : Counter
        Numbers of rejected jobs, by reason.
    scheduling_time : float
        Seconds that the policy has used so far.
    """

    def __init__(self, policy: Policy) -> None:
        self.rejections: Counter[str] = Counter()
        self.scheduling_time = 0.0
        self._policy = policy
        self._needs_fields = policy.needs_fields
        self._decimals: int | None = None

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        """Answer a request; see `DecisionProcess`."""
        ended: list[str] = []
        submitted: list[Job] = []
        called = False
        for event in events:
            if type(event) is EventsAt:
                if event.ended:
                    ended += [job.id for job in event.ended]
                if event.submitted:
                    submitted += [self._job(job) for job in event.submitted]
                if event.calls:
                    called = True
            elif type(event) is Begins:
                self._decimals = event.decimals
                self._policy.begin(len(event.platform.hosts))
        if not (ended or submitted or called):
            return [], now
        request = Request(now, ended, submitted, called, events[-1].date)
        began = perf_counter()
        decisions = self._policy.decide(request)
        self.scheduling_time += perf_counter() - began
        if request.last_event < now and len(decisions) > 1:
            # sort by date, as pybatsim sorts the decisions of a message
            decisions.sort(key=attrgetter("date"))
        for decision in decisions:
            if type(decision) is Reject:
                self.rejections[decision.reason or NO_REASON] += 1
        return decisions, now

    def _job(self, job: SimulatedJob) -> Job:
        submit_time, walltime, delay = job.submit_time, job.walltime, job.delay
        fields = forget_what_came(job.fields()) if self._needs_fields else None
        decimals = self._decimals
        if decimals is not None:
            submit_time = round(submit_time, decimals)
            walltime = round(walltime, decimals)
            delay = round(delay, decimals)
            fields = in_decimals(fields, decimals)
        return Job(
            job.id,
            submit_time,
            job.processors,
            None if walltime <= 0.0 else walltime,
            fields,
            delay if delay >= 0.0 else None,
        )
