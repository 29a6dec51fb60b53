"""A machine behind the gate of a site. A job that a limit stops gets no processors."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from predictors.estimate import in_turn
from schedulers.core.job import Job, Plan
from schedulers.core.machine import ALL_MAY, Availability, Machine, Reservation, Without
from schedulers.site.counters import Counter
from schedulers.site.gate import Gate
from workload_tools.batsim.intervals import Intervals


class GatedMachine(Machine):
    """A machine that counts jobs for the site's limits as soon as they take room.

    So limits also hold within a pass. If the jobs started in a pass reach a limit, and the limit
    stops the next job that has room, the pass ends: no further job gets room. The next pass begins
    immediately without the stopped job, as if the limit had stopped this job before. If `skips` is
    set, the pass continues, and only the stopped job gets no room.

    The methods are those of the machine `inside`; see `Machine`. `promises` says whether the
    backfilling rule may plan starts even after the end of a pass. These planned starts are removed.
    """

    def __init__(
        self, inside: Machine, gate: Gate, *, promises: bool = True, skips: bool = False
    ) -> None:
        self.inside = self._inside = inside
        self.gate = gate
        self._now = 0.0
        self._may_promise = promises
        self._skips = skips
        self._promises: list[tuple[Job, float, float]] = []
        self._queue: list[Job] = []
        self._in_pass = False
        self.over = False
        """True if a limit has ended the pass."""
        self.free = 0
        """The free processors in a pass; see `Machine`."""
        self._without = getattr(inside, "without", None)
        self.needs_fields = True
        self.by_size = inside.by_size

    def begin_pass(self, queue: list[Job], now: float) -> None:
        """Begin a pass through the queue, which holds the jobs that no rule stops."""
        self._now, self._queue, self.over, self._in_pass = now, queue, False, True
        free = self._inside.free
        self.free = free if free > 0 else 0  # noqa: FURB136 - asked at each pass

    def end_pass(self) -> None:
        """Remove the planned starts that jobs got after the pass had ended."""
        for job, first, last in self._promises:
            job.first_promise, job.last_promise = first, last
        self._promises, self._in_pass = [], False

    @property
    def processors(self) -> int:
        """The number of processors; see `Machine`."""
        return self._inside.processors

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        self._inside.begin(processors)
        self.free = self._inside.free

    def refusal(self, job: Job) -> str | None:
        """Return why a job could not run even on the idle machine; see `Machine`."""
        return self._inside.refusal(job)

    def stops(self, job: Job, placement: Any = None) -> bool:  # noqa: ANN401 - the machine's own
        """Return ``True`` if a limit that this pass has reached stops a job of the queue.

        With a placement, also return ``True`` if its nodes and GPUs would exceed a limit.
        """
        if placement is not None and self.gate.stops_at(job, placement, self._now):
            return True
        return self.gate.stops(job, self._now)

    def _stops(self, job: Job) -> bool:
        """Return ``True`` if a job must not get room. A job that a limit stops ends the pass."""
        if self._skips:
            return self.stops(job)
        if not self.over and self.gate.stops(job, self._now):
            self.over = True
            self.free = 0
            if self._may_promise:
                self._promises = [(one, one.first_promise, one.last_promise) for one in self._queue]
        return self.over

    def take(self, job: Job) -> bool:
        """Take room for a job that starts now; see `Machine`."""
        if (self.over or self.gate.unsure) and self._stops(job):
            return False
        if not self._inside.take(job):
            return False
        self.free = self._inside.free
        self.gate.start_counting(job, self._now)
        return True

    def take_at(self, job: Job, placement: Any) -> bool:  # noqa: ANN401 - the machine's own
        """Take nodes that the scheduler has chosen; see `Nodes`."""
        inside: Any = self._inside
        if self._stops(job) or not inside.take_at(job, placement):
            return False
        self.free = self._inside.free
        self.gate.start_counting(job, self._now)
        return True

    def start(self, job: Job, availability: Availability) -> bool:
        """Take room for a job whose reservation begins now; see `Availability`."""
        if self._stops(job) or not self._inside.start(job, availability):
            return False
        self.free = self._inside.free
        self.gate.start_counting(job, self._now)
        return True

    def reserve(self, job: Job, running: list[Job], now: float) -> Reservation:
        """Find the date at which a job has room; see `Machine`."""
        if self.over:
            # the pass is over: keep the old reservation, and leave no extra processors
            return Reservation(job.last_promise, 0)
        return self._inside.reserve(job, running, now)

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        """Take room beside a reservation; see `Machine`."""
        # check limits last: a job without room must not end the pass
        if job.processors > self.free or (
            end > reservation.date and job.processors > reservation.extra
        ):
            return False
        if (self.over or self.gate.unsure) and self._stops(job):
            return False
        if not self._inside.take_beside(job, reservation, end):
            return False
        self.free = self._inside.free
        self.gate.start_counting(job, self._now)
        return True

    def without(self, reservation: Any) -> Without:  # noqa: ANN401 - the machine's own
        """Return the kinds of jobs that have no room; see `Machine`.

        Return no kinds if a limit may stop a job and so end the pass.
        """
        if self._without is None or self.over or self.gate.unsure:
            return ALL_MAY
        known: Without = self._without(reservation)
        return known

    def give_back(self, job: Job) -> None:
        """Give back the room of a job; see `Machine`."""
        self._inside.give_back(job)
        if self._in_pass and not self.over:
            self.free = max(0, self._inside.free)
        self.gate.stop_counting(job, self._in_pass)

    def allocate(self, job: Job) -> Intervals:
        """Choose the processors of a job; see `Machine`."""
        return self._inside.allocate(job)

    def availability(self, now: float) -> Availability:
        """Return the machine over time; see `Machine`."""
        return self._inside.availability(now)


class LimitsOverTime:
    """The limits of a site over time, if all jobs end as planned.

    A running job that is past its planned end is assumed to end now.
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
            counter.stops_later(amount, date, self._ends, self._placed_at(counter, date))
            for counter, amount in self._gate.limits_of(job).stopping
        )

    def _placed_at(self, counter: Counter, date: float) -> float:
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
        """Return the site's limits over time, from now on."""
        return LimitsOverTime(self._gate, plan, now)
