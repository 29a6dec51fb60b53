"""A machine that only counts its free processors, because all processors are alike."""

from array import array
from typing import Any

from predictors.registry import PartSpec
from schedulers.core.constants import BACKFILLED, NEVER, QUEUE
from schedulers.core.job import Job, Kind
from schedulers.core.machine import Availability, Machine, Reservation
from workload_tools.batsim.intervals import Intervals

MANY = 1000
"""`CountedAvailability` forgets its record of freed processors after this many entries."""


class Counting(Machine):
    """A machine on which a job has room if the number of free processors is large enough.

    When a job starts, the rule `allocation` chooses its processors among the free ones. Rules are
    ``lowest``, ``contiguous`` and ``best_fit``.

    Examples
    --------
    >>> from schedulers.core.job import Job
    >>> machine = Counting()
    >>> machine.begin(4)
    >>> small, large = Job("w0!1", 0.0, 3, 60.0, number=1), Job("w0!2", 0.0, 4, 60.0, number=2)
    >>> machine.take(small), machine.take(large), machine.allocate(small)
    (True, False, ((0, 2),))
    >>> small.planned_end = 60.0
    >>> machine.reserve(large, [small], 0.0).date
    60.0
    """

    OPTIONS = {"allocation": "lowest"}

    allocation: PartSpec

    def __init__(self, allocation: PartSpec = "lowest") -> None:
        from schedulers.machine.registry import ALLOCATIONS

        # in a specification file the rule is an object with only a name
        self.allocation, _ = ALLOCATIONS.split(allocation)
        self._rule: Any = ALLOCATIONS.maker(allocation)
        self.by_size = True
        self.free = self.size = 0
        self._which: Any = None
        # reused, because creating one in each pass takes time
        self._reservation = Reservation(NEVER, 0)

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        self.free = self.size = processors
        self._which = self._rule(processors)

    @property
    def processors(self) -> int:
        """The number of processors."""
        return self.size

    def refusal(self, job: Job) -> str | None:
        """Return a reason if a job requests more processors than the machine has; see `Machine`."""
        if job.processors <= self.size:
            return None
        return f"asks for {job.processors} processors; the machine has {self.size}"

    def take(self, job: Job) -> bool:
        """Take as many processors as a job requests; see `Machine`."""
        if job.processors > self.free:
            return False
        self.free -= job.processors
        return True

    def reserve(self, job: Job, running: list[Job], now: float) -> Reservation:
        """Find the first planned end that frees enough processors; see `Machine`.

        If several jobs end at this date, all their processors count as free.
        """
        date = now
        missing = job.processors - self.free
        for other in running:
            if missing <= 0 and other.planned_end > date:
                break
            if other.planned_end > date:
                date = other.planned_end
            missing -= other.processors
        if missing > 0:
            date = NEVER
            missing = 0
        reservation = self._reservation
        reservation.date = date
        reservation.extra = -missing
        return reservation

    def take_beside(self, job: Job, reservation: Reservation, end: float) -> bool:
        """Take extra or, until the reservation begins, reserved processors; see `Machine`."""
        if job.processors > self.free:
            return False
        if end > reservation.date:
            if job.processors > reservation.extra:
                return False
            reservation.extra -= job.processors
            job.started_as = QUEUE
        else:
            job.started_as = BACKFILLED
        self.free -= job.processors
        return True

    def give_back(self, job: Job) -> None:
        """Give back as many processors as a job requested; see `Machine`."""
        self.free += job.processors
        if job.intervals:
            self._which.release(job.intervals)

    def allocate(self, job: Job) -> Intervals:
        """Let the rule choose a job's processors; see `Machine`."""
        intervals: Intervals = self._which.allocate(job.processors)
        return intervals

    def availability(self, now: float) -> Availability:
        """Return the number of free processors over time, without running jobs; see `Machine`."""
        return CountedAvailability(self, self.size, now)


class Step:
    """The number of free processors from a date on, up to the next step."""

    __slots__ = ("date", "free")

    def __init__(self, date: float, free: int) -> None:
        self.date = date
        self.free = free


class CountedAvailability(Availability):
    """The number of free processors over time, as steps. The last step has no end.

    The dates of the steps ascend strictly. See `Availability`.

    Examples
    --------
    >>> from schedulers.core.job import Job
    >>> availability = CountedAvailability(Counting(), 4, 0.0)
    >>> first, second = (Job(f"w0!{n}", 0.0, 3, 10.0, number=n) for n in (1, 2))
    >>> availability.place(first, 10.0), availability.place(second, 5.0)
    (0.0, 10.0)
    """

    def __init__(self, machine: Machine, processors: int, now: float) -> None:
        self.steps: list[Step] = [Step(now, processors)]
        self._machine = machine
        # how often processors were freed, and the value of this count at the last reset
        self._freed = self._base = 0
        # for each release: from which date on (ascending), and its number; a later release from
        # an earlier date replaces the entries after this date
        self._freed_from = array("d", [0.0]) * MANY
        self._freed_as = array("q", [0]) * MANY
        self._noted = 0

    def advance(self, now: float) -> None:
        """Forget the steps before now; see `Availability`."""
        passed = self.holding(now)
        if passed > 0:
            del self.steps[:passed]
        step = self.steps[0]
        step.date = now

    def hold(self, job: Job, end: float) -> None:
        """Hold a running job's processors until `end`; see `Availability`."""
        step = self.steps[0]
        self.take(step.date, end, job.processors)

    def may_hold(self, job: Job, end: float) -> bool:
        """Say whether a running job can hold its processors until `end`; see `Availability`."""
        step = self.steps[0]
        return self.fits(job.processors, step.date, end)

    def place(self, job: Job, duration: float) -> float:
        """Give a job the earliest reservation; see `Availability`."""
        start = self.earliest(job.processors, duration, -NEVER, NEVER)
        self.take(start, start + duration, job.processors)
        return start

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a reservation, if it fits; see `Availability`."""
        if not self.fits(job.processors, start, start + duration):
            return False
        self.take(start, start + duration, job.processors)
        return True

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Move a job's reservation to the earliest date; see `Availability`.

        Once a job of a kind has its earliest reservation, no other job of this kind can have an
        earlier reservation, until processors are freed before that reservation.
        """
        kind = job.alike if duration == job.walltime else None
        floor = -NEVER
        if kind is not None and self.is_first(kind):
            floor = kind.room
        if start == floor:
            return start
        if start < floor:
            # the kind's earliest reservation was computed while this job itself held processors
            floor = -NEVER
            kind = None
        # removing the job's reservation would free nothing before the start of the reservation
        place = self.earliest(job.processors, duration, floor, start)
        if kind is not None:
            kind.noted_by = self
            kind.noted_at = self._freed
            kind.room = place
        if place < start:
            self.give_back(job, start, start + duration)
            self.take(place, place + duration, job.processors)
        return place

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free processors; see `Availability`."""
        self.take(start, end, -job.processors)
        dates, noted = self._freed_from, self._noted
        while noted and dates[noted - 1] >= start:
            noted -= 1
        self._freed += 1
        if noted == MANY:
            noted = 0
            self._base = self._freed
        else:
            dates[noted] = start
            self._freed_as[noted] = self._freed
            noted += 1
        self._noted = noted

    def is_first(self, kind: Kind) -> bool:
        """Say whether the noted earliest reservation of a kind is still the earliest."""
        if kind.noted_by is not self or kind.noted_at < self._base:
            return False
        noted = self._noted
        if not noted or kind.noted_at == self._freed:
            return True
        numbers = self._freed_as
        low, high = 0, noted
        while low < high:
            middle = (low + high) >> 1
            if numbers[middle] <= kind.noted_at:
                low = middle + 1
            else:
                high = middle
        return low == noted or not self._freed_from[low] < kind.room

    def start(self, job: Job) -> bool:
        """Take the job's processors on the machine; see `Availability`."""
        return self._machine.take(job)

    def holding(self, date: float) -> int:
        """Return the index of the step that covers a date, or -1 before the first step."""
        steps = self.steps
        low, high = 0, len(steps)
        while low < high:
            middle = (low + high) >> 1
            step = steps[middle]
            if step.date <= date:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def split(self, date: float) -> int:
        """Make a step begin at a date and return its index."""
        place = self.holding(date)
        step = self.steps[place]
        if step.date == date:
            return place
        new = Step.__new__(Step)
        new.date = date
        new.free = step.free
        self.steps.insert(place + 1, new)
        return place + 1

    def take(self, start: float, end: float, size: int) -> None:
        """Take `size` processors from `start` to `end`. A negative size gives processors back."""
        if end <= start:
            return
        first = self.split(start)
        last = len(self.steps) if end == NEVER else self.split(end)
        steps = self.steps
        for place in range(first, last):
            step = steps[place]
            step.free -= size
        # join steps of equal height to keep the list short
        if last < len(steps):
            step, before = steps[last], steps[last - 1]
            if step.free == before.free:
                del steps[last]
        if first:
            step, before = steps[first], steps[first - 1]
            if step.free == before.free:
                del steps[first]

    def fits(self, size: int, start: float, end: float) -> bool:
        """Say whether `size` processors are free from `start` to `end`."""
        steps = self.steps
        first = self.holding(start)
        for place in range(first, len(steps)):
            step = steps[place]
            if step.date >= end:
                break
            if step.free < size:
                return False
        return True

    def earliest(self, size: int, duration: float, after: float, before: float) -> float:
        """Return the first date at which `size` processors are free for `duration` seconds.

        The date is between `after` and `before`. If there is none, return `before`.
        """
        steps = self.steps
        step = steps[0]
        first = 0
        if after > step.date:
            first = self.holding(after)
        end = NEVER
        waiting = True
        start = before
        for place in range(first, len(steps)):
            step = steps[place]
            if step.date >= before or step.date >= end:
                break
            if step.free < size:
                waiting = True
                end = NEVER
            elif waiting:
                waiting = False
                start = step.date if step.date > after else after
                end = start + duration
        return before if waiting else start
