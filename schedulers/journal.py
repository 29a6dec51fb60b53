"""The journal of a policy: estimates, corrections and planned starts of each job that ran."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from schedulers.core.job import BACKFILLED, HEAD, QUEUE, Job

COLUMNS = (
    "job_id", "first_estimate", "last_estimate", "corrections", "started_as",
    "first_promised_start", "last_promised_start",
)  # fmt: skip
"""The columns of ``PREFIX_estimates.csv``. Times are in seconds; missing ones are empty."""

Row = tuple[str, float, float, int, str, str, str]
"""A job in the order of `COLUMNS`. Planned starts are texts; missing ones are empty."""

_ROW = "%s,%f,%f,%d,%s,%s,%s\n"
_ROWS_AT_ONCE = 2000


class Journal:
    """The plans of the jobs that ran, in the order of their ends."""

    def __init__(self) -> None:
        # stored by column, because writing many rows at once takes half the time
        self._values: list[Any] = []

    @classmethod
    def of(cls, columns: Iterable[Sequence[Any]]) -> "Journal":
        """Return a journal of the columns of `Row`."""
        journal = cls()
        for place, column in enumerate(columns):
            if not place:
                journal._values = [None] * (len(COLUMNS) * len(column))
            journal._values[place :: len(COLUMNS)] = column
        return journal

    def add(self, job: Job) -> None:
        """Record a job that has ended."""
        promise = job.first_promise
        values = self._values
        values += (
            job.id, job.first_estimate, job.running, job.corrections, job.started_as,
            f"{promise:f}" if promise >= 0.0 else "",
            f"{job.last_promise:f}" if promise >= 0.0 else "",
        )  # fmt: skip

    def rows(self) -> Iterator[Row]:
        """Return the rows; the ids are the full ones, such as ``w0!15``."""
        return zip(*[iter(self._values)] * len(COLUMNS), strict=True)

    def text(self) -> Iterator[str]:
        """Return the content of ``PREFIX_estimates.csv``, piece by piece."""
        yield ",".join(COLUMNS) + "\n"
        step = _ROWS_AT_ONCE * len(COLUMNS)
        for first in range(0, len(self._values), step):
            values = self._values[first : first + step]
            rows = _ROW * (len(values) // len(COLUMNS)) % tuple(values)
            # the file has the job's name in the workload, without the workload's own name
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

    Parameters
    ----------
    corrections
        The number of corrections of each job.
    started_as
        How each job was started; see `schedulers.core.job.Job`.
    promises
        The number of jobs with a reservation.
    dates
        The first and the last planned start of each of these jobs, in seconds, as in the file. Jobs
        with two equal dates may be left out.

    Returns
    -------
    dict
        `corrections` and `jobs_corrected`; the numbers of jobs started as ``head``, ``queue`` and
        ``backfilled``; `promises`; `promises_delayed`, the jobs whose last planned start was later
        than the first; and their mean and largest delay, in seconds.
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
