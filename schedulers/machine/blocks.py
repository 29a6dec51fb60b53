"""The machine that gives each job a block of processors. Some blocks exclude each other."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from predictors.checks import require_choice
from predictors.errors import OptionError
from schedulers.core.job import BACKFILLED, QUEUE, Job
from schedulers.core.machine import NEVER, Availability, Machine, Reservation
from schedulers.errors import SchedulerError
from schedulers.journal import BlockLog
from schedulers.machine.block import Block, BlockList
from schedulers.machine.block_file import blocks_of, content_of, read_blocks
from workload_tools.batsim.intervals import Intervals

SIZES = ("smallest", "any")
CHOICES = ("blocks_least", "first")


class BlockReservation(Reservation):
    """The block that is drained for a job, and the date at which it is estimated to be free.

    `extra` is the size of the largest idle block that the drained block does not exclude.
    """

    def __init__(self, block: int, date: float, extra: int) -> None:
        super().__init__(date, extra)
        self.block = block


class Blocks(Machine):
    """Gives each job its own block, as Cobalt does on Blue Gene (Tang et al., paper 004, II C).

    While a job uses a block, no job can get a block that this block excludes. A job gets an idle
    block of the smallest size that holds the job. Of several such blocks, it gets the block that
    excludes the fewest other idle blocks.

    The first job of the queue that finds no block drains a block: the block that will be free first
    by the planned ends of the running jobs. Of blocks that are free at the same date, it drains the
    block that excludes the fewest blocks that are idle now. Other jobs start on idle blocks that
    the drained block does not exclude. They start on excluded blocks only if they are estimated to
    end before the drained block is free.

    If a job requests fewer processors than its block has, the other processors stay unused.

    Parameters
    ----------
    file
        The machine's file, its content, or a `BlockList`.
    sizes
        ``smallest``: a job runs only on blocks of the smallest size that holds it. ``any``: if no
        such block is idle, the job runs on a larger block.
    choice
        Which of several idle blocks a job gets. ``blocks_least``: the block that excludes the
        fewest idle blocks. ``first``: the first block in the list.

    Raises
    ------
    OptionError
        The file cannot be read, or a block is invalid.

    Examples
    --------
    >>> ranges = [("left", "0-1"), ("right", "2-3"), ("all", "0-3")]
    >>> blocks = [{"name": name, "processors": which} for name, which in ranges]
    >>> machine = Blocks({"kind": "blocks", "processors": 4, "blocks": blocks})
    >>> machine.begin(4)
    >>> jobs = [Job(f"w0!{n}", 0.0, n, 60.0, number=n) for n in (1, 2, 3)]
    >>> [machine.take(job) for job in jobs]
    [True, True, False]
    >>> machine.allocate(jobs[0]), machine.block_of(jobs[1]).name
    (((0, 0),), 'right')
    >>> jobs[0].planned_end, jobs[1].planned_end = 60.0, 90.0
    >>> machine.reserve(jobs[2], jobs[:2], 0.0).date
    90.0
    """

    def __init__(
        self,
        file: str | Path | Mapping[str, Any] | BlockList,
        *,
        sizes: str = "smallest",
        choice: str = "blocks_least",
    ) -> None:
        self.file: Any = content_of(file) if isinstance(file, BlockList) else file
        if isinstance(file, Path):
            self.file = str(file)
        self.sizes = require_choice("sizes", sizes, SIZES)
        self.choice = require_choice("choice", choice, CHOICES)
        self.machine = _machine_of(file)
        blocks, self._excluded = self.machine.blocks, self.machine.excluded
        self._all = (1 << len(blocks)) - 1
        self.beside = [self._all & ~excluded for excluded in self._excluded]
        """For each block, a bit mask of the blocks that it does not exclude."""
        self._of_size: dict[int, int] = {}
        for place, block in sorted(enumerate(blocks), key=lambda item: item[1].size):
            self._of_size[block.size] = self._of_size.get(block.size, 0) | 1 << place
        self._holding: dict[int, tuple[int, ...]] = {}
        self._largest_first = tuple(reversed(self._of_size.items()))
        self.running: dict[int, int] = {}
        self.places: dict[int, int] = {}
        """`running` holds the blocks of running jobs, `places` the planned blocks of waiting jobs.
        Keys are the jobs' numbers."""
        self.by_size = True
        self.idle = self._all
        """The blocks that a job can get now, as a bit mask."""
        self.free = self.largest(self.idle)
        self.log = BlockLog()

    @property
    def processors(self) -> int:
        """The number of processors; see `Machine`."""
        return self.machine.processors

    def begin(self, processors: int) -> None:
        """Become an idle machine; see `Machine`."""
        if processors != self.machine.processors:
            raise SchedulerError(
                f"machine '{self.machine.name}' of blocks has {self.machine.processors} "
                f"processors; the platform has {processors}"
            )
        self.running.clear()
        self.places.clear()
        self.idle = self._all
        self.free = self.largest(self.idle)

    def refusal(self, job: Job) -> str | None:
        """Return a reason if a job is larger than every block, else ``None``; see `Machine`."""
        largest = self._largest_first[0][0]
        if job.processors <= largest:
            return None
        return f"asks for {job.processors} processors; the largest block has {largest}"

    def take(self, job: Job) -> bool:
        """Take the best idle block; see `Machine`."""
        return self._take_one(job, self.idle)

    def reserve(self, job: Job, running: list[Job], now: float) -> BlockReservation:
        """Find the block that will be free first by planned ends; see `Machine`."""
        left = first = self.candidates(job.processors)
        date, later = now, NEVER
        beside, blocks = self.beside, self.running
        # from the last planned end backwards, until no block would be free before the end
        for other in reversed(running):
            end = other.planned_end
            if end <= now:
                break
            if end < later:
                first, later = left, end  # the block is free after this end
            left &= beside[blocks[other.number]]
            if not left:
                left, date = first, end
                break
        drained = self.best(left, job.processors, idle=self.idle)
        self.log.drains(job, self.machine.blocks[drained], now)
        extra = self.largest(self.idle & beside[drained])
        return BlockReservation(drained, date, extra)

    def take_beside(self, job: Job, reservation: Any, end: float) -> bool:  # noqa: ANN401 - its own
        """Take a block that does not delay the drained block; see `Machine`."""
        outside = self.beside[reservation.block]
        if self._take_one(job, self.idle & outside):
            job.started_as = QUEUE
            return True
        if end <= reservation.date and self._take_one(job, self.idle & ~outside):
            job.started_as = BACKFILLED
            return True
        return False

    def give_back(self, job: Job) -> None:
        """Free a job's block; see `Machine`."""
        del self.running[job.number]
        idle, beside = self._all, self.beside
        for block in self.running.values():
            idle &= beside[block]
        self.idle = idle
        self.free = self.largest(idle)

    def allocate(self, job: Job) -> Intervals:
        """Return the first processors of a job's block; see `Machine`."""
        block = self.block_of(job)
        self.log.starts(job, block)
        given, missing = [], job.processors
        for first, last in block.processors:
            last = min(last, first + missing - 1)  # noqa: PLW2901 - only the needed part
            given.append((first, last))
            missing -= last - first + 1
            if not missing:
                break
        return tuple(given)

    def availability(self, now: float) -> "BlocksOverTime":
        """Return the idle blocks over time, from now on; see `Machine`."""
        return BlocksOverTime(self, now=now)

    def block_of(self, job: Job) -> Block:
        """Return the block of a running job."""
        return self.machine.blocks[self.running[job.number]]

    def take_block(self, job: Job, block: int) -> bool:
        """Take a block by its index in the list; return ``False`` if the block is not idle."""
        if not self.idle >> block & 1:
            return False
        self.running[job.number] = block
        self.places.pop(job.number, None)
        self.idle &= self.beside[block]
        self.free = self.largest(self.idle)
        return True

    def candidates(self, size: int) -> int:
        """Return a bit mask of the blocks on which a job of a size may run."""
        mask = 0
        for of_size in self._classes(size):
            mask |= of_size
        return mask

    def best(self, blocks: int, size: int, *, idle: int) -> int:
        """Return the index of the best block for a size. At least one block must be large enough.

        The best block excludes the fewest `idle` blocks. `blocks` and `idle` are bit masks.
        """
        blocks = next(filter(None, (blocks & of_size for of_size in self._classes(size))))
        first = (blocks & -blocks).bit_length() - 1
        if self.choice == "first":
            return first
        excluded = self._excluded
        best, blocked = first, (excluded[first] & idle).bit_count()
        blocks &= blocks - 1
        while blocks:
            last = blocks & -blocks
            block = last.bit_length() - 1
            others = (excluded[block] & idle).bit_count()
            if others < blocked:
                best, blocked = block, others
            blocks ^= last
        return best

    def largest(self, blocks: int) -> int:
        """Return the size of the largest block in a bit mask, or 0 for an empty mask."""
        if blocks:
            for size, of_size in self._largest_first:
                if blocks & of_size:
                    return size
        return 0

    def _take_one(self, job: Job, blocks: int) -> bool:
        size = job.processors
        for of_size in self._classes(size):
            if blocks & of_size:
                return self.take_block(job, self.best(blocks, size, idle=self.idle))
        return False

    def _classes(self, size: int) -> tuple[int, ...]:
        """Return a bit mask of blocks for each block size on which a job may run."""
        classes = self._holding.get(size)
        if classes is None:
            classes = tuple(mask for of, mask in self._of_size.items() if of >= size)
            if self.sizes == "smallest":
                classes = classes[:1]
            self._holding[size] = classes
        return classes


def _machine_of(file: object) -> BlockList:
    if isinstance(file, BlockList):
        return file
    if isinstance(file, str | Path):
        return read_blocks(file)
    if isinstance(file, Mapping):
        return blocks_of(file)
    raise OptionError(f"file is {file!r}; it must be the name of a machine file")


class BlocksOverTime(Availability):
    """The blocks that jobs hold in each time step; see `Availability`.

    Invariants: `times` ascends strictly. `held` and `idle` have one value per step, valid from
    ``times[i]`` (included) to ``times[i + 1]`` (excluded). The last value is valid for ever. `held`
    maps job numbers to blocks. `idle` is the bit mask of the blocks that no held block excludes.
    """

    def __init__(self, machine: Blocks, *, now: float) -> None:
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
        """Give a job the earliest reservation; see `Availability`."""
        return self._place(job, duration, before=NEVER)

    def place_at(self, job: Job, start: float, duration: float) -> bool:
        """Give a job a reservation on its former block, if this is free; see `Availability`."""
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
        """Move a job's reservation to the earliest date; see `Availability`."""
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
        """Take the block of a job's reservation; see `Availability`."""
        return self._machine.take_block(job, self._machine.places[job.number])

    def _place(self, job: Job, duration: float, *, before: float) -> float:
        """Give a job its earliest reservation before a date; return `before` if there is none."""
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
        """Return a bit mask of the blocks that are idle from `start` to `end`."""
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
