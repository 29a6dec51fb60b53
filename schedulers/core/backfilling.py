"""Backfilling rules: they choose the waiting jobs that start now."""

from operator import attrgetter
from types import MappingProxyType
from typing import Any

from predictors.checks import require_choice, require_count
from schedulers.core.constants import BACKFILLED, NEVER, QUEUE
from schedulers.core.job import Job, Plan, take_out
from schedulers.core.machine import Availability, Machine

CANDIDATES = ("queue", "shortest", "smallest", "best_fit")
"""The orders in which candidates are tried. ``queue``: the order of the queue. ``shortest``: the
shortest estimate for backfilling first (SJBF, as in EASY++). ``smallest``: the fewest processors
first. ``best_fit``: the most processors first, which leaves the fewest processors free."""

_KEYS = MappingProxyType(
    {"shortest": attrgetter("backfilling"), "smallest": attrgetter("processors")}
)


class Backfilling:
    """A backfilling rule: it chooses the waiting jobs that start now.

    The machine decides which jobs fit, when, and on which processors; the rule only asks.

    - `plans`: whether the rule uses planned ends. If so, the scheduler keeps running jobs in a
      plan, corrects their estimates, rejects jobs without an estimate, and calls `ended` and
      `corrected`.
    - `remembers`: whether the rule keeps state between passes, such as reservations. A bound on
      waiting (`Bounded`) can only wrap a rule without such state.
    - `only_fitting`: whether the rule needs only the jobs that fit and the first job that does not.
    - `asks`: whether the rule also wants passes at dates without events; see `next_pass`.
    """

    OPTIONS = dict[str, object]()

    def __init__(self) -> None:
        self.plans = True
        self.remembers = self.only_fitting = self.asks = False

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine."""
        self.machine = machine

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start, take room for them, and remove them from the queue.

        Return the chosen jobs in the order of their starts. Set `started_as` for jobs that did not
        start from the head of the queue. The caller adds the chosen jobs to the plan afterwards,
        except those that the rule has added itself (they have a `planned_end`).

        Parameters
        ----------
        queue
            The waiting jobs in their order.
        plan
            The running jobs.
        now
            The date in seconds.
        """
        raise NotImplementedError

    def ended(self, job: Job, now: float) -> None:
        """React to the end of a running job. The plan no longer contains the job."""

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """React to a corrected estimate. `planned_end` is the old planned end, in seconds."""

    def withdrawn(self, job: Job, now: float) -> None:
        """React to a waiting job that a site rule has taken out of the queue."""

    def changed(self, plan: Plan, now: float) -> None:
        """React to a change of the machine's number of processors."""

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return the date at which the rule wants a pass without an event; infinity for none.

        The date is in seconds. `waiting` is the number of waiting jobs. `order_changes` says
        whether the order of the queue may change between events.
        """
        return NEVER


def take_heads(queue: list[Job], machine: Machine) -> list[Job]:
    """Remove jobs from the head of the queue and take room for them, as long as they fit."""
    fitting = 0
    for job in queue:
        if not machine.take(job):
            break
        fitting += 1
    heads = queue[:fitting]
    del queue[:fitting]
    return heads


def in_order(jobs: list[Job], candidates: str) -> list[Job]:
    """Return the jobs in a candidate order. Equal jobs keep the order of the queue."""
    if candidates == "queue" or len(jobs) < 2:  # noqa: PLR2004 - a pair
        return jobs
    if candidates == "best_fit":
        return sorted(jobs, key=_KEYS["smallest"], reverse=True)
    return sorted(jobs, key=_KEYS[candidates])


class NoBackfilling(Backfilling):
    """No backfilling: jobs start from the head of the queue while they fit."""

    OPTIONS = dict[str, object]()

    def __init__(self) -> None:
        self.plans = self.remembers = self.asks = False
        self.only_fitting = True

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        return take_heads(queue, self.machine)


class Filler(Backfilling):
    """Start every waiting job that fits, without any reservation.

    `candidates` is the order in which the jobs are tried; see `CANDIDATES`.
    """

    OPTIONS = {"candidates": "queue"}

    def __init__(self, candidates: str = "queue") -> None:
        self.plans = self.remembers = self.asks = False
        self.only_fitting = True
        self.candidates = require_choice("candidates", candidates, CANDIDATES)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        chosen: list[Job] = []
        if not machine.free:
            return chosen
        # free processors only decrease here, so jobs that do not fit need no sorting
        fitting = [job for job in queue if job.processors <= machine.free]
        head = 0
        for job in in_order(fitting, self.candidates):
            if job.processors <= machine.free and machine.take(job):
                if job is queue[head]:
                    head += 1
                else:
                    job.started_as = QUEUE
                chosen.append(job)
                if not machine.free or head == len(queue):
                    break
        take_out(queue, chosen)
        return chosen


class Easy(Backfilling):
    """EASY backfilling.

    Jobs start from the head of the queue as long as they fit. The first job that does not fit gets
    a reservation at the earliest planned end that frees enough processors. Processors that this job
    does not need at that date are extra. Another job (a candidate) starts if it fits now, and
    either ends by the reservation's date or takes only extra processors. The rule keeps no state
    between passes.

    `candidates` is the order in which candidates are tried; see `CANDIDATES`. `reservations` is the
    number of jobs at the head of the queue that get a reservation. PBS calls them top jobs.
    """

    OPTIONS = {"candidates": "queue", "reservations": 1}

    def __init__(self, candidates: str = "queue", reservations: int = 1) -> None:
        self.plans = True
        self.remembers = self.asks = False
        self.candidates = require_choice("candidates", candidates, CANDIDATES)
        self.reservations = require_count("reservations", reservations)
        self.only_fitting = reservations == 1
        self._without: Any = None

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine; see `Backfilling`."""
        self.machine = machine
        self._without = getattr(machine, "without", None)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        head = queue[0]
        chosen: list[Job] = []
        if head.processors <= machine.free:
            chosen = take_heads(queue, machine)
            if not queue:
                return chosen
            # the reservation must count the jobs that start now as running
            for job in chosen:
                plan.start(job, now)
            head = queue[0]
        if self.reservations > 1:
            return chosen + self.around(queue, plan, now)
        reservation = machine.reserve(head, plan.jobs, now)
        if reservation.date != head.last_promise:
            head.promise(reservation.date)
        if not machine.free or len(queue) < 2:  # noqa: PLR2004 - the head and a candidate
            return chosen
        able = []
        free, date, extra = machine.free, reservation.date, reservation.extra
        for place in range(1, len(queue)):
            job = queue[place]
            if job.processors <= free and (
                job.processors <= extra or now + job.backfilling <= date
            ):
                able.append(job)
        backfilled: list[Job] = []
        for job in in_order(able, self.candidates):
            if self._without is not None:
                early, late = self._without(reservation)
                if job.kind in (early if now + job.backfilling <= date else late):
                    continue
            if machine.take_beside(job, reservation, now + job.backfilling):
                backfilled.append(job)
                if not machine.free:
                    break
        take_out(queue, backfilled)
        return chosen + backfilled if chosen else backfilled

    def around(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Reserve room for the first jobs of the queue, and start jobs that do not delay them.

        The first job of the queue must not fit now. Jobs that start are removed from the queue.
        """
        machine = self.machine
        availability = beside(plan, machine, now)
        started: list[Job] = []
        for job in queue[: self.reservations]:
            place = availability.place(job, job.backfilling)
            if place <= now and machine.start(job, availability):
                job.started_as = BACKFILLED
                started.append(job)
            elif place != job.last_promise:
                job.promise(place)
        for job in in_order(queue[self.reservations :], self.candidates):
            if job.processors > machine.free:
                continue
            if not availability.place_at(job, now, job.backfilling):
                continue
            if machine.start(job, availability):
                job.started_as = BACKFILLED
                started.append(job)
            else:
                availability.give_back(job, now, now + job.backfilling)
        take_out(queue, started)
        return started


def beside(plan: Plan, machine: Machine, now: float) -> Availability:
    """Return the machine's availability over time, given the planned ends of running jobs."""
    availability = machine.availability(now)
    for job in plan.jobs:
        availability.hold(job, job.planned_end)
    return availability
