"""Backfilling: the choice of the waiting jobs that start now, and may overtake others."""

from typing import Any

from predictors import OptionError
from predictors.checks import require_count
from schedulers.core.constants import BACKFILLED, NEVER, QUEUE
from schedulers.core.job import Job, take_out
from schedulers.core.machine import Availability, Machine, Reservation
from schedulers.core.plan import Plan

CANDIDATES = ("queue", "shortest", "smallest", "best_fit")


class Backfilling:
    """Chooses among the waiting jobs those that start now.

    What has room, when and where, it asks the machine; it counts nothing itself.

    Attributes
    ----------
    plans : bool
        Whether it uses planned ends: then running jobs are kept in a plan, their estimates are
        corrected, and a job without any estimate is rejected. Only then are `ended` and `corrected`
        called.
    remembers : bool
        Whether it keeps anything from one pass to the next, such as places. A bound on waiting goes
        around those that do not.
    only_fitting : bool
        Whether, of the jobs that ask for more than is free, the first of the queue is enough.
    asks : bool
        Whether it goes through the queue at dates of its own, too; see `next_pass`.
    """

    plans: bool
    remembers: bool
    only_fitting: bool
    asks: bool

    OPTIONS = dict[str, object]()

    def __init__(self) -> None:
        self.plans = True
        self.remembers = self.only_fitting = self.asks = False

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine."""
        self.machine = machine

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start: take room for them on the machine, and them out of the queue.

        Parameters
        ----------
        queue
            The waiting jobs in their order; those that are chosen are removed.
        plan
            The running jobs. The caller adds those that are chosen, but for those that are in it
            already, with a `planned_end`.
        now
            The date in seconds.

        Returns
        -------
        list of Job
            In the order of their starts, with `started_as` if that is not the head.
        """
        raise NotImplementedError

    def ended(self, job: Job, now: float) -> None:
        """Note that a running job has ended; it is out of the plan."""

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Note that a running job has a new `planned_end`; the one before is in seconds."""

    def withdrawn(self, job: Job, now: float) -> None:
        """Note that a waiting job is not in the queue any more, since a rule stops it."""

    def changed(self, plan: Plan, now: float) -> None:
        """Note that the machine has more or fewer processors than a moment ago."""

    def next_pass(self, waiting: int, now: float, order_changes: bool) -> float:  # noqa: FBT001
        """Return when to go through the queue whatever happens, in seconds; infinite: never.

        Parameters
        ----------
        waiting
            How many jobs wait.
        now
            The date in seconds.
        order_changes
            Whether their order may become another one by itself.
        """
        return NEVER


def take_heads(queue: list[Job], machine: Machine) -> list[Job]:
    """Take the jobs at the head of the queue, and room for them, while there is any."""
    fitting = 0
    for job in queue:
        if not machine.take(job):
            break
        fitting += 1
    heads = queue[:fitting]
    del queue[:fitting]
    return heads


def by_estimate(job: Job) -> float:
    """Return what the shortest candidates are sorted by."""
    return job.backfilling


def by_processors(job: Job) -> int:
    """Return what the smallest candidates are sorted by."""
    return job.processors


def by_fewest_left(job: Job) -> int:
    """Return what the best fitting candidates are sorted by."""
    return -job.processors


def checked(candidates: object) -> str:
    """Return an order of candidates, or raise an `OptionError`.

    It is ``queue`` (as they wait), ``shortest`` (by the estimate for backfilling: SJBF, as in
    EASY++), ``smallest`` (by processors) or ``best_fit`` (the largest first, which leaves the
    fewest processors free).
    """
    if not isinstance(candidates, str) or candidates not in CANDIDATES:
        raise OptionError(
            f"candidates is {candidates!r}; it must be one of {', '.join(CANDIDATES)}"
        )
    return candidates


def in_order(jobs: list[Job], candidates: str) -> list[Job]:
    """Return jobs in the order in which they are tried; equal ones as they wait."""
    if candidates == "queue" or len(jobs) < 2:  # noqa: PLR2004 - a pair
        return jobs
    if candidates == "shortest":
        return sorted(jobs, key=by_estimate)
    if candidates == "smallest":
        return sorted(jobs, key=by_processors)
    return sorted(jobs, key=by_fewest_left)


class NoBackfilling(Backfilling):
    """Nobody overtakes: the jobs at the head of the queue start while they fit."""

    OPTIONS = dict[str, object]()

    def __init__(self) -> None:
        self.plans = self.remembers = self.asks = False
        self.only_fitting = True

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        return take_heads(queue, self.machine)


class Filler(Backfilling):
    """Goes through the queue and starts whatever fits; nothing is reserved.

    The `candidates` are gone through in an order; see `checked`.
    """

    OPTIONS = {"candidates": "queue"}

    candidates: str

    def __init__(self, candidates: str = "queue") -> None:
        self.plans = self.remembers = self.asks = False
        self.only_fitting = True
        self.candidates = checked(candidates)

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        chosen: list[Job] = []
        if not machine.free:
            return chosen
        # what is free only shrinks: who has no room now needs no sorting
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

    The jobs at the head of the queue start while they fit. The first that does not reserves: on a
    machine that is counted, the earliest planned end at which enough processors will be free; what
    is left over then is extra. A candidate starts if it fits now and either ends by the
    reservation, or takes no more than what is left of the extra ones. Nothing is remembered from
    one pass to the next.

    Parameters
    ----------
    candidates
        The order in which they are tried; see `checked`.
    reservations
        The number of jobs at the head of the queue that reserve; more than 1 are PBS's top jobs.
    """

    OPTIONS = {"candidates": "queue", "reservations": 1}

    candidates: str
    reservations: int

    def __init__(self, candidates: str = "queue", reservations: int = 1) -> None:
        self.plans = True
        self.remembers = self.asks = False
        self.candidates = checked(candidates)
        self.reservations = require_count("reservations", reservations)
        self.only_fitting = reservations == 1
        self._without: Any = None

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
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
            # the heads that start now count as running in the reservation
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
            if self._without is not None and self.has_no_room(job, reservation, now):
                continue
            if machine.take_beside(job, reservation, now + job.backfilling):
                backfilled.append(job)
                if not machine.free:
                    break
        take_out(queue, backfilled)
        return chosen + backfilled if chosen else backfilled

    def has_no_room(self, job: Job, reservation: Reservation, now: float) -> bool:
        """Say whether the machine knows already that a job has no room."""
        early, late = self._without(reservation)
        return job.kind in (early if now + job.backfilling <= reservation.date else late)

    def around(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Reserve for the first few of the queue, and start others that fit around them.

        The first of the queue does not fit now. Those that start are removed from the queue.
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
    """Return the machine over time, beside the running jobs, which hold it as planned."""
    availability = machine.availability(now)
    for job in plan.jobs:
        availability.hold(job, job.planned_end)
    return availability
