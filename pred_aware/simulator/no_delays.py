"""The simulation without message delays."""

from heapq import heappop, heappush

from pred_aware.simulator.errors import DeadlockError, DecisionError
from pred_aware.simulator.job import NO_JOB, RUNNING, SimulatedJob
from pred_aware.simulator.kernel import NEVER
from pred_aware.simulator.ledger import Ledger
from pred_aware.simulator.messages import (
    Begins,
    DecisionProcess,
    Ends,
    Event,
    EventsAt,
    Killed,
    NoMoreJobs,
)
from pred_aware.simulator.registration import Registration
from pred_aware.simulator.sources import JobSources
from workload_tools.batsim.decisions import (
    CallLater,
    Decision,
    Execute,
    Kill,
    Notify,
    RegisterJob,
    RegisterProfile,
    Reject,
    SetMetadata,
)


class JobServer:
    """The parts of a simulation, and the effects of decisions that take no time."""

    def __init__(
        self,
        ledger: Ledger,
        source: JobSources,
        decision_process: DecisionProcess,
        registration: Registration,
    ) -> None:
        self._ledger = ledger
        self._source = source
        self._decision_process = decision_process
        self._registration = registration
        self._events: list[Event] = []
        self._digits: int | None = None
        """The decimals to which dates in events are rounded; ``None`` for no rounding."""

    def _date(self, now: float) -> float:
        return now if self._digits is None else round(now, self._digits)

    def _apply(self, decision: object, now: float) -> None:
        """Carry out a decision that takes no time."""
        match decision:
            case Reject(job_id=job_id):
                self._ledger.reject(job_id, now)
            case SetMetadata(job_id=job_id, text=text):
                self._ledger.set_metadata(job_id, text, now)
            case RegisterProfile():
                self._registration.add_profile(decision, now)
            case RegisterJob():
                job = self._registration.add_job(decision, now)
                self._ledger.submit(job)
                if self._registration.acknowledged:
                    self._events.append(EventsAt(self._date(now), submitted=[job]))
            case Notify(type=what):
                self._registration.notify(what)


class UndelayedSimulation(JobServer):
    """Simulates jobs without message delays.

    One request reports all events of a date: first the ends, sorted by start, then the due calls,
    then the submissions in the order of the workload. If its reply or a decision has a later date,
    the decision process has used simulated time. Each decision takes effect at its own date, and
    events before the reply's date are reported in the next request.
    """

    def __init__(
        self,
        ledger: Ledger,
        source: JobSources,
        decision_process: DecisionProcess,
        registration: Registration,
    ) -> None:
        super().__init__(ledger, source, decision_process, registration)
        dates = source.dates()
        self._order = sorted(range(len(dates)), key=dates.__getitem__)
        # both lists end with an event that never happens, so that they are never empty
        self._dates = [*sorted(dates), NEVER]
        self._ends: list[tuple[float, int, SimulatedJob]] = [(NEVER, 0, NO_JOB)]
        self._calls: list[tuple[float, int, str]] = []
        self._later: list[tuple[float, int, Decision]] = []
        self._number = 0
        self._free_from = 0.0

    def run(self, begins: Begins) -> float:  # noqa: C901, PLR0912 - the hot loop, in one piece
        """Simulate all jobs and return the last date in seconds.

        Raises
        ------
        DeadlockError
            Jobs wait, but no further event will occur.
        DecisionError
            The decision process made an impossible decision.
        """
        source, ledger, order, dates = self._source, self._ledger, self._order, self._dates
        ends, calls, later = self._ends, self._calls, self._later
        submitted = 0
        now = 0.0
        self._events.append(begins)
        self._ask(now)
        if not order:
            self._events.append(NoMoreJobs(now))
        while True:
            date = ends[0][0]
            if dates[submitted] < date:
                date = dates[submitted]
            events = self._events
            if calls or later or events:
                date = self._earlier(date, now)
            if date == NEVER:
                break
            now = date
            ended = []
            while ends[0][0] == now:
                job = heappop(ends)[2]
                if job.state is RUNNING:
                    ledger.finish(job, now)
                    ended.append(job)
            called: list[str] = []
            while calls and calls[0][0] == now:
                called.append(heappop(calls)[2])
            new = []
            while dates[submitted] == now:
                job = source.make(order[submitted])
                submitted += 1
                ledger.submit(job)
                new.append(job)
            if ended or new or called:
                events.append(EventsAt(now, ended, called, new))
                if new and dates[submitted] == NEVER:
                    events.append(NoMoreJobs(now))
            while later and later[0][0] == now:
                self._apply(heappop(later)[2], now)
            if events and self._free_from <= now:
                self._ask(now)
        if ledger.waiting or not self._registration.finished:
            raise deadlock(ledger, now)
        self._events.append(Ends(now))
        self._ask(now)
        return now

    def _earlier(self, date: float, now: float) -> float:
        """Return the next date: `date`, or the date of an earlier call or decision."""
        if self._calls:
            date = min(date, self._calls[0][0])
        if self._later:
            date = min(date, self._later[0][0])
        if self._events:
            date = min(date, max(self._free_from, now))
        return date

    def _ask(self, now: float) -> None:
        events = self._events
        self._events = []
        decisions, self._free_from = self._decision_process.exchange(now, events)
        for decision in decisions:
            if decision.date > now:
                self._number += 1
                heappush(self._later, (decision.date, self._number, decision))
            elif type(decision) is Execute:
                self._execute(decision, now)
            else:
                self._apply(decision, now)

    def _execute(self, decision: Execute, now: float) -> None:
        job = self._ledger.start(decision, now)
        self._number = number = self._number + 1
        heappush(self._ends, (now + job.duration, number, job))

    def _apply(self, decision: object, now: float) -> None:
        match decision:
            case CallLater():
                at = date_of_call(decision, now)
                self._number += 1
                heappush(self._calls, (at, self._number, decision.call_id))
            case Execute():
                self._execute(decision, now)
            case Kill(job_ids=job_ids):
                self._kill(job_ids, now)
            case _:
                super()._apply(decision, now)

    def _kill(self, job_ids: list[str], now: float) -> None:
        wanted = self._ledger.to_kill(job_ids, now)
        if not wanted:
            return
        stopped = self._ledger.kill(wanted, now)
        for job, _ in stopped:
            self._ledger.record(job)
        if stopped:
            self._events.append(EventsAt(now, [job for job, _ in stopped]))
        self._events.append(Killed(now, wanted, stopped))


def date_of_call(call: CallLater, now: float) -> float:
    """Return the date of a requested call, which must be in the future.

    In Batsim 5, where calls have names, a call requested for the past is due immediately.
    """
    at = max(call.at, now) if call.call_id else call.at
    if not (now < at or call.call_id) or at == NEVER:
        raise DecisionError(
            f"at {now} s the decision process asked to be called at {at} s, which is not later"
        )
    return at


def deadlock(ledger: Ledger, now: float) -> DeadlockError:
    """Return a deadlock error that names the waiting jobs or the missing notification."""
    waiting = ledger.waiting_jobs()
    if not waiting:
        return DeadlockError(
            f"deadlock at {now} s: all jobs have ended, nothing more will happen, and the decision "
            "process, which may register jobs, has not sent registration_finished"
        )
    return deadlock_of([(job.id, job.processors) for job in waiting], now)


def deadlock_of(waiting: list[tuple[str, int]], now: float) -> DeadlockError:
    """Return a deadlock error that names the waiting jobs, given by id and size."""
    names = ", ".join(f"{name} ({processors} processors)" for name, processors in waiting[:5])
    more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""  # noqa: PLR2004
    return DeadlockError(
        f"deadlock at {now} s: all other jobs have ended, nothing more will happen, and the "
        f"decision process neither starts nor rejects {names}{more}"
    )
