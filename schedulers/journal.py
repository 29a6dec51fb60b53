"""What policies record in addition to decisions: plans of jobs, blocks, trust and stops."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from schedulers.core.job import BACKFILLED, HEAD, QUEUE, Job
from schedulers.machine.block import Block

Row = tuple[str, float, float, int, str, str, str]
"""A row of `Journal`. Planned starts are texts, which are empty without a planned start."""

_ROWS_AT_ONCE = 2000


class _Rows:
    """The rows of a file, stored as one flat list, because this is faster for many rows."""

    COLUMNS: ClassVar[tuple[str, ...]]
    FORM: ClassVar[str]
    """The format of a row."""

    def __init__(self) -> None:
        self._values: list[Any] = []

    def text(self) -> Iterator[str]:
        """Return the content of the file, piece by piece."""
        yield ",".join(self.COLUMNS) + "\n"
        step = _ROWS_AT_ONCE * len(self.COLUMNS)
        for first in range(0, len(self._values), step):
            values = self._values[first : first + step]
            yield self.FORM * (len(values) // len(self.COLUMNS)) % tuple(values)


class Journal(_Rows):
    """The plans of the jobs that ran, in the order of their ends, for ``PREFIX_estimates.csv``.

    Times are in seconds. A missing time is empty.
    """

    COLUMNS = (
        "job_id", "first_estimate", "last_estimate", "corrections", "started_as",
        "first_promised_start", "last_promised_start",
    )  # fmt: skip
    FORM = "%s,%f,%f,%d,%s,%s,%s\n"

    @classmethod
    def of(cls, columns: Iterable[Sequence[Any]]) -> "Journal":
        """Return a journal of the columns of `Row`."""
        journal = cls()
        for place, column in enumerate(columns):
            if not place:
                journal._values = [None] * (len(cls.COLUMNS) * len(column))
            journal._values[place :: len(cls.COLUMNS)] = column
        return journal

    def add(self, job: Job) -> None:
        """Record a job that has ended."""
        promise = job.first_promise
        self._values += (
            job.id, job.first_estimate, job.running, job.corrections, job.started_as,
            f"{promise:f}" if promise >= 0.0 else "",
            f"{job.last_promise:f}" if promise >= 0.0 else "",
        )  # fmt: skip

    def rows(self) -> Iterator[Row]:
        """Return the rows, with full ids such as ``w0!15``."""
        return zip(*[iter(self._values)] * len(self.COLUMNS), strict=True)

    def text(self) -> Iterator[str]:
        """Return the content of the file, with the jobs' names in the workload as ids."""
        for rows in super().text():
            yield rows.replace("\nw0!", "\n").removeprefix("w0!")


def sums(rows: Iterable[Row]) -> dict[str, float | int]:
    """Return totals of a journal; see `summed`."""
    _, _, _, corrections, started_as, first, last = [*zip(*rows, strict=True)] or [()] * 7
    promises = [*zip(map(float, filter(None, first)), map(float, filter(None, last)), strict=True)]
    return summed(corrections, started_as, promises=len(promises), dates=promises)


def summed(
    corrections: Sequence[int],
    started_as: Iterable[str],
    *,
    promises: int,
    dates: Iterable[tuple[float, float]],
) -> dict[str, float | int]:
    """Return totals of how jobs were planned.

    - `corrections`, `jobs_corrected`: the numbers of corrections and of corrected jobs.
    - `started_as_head`, `started_as_queue`, `started_as_backfilled`: the numbers of jobs that
      started in these ways; see `Job`.
    - `promises`: the number of jobs with a reservation.
    - `promises_delayed`: the number of jobs whose last planned start was later than the first.
    - `mean_promise_delay`, `max_promise_delay`: the mean and largest delay of these jobs, in
      seconds.

    `dates` holds the first and the last planned start of each job with a reservation, in seconds.
    Jobs whose two dates are equal may be left out.
    """
    kinds = Counter(started_as)
    delays = [last - first for first, last in dates if last > first]
    return {
        "corrections": sum(corrections),
        "jobs_corrected": sum(map(bool, corrections)),
        **{f"started_as_{kind}": kinds[kind] for kind in (HEAD, QUEUE, BACKFILLED)},
        "promises": promises,
        "promises_delayed": len(delays),
        "mean_promise_delay": sum(delays) / len(delays) if delays else 0.0,
        "max_promise_delay": max(delays, default=0.0),
    }


def read_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Read the lines of ``PREFIX_estimates.csv``, including the header."""
    rows = iter(lines)
    next(rows, None)
    for line in rows:
        name, first, last, corrections, started_as, promised, promised_last = line.rstrip(
            "\n"
        ).rsplit(",", 6)
        yield (
            name, float(first), float(last), int(corrections), started_as, promised, promised_last,
        )  # fmt: skip


RAN, DRAINED = "ran", "drained"
"""The uses of a block: a job ran on it, or the block was drained for a job.

A job may start on a drained block only if it is estimated to end before the block is needed.
"""


class BlockLog(_Rows):
    """The uses and the drains of blocks in the order of their ends, for ``PREFIX_blocks.csv``.

    A drain begins when the first job of the queue finds no block and the machine chooses a block to
    drain for this job. The drain ends when the job starts, when the machine chooses another block,
    or when another job becomes first in the queue. Dates are in seconds, as the scheduler knew
    them.

    Examples
    --------
    >>> log, job = BlockLog(), Job("w0!1", 0.0, 2, 60.0)
    >>> left = Block("left", ((0, 1),))
    >>> log.drains(job, left, 5.0)
    >>> job.started = 9.0
    >>> log.starts(job, left)
    >>> log.ended(job, 69.0)
    >>> print("".join(log.text()), end="")
    job_id,use,block,start,end
    1,drained,left,5.000000,9.000000
    1,ran,left,9.000000,69.000000
    """

    COLUMNS = ("job_id", "use", "block", "start", "end")
    FORM = "%s,%s,%s,%f,%f\n"

    def __init__(self) -> None:
        super().__init__()
        self._had: dict[int, Block] = {}
        self._drain: tuple[Job, Block, float] | None = None

    def drains(self, job: Job, block: Block, now: float) -> None:
        """Record which block is drained from now on, and for which job."""
        drain = self._drain
        if drain is not None:
            if drain[0] is job and drain[1] is block:
                return
            self._end_drain(now)
        self._drain = job, block, now

    def starts(self, job: Job, block: Block) -> None:
        """Record the block of a job that has just started."""
        self._had[job.number] = block
        if self._drain is not None and self._drain[0] is job:
            self._end_drain(job.started)

    def ended(self, job: Job, now: float) -> None:
        """Record the end of a job."""
        block = self._had.pop(job.number)
        self._note(job, RAN, block, job.started, now)

    def _end_drain(self, now: float) -> None:
        assert self._drain is not None
        job, block, since = self._drain
        self._drain = None
        if now > since:
            self._note(job, DRAINED, block, since, now)

    def _note(self, job: Job, use: str, block: Block, start: float, end: float) -> None:
        self._values += (_quoted(job.id.removeprefix("w0!")), use, _quoted(block.name), start, end)


class StopLog(_Rows):
    """How long each rule of a site stopped each waiting job, in the order of the jobs' ends.

    Examples
    --------
    >>> log = StopLog()
    >>> log.add(Job("w0!1", 0.0, 2, 60.0), {"10 jobs per user": 4.0})
    >>> print("".join(log.text()), end="")
    job_id,rule,seconds
    1,10 jobs per user,4.000000
    """

    COLUMNS = ("job_id", "rule", "seconds")
    FORM = "%s,%s,%f\n"

    def add(self, job: Job, seconds: Mapping[str, float]) -> None:
        """Add how long each rule stopped a job, in seconds."""
        for rule, time in seconds.items():
            if time > 0.0:
                self._values += (job.id.removeprefix("w0!"), _quoted(rule), time)


class TrustLog(_Rows):
    """The dates at which estimates gained or lost trust. At the beginning they lack trust.

    Examples
    --------
    >>> log = TrustLog()
    >>> log.changed(60.0, concordance=0.75, of_walltimes=0.5)
    >>> log.trusted(59.0), log.trusted(60.0)
    (False, True)
    >>> print("".join(log.text()), end="")
    time,trusted,concordance,concordance_of_walltimes
    60.000000,1,0.7500,0.5000
    """

    COLUMNS = ("time", "trusted", "concordance", "concordance_of_walltimes")
    FORM = "%f,%d,%.4f,%.4f\n"

    def __init__(self) -> None:
        super().__init__()
        self._dates: list[float] = []

    def changed(self, now: float, *, concordance: float, of_walltimes: float) -> None:
        """Record a gain or loss of trust at `now`, with the concordances."""
        self._dates.append(now)
        self._values += (now, len(self._dates) % 2, concordance, of_walltimes)

    def trusted(self, at: float) -> bool:
        """Say whether the pass at a date used the estimates."""
        return bisect_right(self._dates, at) % 2 == 1


def _quoted(name: str) -> str:
    if any(sign in name for sign in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
