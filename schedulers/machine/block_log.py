"""The log of a machine of blocks: which jobs used each block or had it drained for them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from schedulers.core.job import Job

if TYPE_CHECKING:
    from schedulers.machine.block import Block

COLUMNS = ("job_id", "use", "block", "start", "end")
"""The columns of ``PREFIX_blocks.csv``. Dates are in seconds, as the scheduler saw them."""

RAN, DRAINED = "ran", "drained"
"""The uses of a block: a job ran on it, or the block was drained for a job.

While a block is drained, no job may start on it that is estimated to end too late.
"""

_ROW = "%s,%s,%s,%f,%f\n"
_ROWS_AT_ONCE = 2000


class BlockLog:
    """The uses and the drains of blocks, in the order of their ends.

    A drain begins when the first job of the queue finds no block, and the machine chooses a block
    to drain for it. The drain ends when the job starts, when the machine chooses another block, or
    when another job becomes first in the queue.

    Examples
    --------
    >>> from schedulers.machine.block import Block
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

    def __init__(self) -> None:
        # one flat list of values, as in the journal
        self._values: list[Any] = []
        self._had: dict[int, Block] = {}
        self._drain: tuple[Job, Block, float] | None = None

    def drains(self, job: Job, block: "Block", now: float) -> None:
        """Record which block is drained from now on, and for which job."""
        drain = self._drain
        if drain is not None:
            if drain[0] is job and drain[1] is block:
                return
            self._end_drain(now)
        self._drain = job, block, now

    def starts(self, job: Job, block: "Block") -> None:
        """Record the block of a job that has just started."""
        self._had[job.number] = block
        if self._drain is not None and self._drain[0] is job:
            self._end_drain(job.started)

    def ended(self, job: Job, now: float) -> None:
        """Record the end of a job."""
        block = self._had.pop(job.number)
        self._note(job, RAN, block, job.started, now)

    def text(self) -> Iterator[str]:
        """Return the content of ``PREFIX_blocks.csv``, piece by piece."""
        yield ",".join(COLUMNS) + "\n"
        step = _ROWS_AT_ONCE * len(COLUMNS)
        for first in range(0, len(self._values), step):
            values = self._values[first : first + step]
            yield _ROW * (len(values) // len(COLUMNS)) % tuple(values)

    def _end_drain(self, now: float) -> None:
        assert self._drain is not None
        job, block, since = self._drain
        self._drain = None
        if now > since:
            self._note(job, DRAINED, block, since, now)

    def _note(self, job: Job, use: str, block: "Block", start: float, end: float) -> None:
        self._values += (quoted(job.id.removeprefix("w0!")), use, quoted(block.name), start, end)


def quoted(name: str) -> str:
    """Return a name quoted for CSV."""
    if any(sign in name for sign in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
