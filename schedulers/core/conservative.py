"""Conservative backfilling."""

from predictors.checks import require_choice
from schedulers.core.backfilling import CANDIDATES, Backfilling, beside, in_order
from schedulers.core.constants import BACKFILLED
from schedulers.core.job import Job, Kind, Plan, take_out
from schedulers.core.machine import Availability, Machine


class Conservative(Backfilling):
    """Conservative backfilling: every waiting job has a reservation that later jobs cannot delay.

    At its submission, a job gets the earliest reservation in the plan for its estimated run time.
    When a job ends early, the rest of its estimate is freed. Then each waiting job, in the order of
    the queue, moves its reservation to the earliest date. A job starts when its reservation begins.
    When an estimate is corrected, all reservations are computed again (Le Hai et al., paper 002,
    plan this way with soft walltimes).

    `candidates` is the order in which jobs get or move their reservations; see `CANDIDATES`.
    """

    OPTIONS = {"candidates": "queue"}

    availability: Availability

    def __init__(self, candidates: str = "queue") -> None:
        self.plans = self.remembers = True
        self.only_fitting = self.asks = False
        self.candidates = require_choice("candidates", candidates, CANDIDATES)
        self._freed = self._anew = False
        self._kinds = Kinds()

    def begin(self, machine: Machine) -> None:
        """Start with an idle machine; see `Backfilling`."""
        self.machine = machine
        self.availability = machine.availability(0.0)

    def ended(self, job: Job, now: float) -> None:
        """Free the rest of an ended job's estimate; see `Backfilling`."""
        self._freed = True
        if job.planned_end > now:
            self.availability.advance(now)
            self.availability.give_back(job, now, job.planned_end)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Have the next pass compute the plan again; see `Backfilling`."""
        self._anew = True

    def withdrawn(self, job: Job, now: float) -> None:
        """Free the reservation of a job that a site rule stops; see `Backfilling`."""
        if job.reserved_at >= 0.0:
            self._freed = True
            self.availability.advance(now)
            begin = job.reserved_at
            end = begin + job.backfilling
            self.availability.give_back(job, max(now, begin), end)
            job.reserved_at = -1.0

    def changed(self, plan: Plan, now: float) -> None:
        """Have the next pass compute the plan again; see `Backfilling`."""
        self._anew = True

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        ordered = in_order(queue, self.candidates)
        late = False
        if plan.jobs:
            job = plan.jobs[0]
            late = job.planned_end < now
        if self._anew or late:
            self.availability = beside(plan, self.machine, now)
            for job in ordered:
                if job.reserved_at >= 0.0:
                    self.give_place(job)
        else:
            self.availability.advance(now)
            if self._freed:
                self.compress(ordered, now)
        self._freed = self._anew = False
        for job in ordered:
            if job.reserved_at < 0.0:
                self.give_place(job)
        chosen: list[Job] = []
        passed = False
        for job in queue:
            if job.reserved_at <= now and self.machine.start(job, self.availability):
                if passed:
                    job.started_as = BACKFILLED
                chosen.append(job)
            else:
                passed = True
        take_out(queue, chosen)
        for job in chosen:
            job.reserved_at = -1.0
            if job.running != job.backfilling:
                # from its start on, the job is planned with the estimate `running`
                self.availability.give_back(job, now, now + job.backfilling)
                self.availability.hold(job, now + job.running)
                self._anew = True
        return chosen

    def give_place(self, job: Job) -> None:
        """Give a job the earliest possible reservation."""
        if job.alike is None:
            self._kinds.note(job)
        job.reserved_at = self.availability.place(job, job.backfilling)
        job.promise(job.reserved_at)

    def compress(self, queue: list[Job], now: float) -> None:
        """Move each existing reservation to the earliest date that is now possible."""
        for job in queue:
            if job.reserved_at <= now:
                continue
            place = self.availability.move_up(job, job.reserved_at, job.backfilling)
            if place < job.reserved_at:
                job.reserved_at = place
                job.promise(place)


class Kinds:
    """The kinds of jobs: one for each size and walltime."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, float], Kind] = {}

    def note(self, job: Job) -> Kind:
        """Return the kind of a job and store it in ``job.alike``."""
        key = (job.processors, job.walltime)
        kind = self._known.get(key)
        if kind is None:
            kind = self._known[key] = Kind()
        job.alike = kind
        return kind
