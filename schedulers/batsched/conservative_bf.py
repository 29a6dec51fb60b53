"""Conservative backfilling that decides as batsched's ``conservative_bf`` does."""

from bisect import bisect_left, bisect_right
from heapq import heappop, heappush

from schedulers.batsched.waiting import (
    Admission,
    WaitingJob,
    exact,
    in_queue_order,
    in_seconds,
    lowest,
)
from schedulers.core.constants import shifted
from schedulers.decisions import Decision, Request
from schedulers.errors import SchedulerError
from schedulers.journal import Journal
from workload_tools.batsim.decisions import Execute
from workload_tools.batsim.intervals import Intervals


class Timetable:
    """The free processors from now on. Dates are whole numbers in any unit.

    The timetable is a list of slices. Each slice lasts until the next one begins. The last slice
    has no end. Two neighbouring slices never have the same free processors.

    Examples
    --------
    >>> timetable = Timetable(4)
    >>> timetable.take(3, 10)
    (0, 7, ((0, 2),))
    >>> timetable.take(2, 5)
    (10, 3, ((0, 1),))
    >>> timetable.take(1, 12)
    (0, 8, ((3, 3),))
    """

    def __init__(self, processors: int) -> None:
        self._begins = [0]
        self._free = [shifted(1, processors) - 1]

    def advance(self, now: int) -> None:
        """Forget everything before `now`. Dates must not decrease between calls."""
        begins = self._begins
        passed = bisect_left(begins, now + 1) - 1
        if passed:
            del begins[:passed]
            del self._free[:passed]
        begins[0] = now

    def give_back(self, bits: int, begin: int, end: int) -> None:
        """Free the processors `bits` from `begin` (or now, if later) to `end`."""
        begins, free = self._begins, self._free
        if end <= begins[0]:
            return
        first = self._split(begin) if begin > begins[0] else 0
        last = self._split(end)
        for place in range(first, last):
            free[place] |= bits
        self._join(last)
        self._join(first)

    def take(self, size: int, length: int, after: int = 0) -> tuple[int, int, Intervals]:
        """Take the lowest `size` processors that are free for `length`, as early as possible.

        Return the start, and the processors as bits and as intervals. The search begins at `after`,
        because the caller knows that no earlier start is possible.
        """
        begins, free = self._begins, self._free
        first = bisect_left(begins, after) if after > begins[0] else 0
        first, last, available = self._first_fit(size, length, first)
        begin = begins[first]
        end = begin + length
        bits, intervals = lowest(available, size)
        if last == len(begins) or begins[last] != end:
            begins.insert(last, end)
            free.insert(last, free[last - 1])
        for place in range(first, last):
            free[place] ^= bits
        self._join(last)
        self._join(first)
        return begin, bits, intervals

    def _first_fit(self, size: int, length: int, first: int) -> tuple[int, int, int]:
        """Return the earliest place: its first slice, the slice after it, and the free bits."""
        begins, free = self._begins, self._free
        count = len(begins)
        while True:
            available = free[first]
            while available.bit_count() < size:
                first += 1
                available = free[first]
            last = first + 1
            while True:
                end = begins[first] + length
                while last < count and begins[last] < end:
                    both = available & free[last]
                    if both.bit_count() < size:
                        break
                    available = both
                    last += 1
                else:
                    return first, last, available
                # no reservation with an earlier begin can contain this slice; try the next begin
                available = free[last]
                if available.bit_count() < size:
                    first = last + 1
                    break
                first = last
                both = available & free[first - 1]
                while both.bit_count() >= size:
                    available = both
                    first -= 1
                    both = available & free[first - 1]
                last += 1

    def _split(self, date: int) -> int:
        """Return the slice that begins at `date`, which must be later than the first slice."""
        begins = self._begins
        place = bisect_left(begins, date)
        if place == len(begins) or begins[place] != date:
            begins.insert(place, date)
            self._free.insert(place, self._free[place - 1])
        return place

    def _join(self, place: int) -> None:
        """Join a slice with the slice before, if both have the same free processors."""
        if place and self._free[place] == self._free[place - 1]:
            del self._free[place]
            del self._begins[place]


class Floors:
    """For job sizes and lengths: the date before which such a job has no reservation in this pass.

    `longest` is the length of the longest job.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        # for each size: lengths and dates, both ascending
        self._known: dict[int, tuple[list[int], list[int]]] = {}

    def of(self, size: int, length: int) -> int:
        """Return the date before which a job has no reservation, or 0 if no such date is known."""
        lengths, dates = self._known.get(size, ((), ()))
        place = bisect_right(lengths, length)
        return dates[place - 1] if place else 0

    def add(self, size: int, length: int, date: int) -> None:
        """Record that a job of at least this size and length has no reservation before `date`."""
        lengths, dates = self._known.setdefault(size, ([], []))
        first, last = bisect_left(lengths, length), bisect_right(dates, date)
        if first and dates[first - 1] >= date:
            return
        lengths[first:last], dates[first:last] = [length], [date]

    def freed(self, begin: int) -> None:
        """Record that some processors are free again from `begin` on."""
        # a reservation that ends by `begin` cannot use these processors
        latest = begin - self._longest + 1
        for lengths, dates in self._known.values():
            place = bisect_left(dates, latest)
            if place < len(dates):
                dates[place:], lengths[place + 1 :] = [latest], []


MANY = 20
"""`Floors` are used from this number of waiting jobs on."""

Place = tuple[int, int, int]
"""A job's processors as bits, with the begin and end of its reservation."""


class ConservativeBf:
    """Conservative backfilling that plans with individual processors, as in batsched.

    Each waiting job has a reservation in a timetable: the earliest date at which enough processors
    are free for its walltime, and the lowest of these processors. A new job moves no other
    reservation. When a job has ended, the waiting jobs move in the order of the queue: each job
    gives up its reservation and gets the earliest possible reservation, while later jobs keep
    theirs. A job starts when its reservation begins. Dates are compared exactly and not as rounded
    floating-point numbers. `rjms_delay`, in seconds, is added to each walltime. It must be longer
    than the delay with which ends of jobs are reported.
    """

    needs_fields = False
    journal: Journal | None = None

    def __init__(self, rjms_delay: float = 5.0) -> None:
        self.rjms_delay = rjms_delay
        self._queue: list[WaitingJob] = []
        self._places: dict[str, Place] = {}
        self._running: set[str] = set()
        self._ends: list[tuple[int, str]] = []

    def begin(self, processors: int) -> None:
        """Start with an idle machine; see `Policy`."""
        self._admission = Admission(processors, exact(self.rjms_delay))
        self._timetable = Timetable(processors)

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request.

        Raise a `SchedulerError` if a job runs longer than its walltime plus `rjms_delay`.
        """
        decisions: list[Decision] = []
        for job_id in request.ended:
            self._running.remove(job_id)
            self._timetable.give_back(*self._places.pop(job_id))
        new = self._admission.admit(request, decisions) if request.submitted else []
        now = exact(request.now)
        self._advance(now)
        self._queue += in_queue_order(new)
        moving = self._queue if request.ended else new
        floors = None
        if len(moving) >= MANY:
            floors = Floors(max([job.length for job in moving]))
        for job in moving:
            intervals = self._place(job, floors, now)
            if intervals:
                decisions.append(Execute(request.now, job.id, intervals))
        if decisions:
            self._queue = [job for job in self._queue if job.id not in self._running]
        return decisions

    def promised(self) -> list[tuple[str, float]]:
        """Return the waiting jobs in their order with their planned starts, in seconds."""
        return [(job.id, in_seconds(self._places[job.id][1])) for job in self._queue]

    def _advance(self, now: int) -> None:
        """Advance to `now`. Every running job must be planned to end later."""
        ends = self._ends
        while ends and ends[0][1] not in self._running:
            heappop(ends)
        if ends and ends[0][0] <= now:
            raise SchedulerError(
                f"job {ends[0][1]} has run longer than its walltime plus the rjms_delay of "
                f"{self.rjms_delay:g} s, but its processors are planned for other jobs; give a "
                "longer rjms_delay, such as batsched's 5 s"
            )
        self._timetable.advance(now)

    def _place(self, job: WaitingJob, floors: Floors | None, now: int) -> Intervals | None:
        """Give a job its earliest reservation; return its processors if it begins now."""
        before, after = self._places.get(job.id), 0
        if before is not None:
            self._timetable.give_back(*before)
        if floors is not None:
            after = floors.of(job.size, job.length)
            if before is not None:
                # the floor does not consider the reservation that this job has just given back
                after = min(after, before[1] - job.length + 1)
        begin, bits, intervals = self._timetable.take(job.size, job.length, after)
        end = begin + job.length
        place = bits, begin, end
        if floors is not None:
            if before not in (None, place):
                floors.freed(before[1])
            floors.add(job.size, job.length, begin)
        self._places[job.id] = place
        if begin > now:
            return None
        self._running.add(job.id)
        heappush(self._ends, (end, job.id))
        return intervals
