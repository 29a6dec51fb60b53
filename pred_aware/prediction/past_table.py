"""Past jobs as rows to learn from: a table with paper 001's columns, or a log."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.log.past_jobs import past_job
from predictors import Submission
from predictors.errors import HistoryError
from predictors.history_csv import PAPER_COLUMNS, read_csv
from predictors.regression.encoding import NUMBERS, TEXTS, SubmissionEncoder
from predictors.regression.rows import PAPER_FEATURES
from predictors.submission import PastJob
from workload_tools.missing_walltime import NO_WALLTIME

if TYPE_CHECKING:
    from numpy.typing import NDArray


NO_RUN_TIME = "run time of 0 s"

OTHER_FEATURES = ("group", "project", "queue", "partition", "executable", "name")
"""Features that tables and logs may have in addition to the features of paper 001."""


@dataclass(frozen=True, slots=True)
class PastTable:
    """Jobs that ran, in the order of submission."""

    submissions: list[Submission]
    """What is known of each job at its submission."""
    run_times: list[float]
    """Run times in seconds."""
    end_times: list[float] | None
    """Ends in seconds, from the same second 0 as submissions; ``None`` if the table has no ends."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Numbers of dropped rows, by reason."""

    @property
    def features(self) -> tuple[str, ...]:
        """Fields that at least one job has; paper 001's fields first."""
        return tuple(
            name
            for name in (*PAPER_FEATURES, *OTHER_FEATURES)
            if any(getattr(job, name) is not None for job in self.submissions)
        )


def read_past(
    path: Path, *, log_format: str | None = None, options: Mapping[str, Any] | None = None
) -> PastTable:
    """Read a table (``.csv``, ``.csv.gz``, ``.parquet``) or a job log.

    Jobs without a walltime or with a run time of 0 s are dropped, as in paper 001. A table's row is
    also dropped if it lacks a value that other rows have, such as the memory. Jobs of a log are
    kept with missing values; "missing" is then a value of its own.

    Parameters
    ----------
    path
        The file.
    log_format, options
        Format and options of a log; see `workload_tools.formats.open_log`.

    Raises
    ------
    HistoryError, InputError
        The file cannot be read, or a table's row has no size or run time.
    PredAwareError
        No job is left.
    """
    name = path.name.removesuffix(".gz")
    reader: Callable[[Path], Iterator[PastJob]] | None = {
        ".csv": read_csv,
        ".parquet": _read_parquet,
    }.get(Path(name).suffix.lower() if log_format is None else "")
    found = _from_log(path, log_format, options) if reader is None else _from_table(reader(path))
    if not found.submissions:
        reasons = ", ".join(f"{reason}: {count}" for reason, count in found.dropped.items())
        raise PredAwareError(f"{path}: no job can be used ({reasons or 'the file has no jobs'})")
    return found


def _from_table(rows: Iterator[PastJob]) -> PastTable:
    jobs = list(rows)
    dropped: Counter[str] = Counter()
    columns = [
        name
        for name in (*NUMBERS, *TEXTS)
        if any(getattr(job.submission, name) is not None for job in jobs)
    ]
    kept = []
    for job in jobs:
        missing = next((name for name in columns if getattr(job.submission, name) is None), None)
        if missing is not None:
            dropped[f"no {missing}"] += 1
        else:
            kept.append(job)
    kept.sort(key=lambda job: job.submission.submit_time)
    return _of_use(kept, dropped)


def _from_log(path: Path, log_format: str | None, options: Mapping[str, Any] | None) -> PastTable:
    from workload_tools.formats import open_log
    from workload_tools.log import gather

    log = open_log(path, format=log_format, options=options)
    return _of_use([past_job(job) for job in gather(log).jobs], Counter(log.report.dropped))


def _of_use(jobs: list[PastJob], dropped: Counter[str]) -> PastTable:
    """Drop jobs without a walltime or with a run time of 0 s, as in paper 001."""
    dropped[NO_WALLTIME] += sum(job.submission.walltime is None for job in jobs)
    jobs = [job for job in jobs if job.submission.walltime is not None]
    dropped[NO_RUN_TIME] += sum(job.run_time <= 0.0 for job in jobs)
    jobs = [job for job in jobs if job.run_time > 0.0]
    ends = [job.end for job in jobs if job.end is not None]
    return PastTable(
        submissions=[job.submission for job in jobs],
        run_times=[job.run_time for job in jobs],
        end_times=ends if len(ends) == len(jobs) else None,
        dropped=+dropped,
    )


def _read_parquet(path: Path) -> Iterator[PastJob]:
    """Yield the rows of a Parquet file; errors name the line that a CSV file would have."""
    from workload_tools.errors import require_arrow

    require_arrow(path)
    from pyarrow import ArrowException, csv, parquet

    known = {*PAPER_COLUMNS, *Submission.__struct_fields__, "run_time", "end_time"}
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        text = Path(folder) / "table.csv"
        try:
            names = [name for name in parquet.read_schema(path).names if name.strip() in known]
            # convert to CSV, so that the same rules read the columns of CSV and Parquet files
            csv.write_csv(parquet.read_table(path, columns=names), text)
        except (ArrowException, OSError) as error:
            words = " ".join(str(error).split())
            raise HistoryError(f"{path}: cannot be read as Parquet: {words}") from error
        try:
            yield from read_csv(text)
        except HistoryError as error:
            raise HistoryError(str(error).replace(str(text), str(path))) from error


class PastColumns:
    """Past jobs as arrays, from which models learn.

    Parameters
    ----------
    table
        The jobs.

    Attributes
    ----------
    features : tuple of str
        The fields of jobs that are used for predictions.
    run_times, walltimes : numpy.ndarray
        In seconds, shape (n,).
    users : numpy.ndarray
        Code of each job's user; -1 for a job without a user, shape (n,).
    """

    def __init__(self, table: PastTable) -> None:
        self.table = table
        self.features = table.features
        self.run_times = np.array(table.run_times, float)
        self.walltimes = np.array([job.walltime for job in table.submissions], float)
        numbers: dict[str, int] = {}
        self.users = np.array(
            [
                -1 if job.user is None else numbers.setdefault(job.user, len(numbers))
                for job in table.submissions
            ],
            np.intp,
        )

    def encoded(self, learned: "NDArray[np.intp]") -> "NDArray[np.float32]":
        """Return all jobs as rows of numbers, shape (n, features).

        Parameters
        ----------
        learned
            Indices of the training jobs. Their texts get codes; all other texts share one code.
        """
        encoder = SubmissionEncoder(self.features)
        jobs = self.table.submissions
        for place in learned.tolist():
            encoder.learn(jobs[place])
        rows: NDArray[np.float32] = np.array([encoder.encode(job) for job in jobs], np.float32)
        return rows

    def averages(
        self, learned: "NDArray[np.intp]"
    ) -> tuple[tuple[str, ...], "NDArray[np.float32]"]:
        """Return, for each job, the mean requests of the job's user (paper 001, experiment 3).

        Parameters
        ----------
        learned
            Indices of the training jobs, over which means are computed.

        Returns
        -------
        tuple of str, numpy.ndarray
            Names of the columns, and the means, shape (n, columns); -1 if unknown.
        """
        names = [name for name in NUMBERS if name in self.features]
        size = int(self.users.max()) + 1
        found = []
        for name in names:
            values = np.array([getattr(job, name) for job in self.table.submissions], float)
            known = learned[~np.isnan(values[learned])]
            sums = np.bincount(self.users[known], values[known], size)
            counts = np.bincount(self.users[known], minlength=size)
            means = np.full(size, -1.0)
            np.divide(sums, counts, out=means, where=counts > 0)
            found.append(means[self.users])
        columns = tuple(f"average {name} of the user" for name in names)
        return columns, np.array(found, np.float32).reshape(len(names), -1).T
