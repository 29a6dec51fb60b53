"""EASY backfilling that decides as batsched's ``easy_bf`` does."""

from bisect import bisect_left, insort

from schedulers.batsched.waiting import (
    Admission,
    WaitingJob,
    exact,
    in_queue_order,
    in_seconds,
    lowest,
)
from schedulers.decisions import Decision, Request
from schedulers.journal import Journal
from workload_tools.batsim.decisions import Execute


class EasyBf:
    """EASY backfilling that plans with individual processors, as in batsched's ``easy_bf``.

    The head of the queue reserves certain processors from the earliest planned end at which enough
    processors are free. Another job may start if enough processors are free, and if it either ends
    by this date or does not use the reserved processors. The reservation is made again when a job
    has ended or the queue was empty. Planned ends are compared exactly and not as rounded
    floating-point numbers. `rjms_delay`, in seconds, is added to each walltime.
    """

    needs_fields = False
    journal: Journal | None = None

    def __init__(self, rjms_delay: float = 5.0) -> None:
        self._delay = exact(rjms_delay)
        self._queue: list[WaitingJob] = []
        self._running: dict[str, tuple[int, int, int, int]] = {}
        self._ends: list[tuple[int, int, int, int]] = []
        self._reserved_from = 0
        self._reserved = 0

    def begin(self, processors: int) -> None:
        """Start with an idle machine; see `Policy`."""
        self._admission = Admission(processors, self._delay)
        self._free = (1 << processors) - 1
        self._free_count = processors

    def decide(self, request: Request) -> list[Decision]:
        """Answer a request; see `Policy`."""
        now = request.now
        decisions: list[Decision] = []
        ended = False
        for job_id in request.ended:
            self._end(job_id)
            ended = True
        was_empty = not self._queue
        new = self._admission.admit(request, decisions) if request.submitted else []
        self._queue += in_queue_order(new)
        date = exact(now)
        if was_empty and new:
            self._start_heads(date, request.last_event, decisions)
        if ended:
            if self._free_count:
                if not (was_empty and new):
                    self._start_heads(date, now, decisions)
                self._backfill(self._queue[1:], date, now, decisions)
        elif new:
            started = self._running
            candidates = [job for job in new if job.id not in started]
            if candidates and candidates[0] is self._queue[0]:
                del candidates[0]
            elif self._queue:
                candidates = [job for job in candidates if job is not self._queue[0]]
            self._backfill(candidates, date, now, decisions)
        return decisions

    def promised(self) -> list[tuple[str, float]]:
        """Return the head of the queue and its planned start, in seconds."""
        return [(self._queue[0].id, in_seconds(self._reserved_from))] if self._queue else []

    def _end(self, job_id: str) -> None:
        entry = self._running.pop(job_id)
        del self._ends[bisect_left(self._ends, entry)]
        self._free |= entry[3]
        self._free_count += entry[2]

    def _start_heads(self, date: int, dated: float, decisions: list[Decision]) -> None:
        """Start jobs from the head of the queue while they fit, and reserve for the next one."""
        queue = self._queue
        fitting = 0
        for job in queue:
            if job.size > self._free_count:
                break
            self._start(job, self._free, date, dated, decisions)
            fitting += 1
        del queue[:fitting]
        if queue:
            self._reserve(queue[0].size)

    def _reserve(self, size: int) -> None:
        """Reserve the lowest processors at the first planned end at which enough are free."""
        available = self._free
        missing = size - self._free_count
        reached = -1
        for end, _, count, bits in self._ends:
            if missing <= 0 and end != reached:
                break
            reached = end
            missing -= count
            available |= bits
        self._reserved_from = reached
        self._reserved = lowest(available, size)[0]

    def _start(
        self, job: WaitingJob, among: int, date: int, dated: float, decisions: list[Decision]
    ) -> int:
        bits, intervals = lowest(among, job.size)
        self._free &= ~bits
        self._free_count -= job.size
        entry = (date + job.length, job.number, job.size, bits)
        self._running[job.id] = entry
        insort(self._ends, entry)
        decisions.append(Execute(dated, job.id, intervals))
        return bits

    def _backfill(
        self, candidates: list[WaitingJob], date: int, now: float, decisions: list[Decision]
    ) -> None:
        """Start the candidates that do not delay the reservation."""
        if not self._free_count or not candidates:
            return
        time_left = self._reserved_from - date
        open_ = self._free & ~self._reserved
        open_count = open_.bit_count()
        started = set()
        free_count = self._free_count
        for job in candidates:
            if job.size <= free_count:
                if job.length <= time_left:
                    bits = self._start(job, self._free, date, now, decisions)
                    open_ &= ~bits
                    open_count = open_.bit_count()
                elif job.size <= open_count:
                    open_ &= ~self._start(job, open_, date, now, decisions)
                    open_count -= job.size
                else:
                    continue
                started.add(job.number)
                free_count = self._free_count
                if not free_count:
                    break
        if started:
            self._queue = [job for job in self._queue if job.number not in started]
