"""Predictions for the jobs of a log, and a CSV file with them."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction.candidate import Candidate
from workload_tools.files import written_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Timing:
    """The computing time of predictions and of learning."""

    predict_median: float | None
    learn_median: float | None
    """Median time of one prediction, and of learning one job, in microseconds; ``None`` if there
    was no call.
    """
    predict_total: float
    learn_total: float
    """Total time of all predictions, and of all learning, in seconds; includes training."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """The predictions of one predictor."""

    candidate: Candidate
    """The predictor."""
    places: "NDArray[np.intp]"
    """Indices in the log of the predicted jobs without warm-up jobs, shape (n,)."""
    estimates: "NDArray[np.float64]"
    """Predictions at submission in seconds, between 1 s and the walltime."""
    at_start: "NDArray[np.float64]"
    """As `estimates`, but with a new prediction if the first prediction was outdated at the job's
    start."""
    asked_again: "NDArray[np.bool_]"
    """True for jobs with a new prediction at their start."""
    timing: Timing
    """The computing time of predictions and of learning."""


COLUMNS = (
    "predictor",
    "job_id",
    "submit_time",
    "processors",
    "user",
    "queue",
    "walltime",
    "run_time",
    "estimate",
    "estimate_at_start",
)
"""Columns of the CSV file. Times are in seconds, dates in seconds since the first submission;
unknown values are empty.
"""

_LINES_AT_ONCE = 5000


def write_predictions(jobs: PastJobs, found: Iterable[Predictions], path: Path) -> None:
    """Write all predictions to a CSV file; if writing fails, no file is left.

    Parameters
    ----------
    jobs
        The log.
    found
        The predictions of each predictor.
    path
        The file.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    with written_whole(path) as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        for predictions in found:
            rows = rows_of(jobs, predictions)
            while lines := _lines(rows):
                file.write(lines)


def _lines(rows: Iterator[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for _, row in zip(range(_LINES_AT_ONCE), rows, strict=False):
        writer.writerow(row)
    return text.getvalue().encode()


def rows_of(jobs: PastJobs, predictions: Predictions) -> Iterator[tuple[object, ...]]:
    """Yield the rows of one predictor's predictions, with the values of `COLUMNS`."""
    label = predictions.candidate.label
    for place, estimate, at_start in zip(
        predictions.places.tolist(),
        predictions.estimates.tolist(),
        predictions.at_start.tolist(),
        strict=True,
    ):
        job = jobs.submissions[place]
        yield (
            label,
            job.id,
            job.submit_time,
            job.processors,
            job.user,
            job.queue,
            job.walltime,
            jobs.run_times[place],
            estimate,
            at_start,
        )
