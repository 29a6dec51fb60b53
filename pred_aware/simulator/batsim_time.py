"""The simulation with message delays as in the real Batsim."""

from collections.abc import Generator
from dataclasses import dataclass

from pred_aware.simulator.errors import SimulationError
from pred_aware.simulator.job import NO_WALLTIME, SimulatedJob, outcome
from pred_aware.simulator.kernel import (
    COMPUTE,
    CREATE,
    NEVER,
    RECEIVE,
    SEND,
    SLEEP,
    Actor,
    ActorRequest,
    Kernel,
)
from pred_aware.simulator.ledger import Ledger
from pred_aware.simulator.messages import (
    DIGITS,
    Begins,
    DecisionProcess,
    Ends,
    Event,
    EventsAt,
    Killed,
    NoMoreJobs,
)
from pred_aware.simulator.no_delays import JobServer, date_of_call, deadlock
from pred_aware.simulator.registration import Registration
from pred_aware.simulator.sources import JobSource, JobSources
from workload_tools.batsim.decisions import CallLater, Execute, Kill
from workload_tools.platform.platform import Platform, Route

SEGMENT = 4194304.0
"""Window of SimGrid's network model, in bytes. A message's rate is at most window / (2 latency)."""

SHORTEST_WAIT = 1e-5
"""The smallest delay of a call, in seconds."""

Life = Generator[ActorRequest, object, None]


HELLO, BYE, READY = object(), object(), object()
"""Sent when a submitter begins, when it has no more jobs, and when all decisions of a reply have
been sent to the server."""


@dataclass(frozen=True, slots=True)
class CallDone:
    """Sent when a call is due."""

    call_id: str


def _transfer(way: Route) -> tuple[float, float]:
    """Return the latency (seconds) and rate (bytes per second) of messages on a route."""
    window_rate = SEGMENT / (2.0 * way.latency) if way.latency else way.bandwidth
    return way.latency, min(way.bandwidth, window_rate)


class DelayedSimulation(JobServer):
    """Simulates jobs with Batsim's actors: submitters, a server, the decisions, the jobs.

    The actors send messages to the server through one mailbox. `Kernel` determines how long each
    message takes and which actor acts first. See ``docs/explanation/batsim-time.md`` for the rules.
    The jobs of each workload are submitted in the order of their dates; jobs of equal dates in the
    order of their full ids. The platform gives the delays of messages to the master host, from the
    master host itself and from each computing host.
    """

    def __init__(
        self,
        ledger: Ledger,
        source: JobSources,
        decision_process: DecisionProcess,
        registration: Registration,
        *,
        platform: Platform,
        version: int = 4,
    ) -> None:
        super().__init__(ledger, source, decision_process, registration)
        self._version = version
        self._polite = 0
        if platform.no_ways:
            raise SimulationError(f"{platform.no_ways}; --delays none needs no network")
        self._master_way = _transfer(platform.master_way)
        transfers = {way: _transfer(way) for way in set(platform.host_ways)}
        self._host_ways = [transfers[way] for way in platform.host_ways]
        self._kernel = Kernel()
        self._running: dict[str, Actor] = {}
        self._waiters = 0
        self._killers = 0
        self._ends_sent = False
        self._over = False

    def run(self, begins: Begins) -> float:
        """Simulate all jobs; return the last date in seconds. Errors: see `UndelayedSimulation`."""
        kernel = self._kernel
        self._digits = DIGITS if begins.decimals is None else begins.decimals
        self._events.append(begins)
        submitters = [Actor(self._submitter(source)) for source in self._source.sources]
        kernel.run([*submitters, Actor(self._server())])
        if not self._over:
            raise deadlock(self._ledger, kernel.now)
        return kernel.now

    def _submitter(self, source: JobSource) -> Life:
        kernel = self._kernel
        dates = source.dates()
        order = sorted(range(len(dates)), key=lambda place: (dates[place], source.full_id(place)))
        latency, rate = self._master_way
        yield SEND, latency, rate, HELLO
        noted = kernel.now
        collected: list[SimulatedJob] = []
        for place in order:
            job = source.make(place)
            if job.submit_time > noted:
                if collected:
                    yield SEND, latency, rate, collected
                    collected = []
                yield SLEEP, job.submit_time - noted, 0.0, None
                noted = kernel.now
            collected.append(job)
        if collected:
            yield SEND, latency, rate, collected
        yield SEND, latency, rate, BYE

    def _server(self) -> Life:
        kernel = self._kernel
        ledger = self._ledger
        # Batsim 5 receives the submitters' messages before its first request, and creates an actor
        # for calls first
        ready = self._version != 4  # noqa: PLR2004 - the version number
        first = self._nothing() if ready else self._decisions(self._take_events())
        yield CREATE, 0.0, 0.0, Actor(first)
        while True:
            message = yield RECEIVE, 0.0, 0.0, None
            if type(message) is SimulatedJob:
                ledger.record(message)
                self._events.append(EventsAt(self._date(kernel.now), [message]))
            elif type(message) is Execute:
                job = ledger.find(message.job_id, "start", kernel.now)
                actor = Actor(self._job(job, message))
                self._running[job.id] = actor
                yield CREATE, 0.0, 0.0, actor
            elif message is READY:
                ready = True
                if self._ends_sent:
                    self._over = True
                    return
            elif type(message) is list:
                date = self._date(kernel.now)
                for job in message:
                    ledger.submit(job)
                self._events.append(EventsAt(date, submitted=message))
            else:
                yield from self._handle(message)
            if ready and not kernel.waiting_senders:
                if self._events:
                    ready = False
                    yield CREATE, 0.0, 0.0, Actor(self._decisions(self._take_events()))
                elif self._finished():
                    ready = False
                    self._ends_sent = True
                    self._events.append(Ends(self._date(kernel.now)))
                    yield CREATE, 0.0, 0.0, Actor(self._decisions(self._take_events()))

    @staticmethod
    def _nothing() -> Life:
        yield from ()

    def _handle(self, message: object) -> Life:
        """Handle the messages that are less frequent."""
        now = self._kernel.now
        ledger = self._ledger
        match message:
            case CallLater(call_id=call_id):
                self._waiters += 1
                waiter = self._waiter(date_of_call(message, now), CallDone(call_id))
                yield CREATE, 0.0, 0.0, Actor(waiter)
            case Kill(job_ids=job_ids):
                wanted = ledger.to_kill(job_ids, now)
                if wanted:
                    self._killers += 1
                    yield CREATE, 0.0, 0.0, Actor(self._killer(wanted))
            case Killed(job_ids=job_ids, stopped=stopped):
                self._killers -= 1
                date = self._date(now)
                for job, _ in stopped:
                    ledger.record(job)
                if stopped:
                    self._events.append(EventsAt(date, [job for job, _ in stopped]))
                self._events.append(Killed(date, job_ids, stopped))
            case CallDone(call_id=call_id):
                self._waiters -= 1
                self._events.append(EventsAt(self._date(now), calls=[call_id]))
            case _ if message is BYE:
                self._polite += 1
                if self._polite == len(self._source.sources):
                    self._events.append(NoMoreJobs(self._date(now)))
            case _:
                self._apply(message, now)

    def _finished(self) -> bool:
        ledger = self._ledger
        return (
            self._polite == len(self._source.sources)
            and self._registration.finished
            and ledger.ended == ledger.submitted
            and not self._waiters
            and not self._killers
            and not self._ends_sent
        )

    def _take_events(self) -> list[Event]:
        events = self._events
        self._events = []
        return events

    def _decisions(self, events: list[Event]) -> Life:
        """Make a request and send the decisions to the server, one after another."""
        kernel = self._kernel
        latency, rate = self._master_way
        decisions, replied = self._decision_process.exchange(self._date(kernel.now), events)
        for decision in decisions:
            if decision.date > kernel.now:
                yield SLEEP, decision.date - kernel.now, 0.0, None
            yield SEND, latency, rate, decision
        if replied > kernel.now:
            yield SLEEP, replied - kernel.now, 0.0, None
        yield SEND, latency, rate, READY

    def _job(self, job: SimulatedJob, execute: Execute) -> Life:
        kernel = self._kernel
        ledger = self._ledger
        code = job.return_code
        ledger.start(execute, kernel.now)
        if job.rate:
            limit = NEVER if job.walltime == NO_WALLTIME else job.walltime
            done = yield COMPUTE, limit, job.rate, None
            run_limits = (job.delay, NO_WALLTIME) if done else (NEVER, job.walltime)
            job.final_state, job.duration, job.return_code = outcome(*run_limits, code)
        elif job.duration > 0.0:
            yield SLEEP, job.duration, 0.0, None
        ledger.stop(job, kernel.now)
        job.state = job.final_state
        del self._running[job.id]
        yield SEND, *self._host_ways[job.intervals[0][0]], job

    def _waiter(self, at: float, done: CallDone) -> Life:
        wait = at - self._kernel.now
        if wait > 0.0:
            yield SLEEP, max(wait, SHORTEST_WAIT), 0.0, None
        if not self._ends_sent:
            yield SEND, *self._master_way, done

    def _killer(self, job_ids: list[str]) -> Life:
        kernel = self._kernel
        stopped = self._ledger.kill(job_ids, kernel.now)
        for job, _ in stopped:
            kernel.kill(self._running.pop(job.id))
        yield SEND, *self._master_way, Killed(kernel.now, job_ids, stopped)
