"""The number of free processors over time, from now on."""

from bisect import bisect_left, bisect_right

from schedulers.job import Job
from schedulers.machine.machine import NEVER, Machine


class Floors:
    """For sizes and lengths of jobs the dates before which no place is searched again.

    A job for which the earliest place is at some date tells that no job of its size, and of its
    length or longer, has one before; until something is freed that begins before that date.

    Of each size the lengths are kept in ascending order with their dates, which ascend as well:
    what a shorter length tells of a later date is enough.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[float], list[float]]] = {}
        self._latest = -NEVER

    def of(self, size: int, duration: float) -> float:
        """Return a date, in seconds, before which such a job has no place."""
        known = self._known.get(size)
        if known is None:
            return -NEVER
        place = bisect_right(known[0], duration)
        return known[1][place - 1] if place else -NEVER

    def add(self, size: int, duration: float, date: float) -> None:
        """Note the earliest place of such a job, in seconds; it is later than `of` tells."""
        known = self._known.get(size)
        if known is None:
            self._known[size] = ([duration], [date])
        else:
            durations, dates = known
            first = bisect_left(durations, duration)
            last = bisect_right(dates, date, first)
            durations[first:last] = (duration,)
            dates[first:last] = (date,)
        if date > self._latest:
            self._latest = date

    def freed(self, start: float) -> None:
        """Forget what something that was freed from a date on, in seconds, may have changed."""
        if self._latest <= start:
            return
        self._latest = start
        for durations, dates in self._known.values():
            if dates and dates[-1] > start:
                kept = bisect_right(dates, start)
                del durations[kept:], dates[kept:]


class CountedAvailability:
    """A step function of time: the number of free processors; see `Availability`.

    Invariants: `times` ascends strictly, `free` has as many values, and ``free[i]`` holds from
    ``times[i]`` (included) to ``times[i + 1]`` (excluded), the last one for ever.

    Examples
    --------
    >>> from schedulers.machine.counting import Counting
    >>> availability = CountedAvailability(Counting(), 4, now=0.0)
    >>> first, second = (Job(f"w0!{n}", 0.0, 3, 10.0, number=n) for n in (1, 2))
    >>> availability.place(first, 10.0), availability.place(second, 5.0)
    (0.0, 10.0)
    """

    __slots__ = ("_floors", "_machine", "free", "times")

    def __init__(self, machine: Machine, processors: int, *, now: float) -> None:
        self.times = [now]
        self.free = [processors]
        self._machine = machine
        self._floors = Floors()

    def advance(self, now: float) -> None:
        """Forget what lies before now; see `Availability`."""
        times = self.times
        passed = bisect_right(times, now) - 1
        if passed > 0:
            del times[:passed]
            del self.free[:passed]
        times[0] = now

    def hold(self, job: Job, end: float) -> None:
        """Let a running job keep its processors; see `Availability`."""
        self._take(self.times[0], end, job.processors)

    def may_hold(self, job: Job, end: float) -> bool:
        """Say whether a running job can keep its processors; see `Availability`."""
        return self._fits(job.processors, self.times[0], end)

    def place(self, job: Job, duration: float) -> float:
        """Give a job the earliest place; see `Availability`."""
        size = job.processors
        start = self._earliest(size, duration)
        self._take(start, start + duration, size)
        return start

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a place, if it fits; see `Availability`."""
        size, end = job.processors, start + duration
        if not self._fits(size, start, end):
            return False
        self._take(start, end, size)
        return True

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Give a job the earliest place once more; see `Availability`."""
        size = job.processors
        floors = self._floors
        floor = floors.of(size, duration)
        if start == floor:
            return start
        if start < floor:
            # what stands in the way there may be this very job
            earlier = self._earliest(size, duration, before=start)
        else:
            # up to its place all is as if the job had none, and from there it fits
            earlier = self._earliest(size, duration, after=floor, before=start)
            if earlier != floor:
                floors.add(size, duration, earlier)
        if earlier < start:
            self.give_back(job, start, start + duration)
            self._take(earlier, earlier + duration, size)
        return earlier

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free processors; see `Availability`."""
        self._take(start, end, -job.processors)
        self._floors.freed(start)

    def start(self, job: Job) -> bool:
        """Take as many processors of the machine; see `Availability`."""
        return self._machine.take(job)

    def _take(self, start: float, end: float, size: int) -> None:
        """Take processors from a start to an end; a negative size gives them back."""
        if end <= start:
            return
        first = self._split(start)
        last = len(self.times) if end == NEVER else self._split(end)
        free = self.free
        free[first:last] = [count - size for count in free[first:last]]
        # steps that have become level are joined, so that the profile stays short
        if last < len(free) and free[last] == free[last - 1]:
            del self.times[last], free[last]
        if first and free[first] == free[first - 1]:
            del self.times[first], free[first]

    def _split(self, date: float) -> int:
        """Make a step begin at a date, and return its place."""
        times = self.times
        place = bisect_left(times, date)
        if place == len(times) or times[place] != date:
            times.insert(place, date)
            self.free.insert(place, self.free[place - 1])
        return place

    def _earliest(
        self, size: int, duration: float, *, after: float = -NEVER, before: float = NEVER
    ) -> float:
        """Return the earliest such date from `after` on; one at `before` is known."""
        times, free = self.times, self.free
        first = bisect_right(times, after) - 1 if after > times[0] else 0
        end = NEVER
        waiting = True
        start = before
        for place in range(first, len(times)):
            date = times[place]
            if date >= before or date >= end:
                break
            if free[place] < size:
                waiting = True
                end = NEVER
            elif waiting:
                waiting = False
                start = date if date > after else after  # noqa: FURB136 - asked very often
                end = start + duration
        return before if waiting else start

    def _fits(self, size: int, start: float, end: float) -> bool:
        """Say whether so many processors are free from a date to another."""
        times, free = self.times, self.free
        first = bisect_right(times, start) - 1
        for place in range(first, len(times)):
            if times[place] >= end:
                break
            if free[place] < size:
                return False
        return True
