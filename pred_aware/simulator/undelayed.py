"""The simulation in which messages take no time."""

from heapq import heappop, heappush
from operator import attrgetter

from pred_aware.simulator.errors import DeadlockError, DecisionError
from pred_aware.simulator.job import COMPLETED_KILLED, RUNNING, SimulatedJob
from pred_aware.simulator.ledger import Ledger
from pred_aware.simulator.messages import (
    Begins,
    Called,
    CallLater,
    Completed,
    Decision,
    DecisionProcess,
    Ends,
    Event,
    Execute,
    Kill,
    Killed,
    NoMoreJobs,
    Notify,
    Reject,
    SetMetadata,
    Submitted,
)

NEVER = float("inf")


class UndelayedSimulation:
    """Simulates jobs with messages that take no time.

    Everything that happens at one date is told in one request: the ends first, by when the jobs
    were started, then the calls that are due, then the submissions, in the order of the workload.
    A decision process that says that it took time (its reply or a decision has a later date) is
    taken at its word: the decision acts at its date, and what happens before the reply's date waits
    for the next request.

    Parameters
    ----------
    ledger
        The state of machine and jobs.
    jobs
        The jobs in the order of the workload.
    decision_process
        Who decides.
    """

    def __init__(
        self, ledger: Ledger, jobs: list[SimulatedJob], decision_process: DecisionProcess
    ) -> None:
        self._ledger = ledger
        self._jobs = sorted(jobs, key=attrgetter("submit_time"))
        self._decision_process = decision_process
        self._ends: list[tuple[float, int, SimulatedJob]] = []
        self._calls: list[float] = []
        self._later: list[tuple[float, int, Decision]] = []
        self._events: list[Event] = []
        self._number = 0
        self._free_from = 0.0

    def run(self, begins: Begins) -> float:
        """Simulate to the end, and return its date in seconds.

        Raises
        ------
        DeadlockError
            Jobs wait and nothing will happen any more.
        DecisionError
            The decision process asked for something that can't be.
        """
        ledger, jobs, ends, calls, later = (
            self._ledger, self._jobs, self._ends, self._calls, self._later,
        )  # fmt: skip
        total = len(jobs)
        submitted = 0
        now = 0.0
        self._events.append(begins)
        self._ask(now)
        if not jobs:
            self._events.append(NoMoreJobs(now))
        while True:
            next_submission = jobs[submitted].submit_time if submitted < total else NEVER
            date = ends[0][0] if ends else NEVER
            date = min(date, next_submission)
            if calls and calls[0] < date:
                date = calls[0]
            if later and later[0][0] < date:
                date = later[0][0]
            events = self._events
            if events and self._free_from < date:
                date = max(self._free_from, now)
            if date == NEVER:
                break
            now = date
            while ends and ends[0][0] == now:
                job = heappop(ends)[2]
                if job.state is RUNNING:
                    ledger.stop(job, now)
                    job.state = job.final_state
                    ledger.record(job)
                    events.append(Completed(now, job))
            while calls and calls[0] == now:
                heappop(calls)
                events.append(Called(now))
            while next_submission == now:
                job = jobs[submitted]
                submitted += 1
                ledger.submit(job)
                events.append(Submitted(now, job))
                if submitted == total:
                    events.append(NoMoreJobs(now))
                    break
                next_submission = jobs[submitted].submit_time
            while later and later[0][0] == now:
                self._apply(heappop(later)[2], now)
            if events and self._free_from <= now:
                self._ask(now)
        if ledger.waiting:
            raise deadlock(ledger, now)
        self._events.append(Ends(now))
        self._ask(now)
        return now

    def _ask(self, now: float) -> None:
        events = self._events
        self._events = []
        decisions, replied = self._decision_process.exchange(now, events)
        self._free_from = replied
        for decision in decisions:
            if type(decision) is Execute and decision.date <= now:
                self._execute(decision, now)
            elif decision.date > now:
                self._number += 1
                heappush(self._later, (decision.date, self._number, decision))
            else:
                self._apply(decision, now)

    def _execute(self, decision: Execute, now: float) -> None:
        ledger = self._ledger
        job = ledger.find(decision.job_id, "start", now)
        ledger.start(job, decision.intervals, now, executors=decision.executors)
        self._number = number = self._number + 1
        heappush(self._ends, (now + job.duration, number, job))

    def _apply(self, decision: Decision, now: float) -> None:
        match decision:
            case Execute():
                self._execute(decision, now)
            case Reject(job_id=job_id):
                self._ledger.reject(job_id, now)
            case Kill(job_ids=job_ids):
                self._kill(job_ids, now)
            case CallLater(at=at):
                if not now < at < NEVER:
                    raise DecisionError(
                        f"at {now} s the decision process asked to be called at {at} s, which is "
                        "not later"
                    )
                heappush(self._calls, at)
            case SetMetadata(job_id=job_id, text=text):
                self._ledger.set_metadata(job_id, text, now)
            case Notify():
                pass

    def _kill(self, job_ids: list[str], now: float) -> None:
        jobs = self._ledger.to_kill(job_ids, now)
        if not jobs:
            return
        progress = self._ledger.kill(jobs, now)
        for job in jobs:
            if job.id in progress:
                self._ledger.record(job)
                self._events.append(Completed(now, job))
                assert job.state is COMPLETED_KILLED
        self._events.append(Killed(now, jobs, progress))


def deadlock(ledger: Ledger, now: float) -> DeadlockError:
    """Describe a deadlock: who waits, and that nothing will happen any more."""
    waiting = ledger.waiting_jobs()
    names = ", ".join(f"{job.id} ({job.processors} processors)" for job in waiting[:5])
    more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""  # noqa: PLR2004
    return DeadlockError(
        f"deadlock at {now} s: all other jobs have ended, nothing more will happen, and the "
        f"decision process neither starts nor rejects {names}{more}"
    )
