"""A second machine: two halves that share nothing. A job runs in either, and never across."""

from schedulers.core.counting import Counting
from schedulers.core.job import QUEUE, Job
from schedulers.core.lowest_free import LowestFree
from schedulers.core.machine import Reservation
from workload_tools.batsim.intervals import Intervals


def upper(size: int) -> LowestFree:
    """Make free processors whose lower half is never free."""
    rule = LowestFree(2 * size)
    rule.allocate(size)
    return rule


class Reserved:
    def __init__(self, machine: "Halves", half: int, inside: Reservation) -> None:
        self.machine, self.half, self.inside = machine, half, inside
        self.date = inside.date

    @property
    def extra(self) -> int:
        return max(self.inside.extra, self.machine.halves[1 - self.half].free)


class Halves:
    by_size = True

    def begin(self, processors: int) -> None:
        self.halves = (Counting(), Counting(upper))
        self.where: dict[int, int] = {}  # the half of each job that runs or has a place
        for half in self.halves:
            half.begin(processors // 2)

    @property
    def free(self) -> int:
        return max(half.free for half in self.halves)

    def refusal(self, job: Job) -> str | None:
        return self.halves[0].refusal(job)

    def take_in(self, half: int, job: Job) -> bool:
        if not self.halves[half].take(job):
            return False
        self.where[job.number] = half
        return True

    def take(self, job: Job) -> bool:
        return self.take_in(0, job) or self.take_in(1, job)

    def reserve(self, job: Job, running: list[Job], now: float) -> Reserved:
        found = [
            half.reserve(job, [one for one in running if self.where[one.number] == place], now)
            for place, half in enumerate(self.halves)
        ]
        first = 0 if found[0].date <= found[1].date else 1
        return Reserved(self, first, found[first])

    def take_beside(self, job: Job, reservation: Reserved, end: float) -> bool:
        if self.take_in(1 - reservation.half, job):
            job.started_as = QUEUE
            return True
        if not self.halves[reservation.half].take_beside(job, reservation.inside, end):
            return False
        self.where[job.number] = reservation.half
        return True

    def give_back(self, job: Job) -> None:
        self.halves[self.where[job.number]].give_back(job)

    def allocate(self, job: Job) -> Intervals:
        return self.halves[self.where[job.number]].allocate(job)

    def availability(self, now: float) -> "HalvesOverTime":
        return HalvesOverTime(self, now)


class HalvesOverTime:
    def __init__(self, machine: Halves, now: float) -> None:
        self.machine, self.where = machine, machine.where
        self.halves = [half.availability(now) for half in machine.halves]

    def advance(self, now: float) -> None:
        for half in self.halves:
            half.advance(now)

    def hold(self, job: Job, end: float) -> None:
        self.halves[self.where[job.number]].hold(job, end)

    def may_hold(self, job: Job, end: float) -> bool:
        return self.halves[self.where[job.number]].may_hold(job, end)

    def place(self, job: Job, duration: float) -> float:
        dates = [half.place(job, duration) for half in self.halves]
        self.where[job.number] = first = 0 if dates[0] <= dates[1] else 1
        other = dates[1 - first]
        self.halves[1 - first].give_back(job, other, other + duration)
        return dates[first]

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        last = self.where.get(job.number, 0)
        for half in (last, 1 - last):
            if self.halves[half].place_at(job, start, duration):
                self.where[job.number] = half
                return True
        return False

    def move_up(self, job: Job, start: float, duration: float) -> float:
        self.give_back(job, start, start + duration)
        return self.place(job, duration)

    def give_back(self, job: Job, start: float, end: float) -> None:
        self.halves[self.where[job.number]].give_back(job, start, end)

    def start(self, job: Job) -> bool:
        return self.machine.take_in(self.where[job.number], job)
