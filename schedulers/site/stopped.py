"""Waiting jobs that only limits stop, and the dates at which the limits let them start."""

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
    """The limits of a site over time, if all jobs end as planned.

    A running job beyond its planned end is assumed to end now (in seconds).
    """

    def __init__(self, gate: Gate, plan: Plan, now: float) -> None:
        self._gate = gate
        self._ends = {job.number: max(job.planned_end, now) for job in plan.jobs}
        self._places: defaultdict[Counter, list[tuple[float, float, float]]] = defaultdict(list)

    def started(self, job: Job, end: float) -> None:
        """Count a job that starts now, until its planned end in seconds."""
        self._ends[job.number] = end

    def placed(self, job: Job, start: float, end: float) -> None:
        """Count a planned job from its start to its end, in seconds."""
        for counter, amount in self._gate.limits_of(job).counting:
            self._places[counter].append((start, end, amount))

    def let(self, job: Job, date: float) -> bool:
        """Return True if all limits let a job start at a date, in seconds."""
        return not any(
            counter.stops_beside(amount, date, self._ends, self._placed_at(counter, date))
            for counter, amount in self._gate.limits_of(job).stopping
        )

    def _placed_at(self, counter: "Counter", date: float) -> float:
        places = self._places.get(counter, ())
        return in_turn(amount for start, end, amount in places if start <= date < end)


class StoppedJobs:
    """Gives a backfilling rule the jobs that limits keep out of its queue."""

    def __init__(self, gate: Gate, key: Callable[[Job, float], float]) -> None:
        self._gate = gate
        self._key = key

    def beside(self, queue: list[Job], now: float) -> list[Job]:
        """Return the queue together with the jobs that only limits stop, in priority order."""
        stopped = self._gate.stopped_by_limits(now)
        if not stopped:
            return queue
        key = self._key
        return sorted([*queue, *stopped], key=lambda job: (key(job, now), job.number))

    def limits(self, plan: Plan, now: float) -> LimitsOverTime:
        """Return the limits from now on."""
        return LimitsOverTime(self._gate, plan, now)
