"""Waiting jobs that limits alone stop, and when the limits would let them start."""

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from predictors.sums import in_turn
from schedulers.core.job import Job
from schedulers.core.plan import Plan
from schedulers.site.gate import Gate

if TYPE_CHECKING:
    from schedulers.site.counters import Counter


class LimitsOverTime:
    """The limits of a site over time, if running jobs end as planned and places are kept.

    A running job that should have ended runs on until now, a date in seconds.
    """

    def __init__(self, gate: Gate, plan: Plan, now: float) -> None:
        self._gate = gate
        self._ends = {job.number: max(job.planned_end, now) for job in plan.jobs}
        self._places: defaultdict[Counter, list[tuple[float, float, float]]] = defaultdict(list)

    def started(self, job: Job, end: float) -> None:
        """Count a job that starts now until its planned end, in seconds."""
        self._ends[job.number] = end

    def placed(self, job: Job, start: float, end: float) -> None:
        """Count a job from a start to an end, in seconds."""
        for counter, amount in self._gate.limits_of(job).counting:
            self._places[counter].append((start, end, amount))

    def let(self, job: Job, date: float) -> bool:
        """Say whether a job may start at a date, in seconds."""
        return not any(
            counter.stops_beside(amount, date, self._ends, self._placed_at(counter, date))
            for counter, amount in self._gate.limits_of(job).stopping
        )

    def _placed_at(self, counter: "Counter", date: float) -> float:
        places = self._places.get(counter, ())
        return in_turn(amount for start, end, amount in places if start <= date < end)


class StoppedJobs:
    """What a backfilling may know of the jobs that limits keep out of its queue."""

    def __init__(self, gate: Gate, key: Callable[[Job, float], float]) -> None:
        self._gate = gate
        self._key = key

    def beside(self, queue: list[Job], now: float) -> list[Job]:
        """Return the queue with those whom limits alone stop, all in their order."""
        stopped = self._gate.stopped_by_limits(now)
        if not stopped:
            return queue
        key = self._key
        return sorted([*queue, *stopped], key=lambda job: (key(job, now), job.number))

    def limits(self, plan: Plan, now: float) -> LimitsOverTime:
        """Return the limits from now on."""
        return LimitsOverTime(self._gate, plan, now)
