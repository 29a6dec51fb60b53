"""EASY backfilling."""

from operator import attrgetter

from predictors import OptionError
from schedulers.backfilling.backfilling import take_heads
from schedulers.job import Job
from schedulers.plan import Plan

_CANDIDATES = ("queue", "shortest")


class Easy:
    """EASY backfilling, which counts processors.

    The jobs at the head of the queue start while they fit. The first that does not reserves the
    earliest planned end at which enough processors will be free; what is left over then is extra. A
    candidate starts if it fits now and either ends by the reservation, or takes no more than what
    is left of the extra ones. Nothing is remembered from one pass to the next.

    Parameters
    ----------
    candidates
        In which order candidates are tried: ``queue`` (as they wait) or ``shortest`` (by the
        estimate for backfilling, equal ones as they wait: SJBF, as in EASY++).
    """

    plans = True

    def __init__(self, candidates: str = "queue") -> None:
        if candidates not in _CANDIDATES:
            known = " or ".join(_CANDIDATES)
            raise OptionError(f"candidates is {candidates!r}; it must be {known}")
        self._shortest_first = candidates == "shortest"

    def choose(self, queue: list[Job], free: int, plan: Plan, now: float) -> list[Job]:
        """Choose the jobs to start; see `Backfilling`."""
        if not queue:
            return []
        if queue[0].processors <= free:
            if len(queue) == 1:
                return [queue.pop()]
            chosen = take_heads(queue, free)
            for job in chosen:
                free -= job.processors
            if not free or len(queue) < 2:  # noqa: PLR2004 - the head and a candidate
                return chosen
            # the heads that start now count as running in the reservation
            for job in chosen:
                job.planned_end = now + job.draining
                plan.add(job)
        else:
            if len(queue) < 2:  # noqa: PLR2004 - the head and a candidate
                return []
            chosen = []
        reserved, extra = plan.reservation(queue[0].processors - free, now)
        backfilled = self._backfill(queue, free, now, reserved=reserved, extra=extra)
        for job in backfilled:
            queue.remove(job)
        return chosen + backfilled

    def _backfill(
        self, queue: list[Job], free: int, now: float, *, reserved: float, extra: int
    ) -> list[Job]:
        candidates = queue[1:]
        if self._shortest_first:
            candidates.sort(key=attrgetter("backfilling"))
        chosen = []
        for job in candidates:
            size = job.processors
            if size <= free:
                if now + job.backfilling > reserved:
                    if size > extra:
                        continue
                    extra -= size
                free -= size
                chosen.append(job)
                if not free:
                    break
        return chosen
