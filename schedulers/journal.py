"""What Batsim's output has no column for: estimates, corrections, how and when jobs started."""

from collections.abc import Iterable, Iterator

from schedulers.job import Job

COLUMNS = (
    "job_id", "first_estimate", "last_estimate", "corrections", "started_as",
    "first_promised_start", "last_promised_start",
)  # fmt: skip
"""The columns of ``PREFIX_estimates.csv``; times in seconds, empty where there is none."""

Row = tuple[str, float, float, int, str, float, float]

_ROW = "%s,%f,%f,%d,%s,%s,%s\n"


class Journal:
    """Notes of each job that ran how it was planned, in the order of the ends.

    Attributes
    ----------
    rows : list of tuple
        In the order of `COLUMNS`; a promised start of -1 means that there was none.
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(self, job: Job) -> None:
        """Note a job that has ended."""
        self.rows.append(
            (
                job.id,
                job.first_estimate,
                job.draining,
                job.corrections,
                job.started_as,
                job.first_promise,
                job.last_promise,
            )
        )

    def lines(self) -> Iterator[str]:
        """Return the lines of ``PREFIX_estimates.csv``."""
        yield ",".join(COLUMNS) + "\n"
        for job_id, first, last, corrections, started_as, promised, promised_last in self.rows:
            name = job_id.partition("!")[2] or job_id
            if promised < 0.0:
                yield _ROW % (name, first, last, corrections, started_as, "", "")
            else:
                yield _ROW % (
                    name, first, last, corrections, started_as,
                    f"{promised:f}", f"{promised_last:f}",
                )  # fmt: skip


def sums(rows: Iterable[Row]) -> dict[str, float | int]:
    """Sum up a journal.

    Returns
    -------
    dict
        `corrections` and `jobs_corrected`; how many jobs were started as ``head``, from the
        ``queue`` and ``backfilled``; `promises`, the jobs that were promised a start,
        `promises_delayed`, those whose last promise was later than the first, and by how much in
        the mean over these and at most, in seconds.
    """
    corrections = corrected = promises = 0
    kinds = {"head": 0, "queue": 0, "backfilled": 0}
    delays = []
    for _, _, _, number, started_as, first, last in rows:
        corrections += number
        corrected += number > 0
        kinds[started_as] += 1
        if first >= 0.0:
            promises += 1
            if last > first:
                delays.append(last - first)
    return {
        "corrections": corrections,
        "jobs_corrected": corrected,
        **{f"started_as_{kind}": number for kind, number in kinds.items()},
        "promises": promises,
        "promises_delayed": len(delays),
        "mean_promise_delay": sum(delays) / len(delays) if delays else 0.0,
        "max_promise_delay": max(delays, default=0.0),
    }


def read_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Read the lines of ``PREFIX_estimates.csv``, of which the first is the header."""
    rows = iter(lines)
    next(rows, None)
    for line in rows:
        name, first, last, corrections, started_as, promised, promised_last = line.rstrip(
            "\n"
        ).rsplit(",", 6)
        yield (
            name, float(first), float(last), int(corrections), started_as,
            float(promised or -1.0), float(promised_last or -1.0),
        )  # fmt: skip
