"""The candidates of a long queue by size, so that a pass need not go through all of them."""

from bisect import bisect_left, insort
from heapq import heapify, heappop, heappush

from schedulers.backfilling.backfilling import LONG
from schedulers.job import Job
from schedulers.machine.machine import Machine, Reservation


class ShortestBySize:
    """The waiting jobs by size, the shortest of each first, kept from pass to pass.

    Where sizes are all that matters, if the shortest job of a size can't start now, neither can the
    others of that size: a pass looks at one job a size, and at those behind the ones that start.
    Equally short ones stand as they wait.

    It follows one queue, to which jobs are appended in the order of their numbers, and only while
    that is long: a short one is gone through faster.
    """

    def __init__(self) -> None:
        self._queue: list[Job] = []
        self._by_size: dict[int, list[tuple[float, int, Job]]] = {}
        self._count = 0
        self._last: Job | None = None
        self._ascending = True

    def follow(self, queue: list[Job]) -> bool:
        """Take in what was appended to the queue; return whether this can be chosen from."""
        count = len(queue)
        if count < LONG:
            if self._count or not self._ascending:
                self._start_over(queue)
            return False
        if queue is not self._queue:
            # one that is made anew for each pass is not worth it
            self._start_over(queue)
            return False
        if not self._ascending:
            return False
        known = self._count
        if known > count or (known and queue[known - 1] is not self._last):
            self._start_over(queue)
            known = 0
        number = queue[known - 1].number if known else 0
        by_size = self._by_size
        for place in range(known, count):
            job = queue[place]
            if job.number <= number:
                self._start_over(queue)
                self._ascending = False
                return False
            number = job.number
            insort(by_size.setdefault(job.processors, []), (job.backfilling, number, job))
        self._count, self._last = count, queue[-1]
        return True

    def _start_over(self, queue: list[Job]) -> None:
        self._queue, self._by_size, self._count, self._ascending = queue, {}, 0, True

    def started(self, jobs: list[Job]) -> None:
        """Drop jobs that have been taken out of the queue."""
        for job in jobs:
            line = self._by_size[job.processors]
            del line[bisect_left(line, (job.backfilling, job.number))]
            if not line:
                del self._by_size[job.processors]
        self._count -= len(jobs)
        self._last = self._queue[-1] if self._queue else None

    def choose(self, machine: Machine, now: float, *, reservation: Reservation) -> list[Job]:
        """Choose the candidates that start beside a reservation; see `Easy`."""
        free, reserved, extra = machine.free, reservation.date, reservation.extra
        firsts = []
        for size, line in self._by_size.items():
            if size <= free:
                estimate, number, job = line[0]
                if size <= extra or now + estimate <= reserved:
                    firsts.append((estimate, number, 0, job))
        heapify(firsts)
        chosen = []
        while firsts and free:
            estimate, _, place, job = heappop(firsts)
            size, end = job.processors, now + estimate
            if size > free or (size > extra and end > reserved):
                continue
            started_as = machine.take_beside(job, reservation, end)
            if started_as is None:
                continue
            job.started_as = started_as
            free, extra = machine.free, reservation.extra
            chosen.append(job)
            line = self._by_size[size]
            place += 1
            if place < len(line):
                estimate, number, job = line[place]
                heappush(firsts, (estimate, number, place, job))
        return chosen
