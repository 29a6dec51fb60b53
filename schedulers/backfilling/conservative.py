"""Conservative backfilling."""

from dataclasses import dataclass
from operator import attrgetter

from schedulers.backfilling.candidates import Candidates
from schedulers.backfilling.places import availability_beside, move_up
from schedulers.backfilling.plan import Plan
from schedulers.job import BACKFILLED, Job
from schedulers.machine.machine import Machine

_duration = attrgetter("backfilling")


@dataclass(eq=False)
class Conservative:
    """Every waiting job has a place in the plan, and nobody is put before one that has.

    At its submission a job is given the earliest place in the plan where it fits for as long as it
    is estimated to run. When a job ends, what is left of its estimate is freed, and each waiting
    job in the order of the queue is taken out of the plan and given the earliest place again. A job
    starts when its place begins. When an estimate is corrected, all places are given anew (paper
    002 plans so with soft walltimes).
    """

    plans = True
    remembers = True

    candidates: str = "queue"
    """The order in which places are given, and given again; see `Candidates`."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._candidates = Candidates(self.candidates)
        self._places: dict[int, float] = {}
        self._ended = False
        self._anew = False

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self._machine = machine
        self._availability = machine.availability(0.0)

    def ended(self, job: Job, now: float) -> None:
        """Free what is left of a job's estimate; see `Backfilling`."""
        self._ended = True
        if job.planned_end > now:
            self._availability.advance(now)
            self._availability.give_back(job, now, job.planned_end)

    def corrected(self, job: Job, planned_end: float, now: float) -> None:
        """Note that the plan is wrong; see `Backfilling`."""
        self._anew = True

    def withdrawn(self, job: Job, now: float) -> None:
        """Free the place of a job that a rule stops; see `Backfilling`."""
        place = self._places.pop(job.number, None)
        if place is not None:
            self._ended = True
            end = place + job.backfilling
            self._availability.advance(now)
            self._availability.give_back(job, max(place, now), end)

    def changed(self, plan: Plan, now: float) -> None:
        """Note that the plan is wrong; see `Backfilling`."""
        self._anew = True

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        ordered = self._candidates.sorted(queue)
        if self._anew or (plan.ends and plan.ends[0][0] < now):
            self._plan_anew(ordered, plan, now)
        else:
            self._availability.advance(now)
            if self._ended:
                self._compress(ordered, now)
        self._ended = self._anew = False
        places = self._places
        for job in ordered:
            if job.number not in places:
                self._place(job)
        chosen = []
        passed = False
        for job in queue:
            if places[job.number] <= now and self._availability.start(job):
                if passed:
                    job.started_as = BACKFILLED
                chosen.append(job)
            else:
                passed = True
        for job in chosen:
            del places[job.number]
            queue.remove(job)
            self._adjust(job, now)
        return chosen

    def _adjust(self, job: Job, now: float) -> None:
        """Plan a job that starts by its estimate while it runs."""
        if job.running != job.backfilling:
            self._availability.give_back(job, now, now + job.backfilling)
            self._availability.hold(job, now + job.running)
            self._anew = True

    def _place(self, job: Job) -> None:
        place = self._availability.place(job, job.backfilling)
        self._places[job.number] = place
        job.promise(place)

    def _compress(self, queue: list[Job], now: float) -> None:
        """Give each waiting job that has a place the earliest one again."""
        places = self._places
        for job in move_up(queue, places, self._availability, now=now, duration_of=_duration):
            job.promise(places[job.number])

    def _plan_anew(self, queue: list[Job], plan: Plan, now: float) -> None:
        self._availability = availability_beside(plan, self._machine, now)
        for job in queue:
            if job.number in self._places:
                self._place(job)
