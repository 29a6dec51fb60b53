"""The log of a machine of blocks: the jobs that had each, or for which it was drained."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from schedulers.core.job import Job

if TYPE_CHECKING:
    from schedulers.machine.block import Block

COLUMNS = ("job_id", "use", "block", "start", "end")
"""The columns of ``PREFIX_blocks.csv``; dates in seconds, as the scheduler saw them."""

RAN, DRAINED = "ran", "drained"
"""The uses: the job had the block, and nobody was let onto it who would have kept it longer."""

_ROW = "%s,%s,%s,%f,%f\n"
_ROWS_AT_ONCE = 2000


class BlockLog:
    """The blocks that jobs had, in the order of the ends, and between them the drains.

    A drain begins when the first job of the queue finds no block and one is chosen to be drained
    for it, and ends when the job starts, when another block is chosen, or when another job has
    become the first.

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
        # value by value, as in the journal
        self._values: list[Any] = []
        self._had: dict[int, Block] = {}
        self._drain: tuple[Job, Block, float] | None = None

    def drains(self, job: Job, block: "Block", now: float) -> None:
        """Note which block is drained from now on, and for whom."""
        drain = self._drain
        if drain is not None:
            if drain[0] is job and drain[1] is block:
                return
            self._end_drain(now)
        self._drain = job, block, now

    def starts(self, job: Job, block: "Block") -> None:
        """Note which block a job has that has just started."""
        self._had[job.number] = block
        if self._drain is not None and self._drain[0] is job:
            self._end_drain(job.started)

    def ended(self, job: Job, now: float) -> None:
        """Note that a job has ended."""
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
    """Return a name as CSV has it."""
    if any(sign in name for sign in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
