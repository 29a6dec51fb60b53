"""EASY backfilling."""

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from predictors.checks import require_count
from schedulers.backfilling.backfilling import Stateless, take_heads, take_out
from schedulers.backfilling.by_size import ShortestBySize
from schedulers.backfilling.candidates import Candidates
from schedulers.backfilling.places import backfill_around
from schedulers.backfilling.plan import Plan
from schedulers.job import Job
from schedulers.machine.machine import ALL_MAY, Machine, Reservation, Without

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(eq=False)
class Easy(Stateless):
    """EASY backfilling.

    The jobs at the head of the queue start while they fit. The first that does not reserves: on a
    machine that is counted, the earliest planned end at which enough processors will be free; what
    is left over then is extra. A candidate starts if it fits now and either ends by the
    reservation, or takes no more than what is left of the extra ones. Nothing is remembered from
    one pass to the next.
    """

    plans = True

    candidates: str = "queue"
    """The order in which they are tried; see `Candidates`."""
    reservations: int = 1
    """The number of jobs at the head of the queue that reserve; more than 1 are PBS's top jobs."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_count("reservations", self.reservations)
        self._candidates = Candidates(self.candidates)
        self.only_fitting = self.reservations == 1
        self._by_size: ShortestBySize | None = None

    def begin(self, machine: Machine) -> None:
        """Take over an idle machine; see `Backfilling`."""
        self.machine = machine
        self._without: Callable[[Reservation], Without] | None = getattr(machine, "without", None)
        if self.candidates == "shortest" and self.only_fitting and machine.by_size:
            self._by_size = ShortestBySize()

    def choose(self, queue: list[Job], plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        machine = self.machine
        by_size = self._by_size
        if by_size is not None and not by_size.follow(queue):
            by_size = None
        head = queue[0]
        chosen: list[Job] = []
        if head.processors <= machine.free:
            if len(queue) == 1 and machine.take(head):
                return [queue.pop()]
            chosen = take_heads(queue, machine)
            if by_size is not None:
                by_size.started(chosen)
            if not queue:
                return chosen
            # the heads that start now count as running in the reservation
            for job in chosen:
                job.planned_end = now + job.running
                plan.add(job)
            head = queue[0]
        if self.reservations > 1:
            return chosen + backfill_around(
                queue, plan, now, machine=machine, top_jobs=self.reservations,
                candidates=self._candidates,
            )  # fmt: skip
        reservation = machine.reserve(head, plan.ends, now)
        reserved = reservation.date
        if reserved != head.last_promise:
            head.promise(reserved)
        if not machine.free or len(queue) < 2:  # noqa: PLR2004 - the head and a candidate
            return chosen
        if by_size is not None:
            backfilled = by_size.choose(machine, now, reservation=reservation)
        else:
            backfilled = self._backfill(queue, now, reservation=reservation)
        take_out(queue, backfilled)
        if by_size is not None:
            by_size.started(backfilled)
        return chosen + backfilled

    def _backfill(self, queue: list[Job], now: float, *, reservation: Reservation) -> list[Job]:
        machine, candidates = self.machine, self._candidates
        free, reserved, extra = machine.free, reservation.date, reservation.extra
        waiting: Iterable[Job] = islice(queue, 1, None)
        if candidates.differ:
            # what is free and what is extra only shrink: who has no chance now needs no sorting
            able = [
                job
                for job in waiting
                if job.processors <= free
                and (job.processors <= extra or now + job.backfilling <= reserved)
            ]
            waiting = candidates.sorted(able)
        asked = self._without
        early, late = ALL_MAY if asked is None else asked(reservation)
        chosen = []
        for job in waiting:
            size = job.processors
            if size > free:
                continue
            end = now + job.backfilling
            if end > reserved:
                if size > extra or job.kind in late:
                    continue
            elif job.kind in early:
                continue
            started_as = machine.take_beside(job, reservation, end)
            if started_as is not None:
                job.started_as = started_as
                chosen.append(job)
                free, extra = machine.free, reservation.extra
                if not free:
                    break
                if asked is not None:
                    early, late = asked(reservation)
        return chosen
