"""The blocks of a machine over time, from now on."""

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from schedulers.core.job import Job
from schedulers.core.machine import NEVER, Availability

if TYPE_CHECKING:
    from schedulers.machine.blocks import Blocks


class BlocksOverTime(Availability):
    """The blocks that jobs hold in each time step; see `Availability`.

    Invariants: `times` ascends strictly. `held` and `idle` have one value per step, valid from
    ``times[i]`` (included) to ``times[i + 1]`` (excluded). The last value is valid for ever. `held`
    maps job numbers to blocks. `idle` is the bit mask of the blocks that no held block excludes.
    """

    def __init__(self, machine: "Blocks", *, now: float) -> None:
        self._machine = machine
        self.times = [now]
        self.held: list[dict[int, int]] = [{}]
        self.idle = [-1]

    def advance(self, now: float) -> None:
        """Forget the time before now; see `Availability`."""
        passed = bisect_right(self.times, now) - 1
        if passed > 0:
            del self.times[:passed], self.held[:passed], self.idle[:passed]
        self.times[0] = now

    def hold(self, job: Job, end: float) -> None:
        """Hold the block of a running job; see `Availability`."""
        self._take(job, self._machine.running[job.number], self.times[0], end)

    def may_hold(self, job: Job, end: float) -> bool:
        """Return True if a running job can keep its block; see `Availability`."""
        return bool(self._idle_during(self.times[0], end) >> self._machine.running[job.number] & 1)

    def place(self, job: Job, duration: float) -> float:
        """Give a job the earliest place; see `Availability`."""
        return self._place(job, duration, before=NEVER)

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a place on its former block, if this is free; see `Availability`."""
        machine, end = self._machine, start + duration
        free = self._idle_during(start, end) & machine.candidates(job.processors)
        if not free:
            return False
        block = machine.places.get(job.number)
        if block is None or not free >> block & 1:
            idle = self.idle[bisect_right(self.times, start) - 1]
            block = machine.best(free, job.processors, idle=idle)
        self._take_place(job, block, start, end)
        return True

    def move_up(self, job: Job, start: float, duration: float) -> float:
        """Give a job its earliest place again; see `Availability`."""
        self.give_back(job, start, start + duration)
        earlier = self._place(job, duration, before=start)
        if earlier == start < NEVER:
            block = self._machine.places[job.number]
            self._take(job, block, start, start + duration)
        return earlier

    def give_back(self, job: Job, start: float, end: float) -> None:
        """Free a job's block; see `Availability`."""
        if end <= start:
            return
        beside = self._machine.beside
        first, last = self._steps(start, end)
        for place in range(first, last):
            held = self.held[place]
            if held.pop(job.number, None) is not None:
                idle = -1
                for block in held.values():
                    idle &= beside[block]
                self.idle[place] = idle
        self._join(first, last)

    def start(self, job: Job) -> bool:
        """Take the block of a job's place; see `Availability`."""
        return self._machine.take_block(job, self._machine.places[job.number])

    def _place(self, job: Job, duration: float, *, before: float) -> float:
        """Give a job its earliest place before a date; return the date if there is none."""
        machine, times, idle = self._machine, self.times, self.idle
        candidates = machine.candidates(job.processors)
        for first, date in enumerate(times):
            if date >= before:
                break
            if not candidates & idle[first]:
                continue
            free = candidates & self._idle_during(date, date + duration)
            if free:
                block = machine.best(free, job.processors, idle=idle[first])
                self._take_place(job, block, date, date + duration)
                return date
        return before

    def _take_place(self, job: Job, block: int, start: float, end: float) -> None:
        self._machine.places[job.number] = block
        self._take(job, block, start, end)

    def _take(self, job: Job, block: int, start: float, end: float) -> None:
        if end <= start:
            return
        beside = self._machine.beside[block]
        first, last = self._steps(start, end)
        for place in range(first, last):
            self.held[place][job.number] = block
            self.idle[place] &= beside
        self._join(first, last)

    def _idle_during(self, start: float, end: float) -> int:
        """Return a bit mask of the blocks that are idle from a start to an end."""
        times, idle = self.times, self.idle
        place = bisect_right(times, start) - 1
        free = idle[place]
        place += 1
        while free and place < len(times) and times[place] < end:
            free &= idle[place]
            place += 1
        return free

    def _steps(self, start: float, end: float) -> tuple[int, int]:
        first = self._split(start)
        return first, len(self.times) if end == NEVER else self._split(end)

    def _split(self, date: float) -> int:
        """Make a step begin at a date, and return its index."""
        times = self.times
        place = bisect_left(times, date)
        if place == len(times) or times[place] != date:
            times.insert(place, date)
            self.held.insert(place, dict(self.held[place - 1]))
            self.idle.insert(place, self.idle[place - 1])
        return place

    def _join(self, first: int, last: int) -> None:
        """Join equal neighbouring steps, to keep the lists short."""
        for place in (last, first):
            if 0 < place < len(self.times) and self.held[place] == self.held[place - 1]:
                del self.times[place], self.held[place], self.idle[place]
