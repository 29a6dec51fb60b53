"""The machine on which any processors do: those that are free are counted."""

from predictors.registry import PartSpec
from schedulers.job import BACKFILLED, QUEUE, Job
from schedulers.machine.counted import CountedAvailability
from schedulers.machine.machine import NEVER, Ends
from schedulers.machine.registry import ALLOCATIONS
from workload_tools.batsim.intervals import Intervals


class CountedReservation:
    """A date, and how many processors are left over from it on; see `Reservation`."""

    __slots__ = ("date", "extra")

    def __init__(self, date: float, extra: int) -> None:
        self.date = date
        self.extra = extra


class Counting:
    """A job has room where as many processors are free as it asks for, whichever they are.

    It gets some of them when it starts by the rule `allocation`: ``lowest``, ``contiguous``,
    ``best_fit``.

    Examples
    --------
    >>> machine = Counting()
    >>> machine.begin(4)
    >>> small, large = Job("w0!1", 0.0, 3, 60.0, number=1), Job("w0!2", 0.0, 4, 60.0, number=2)
    >>> machine.take(small), machine.take(large), machine.allocate(small)
    (True, False, ((0, 2),))
    >>> machine.reserve(large, [(60.0, 1, small)], 0.0).date
    60.0
    """

    by_size = True

    def __init__(self, allocation: PartSpec = "lowest") -> None:
        # as files tell it, it is an object with a name alone
        self.allocation, _ = ALLOCATIONS.split(allocation)
        self._rule = ALLOCATIONS.maker(allocation)
        self.free = self._processors = 0
        # one is enough, and to make one at each pass takes time
        self._reservation = CountedReservation(NEVER, 0)

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        self.free = self._processors = processors
        chosen_by = self._rule(processors)
        self._allocate, self._release = chosen_by.allocate, chosen_by.release

    @property
    def processors(self) -> int:
        """How many there are."""
        return self._processors

    def refusal(self, job: Job) -> str | None:
        """Say that a job is too large; see `Machine`."""
        if job.processors <= self._processors:
            return None
        return f"asks for {job.processors} processors; the machine has {self._processors}"

    def take(self, job: Job) -> bool:
        """Take as many as a job asks for; see `Machine`."""
        size = job.processors
        if size > self.free:
            return False
        self.free -= size
        return True

    def reserve(self, job: Job, ends: Ends, now: float) -> CountedReservation:
        """Find the first planned end from which on enough are free; see `Machine`.

        Jobs that end together count together.
        """
        date = now
        missing = job.processors - self.free
        for end, _, running in ends:
            if missing <= 0 and end > date:
                break
            if end > date:
                date = end
            missing -= running.processors
        else:
            if missing > 0:
                date, missing = NEVER, 0
        reservation = self._reservation
        reservation.date, reservation.extra = date, -missing
        return reservation

    def take_beside(self, job: Job, reservation: CountedReservation, end: float) -> str | None:
        """Take what is left over, or what is reserved and given back in time; see `Machine`."""
        size = job.processors
        if size > self.free:
            return None
        started_as = BACKFILLED
        if end > reservation.date:
            if size > reservation.extra:
                return None
            reservation.extra -= size
            started_as = QUEUE
        self.free -= size
        return started_as

    def give_back(self, job: Job) -> None:
        """Give back as many as a job asked for; see `Machine`."""
        self.free += job.processors
        if job.intervals:
            self._release(job.intervals)

    def allocate(self, job: Job) -> Intervals:
        """Let the rule choose a job's processors; see `Machine`."""
        return self._allocate(job.processors)

    def availability(self, now: float) -> CountedAvailability:
        """Return how many are free from now on; see `Machine`."""
        return CountedAvailability(self, self._processors, now=now)
