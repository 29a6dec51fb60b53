"""Predictions of anybody's for the jobs of a log."""

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
    """What predicting and learning took."""

    predict_median: float | None
    learn_median: float | None
    """Median microseconds of a call; ``None`` where there was none."""
    predict_total: float
    learn_total: float
    """Seconds of all calls together, fits included."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """What somebody predicted."""

    candidate: Candidate
    """Who predicted."""
    places: "NDArray[np.intp]"
    """The places in the log of the jobs that were predicted and count, shape (n,)."""
    estimates: "NDArray[np.float64]"
    """In seconds, at submission: between 1 s and the walltime."""
    at_start: "NDArray[np.float64]"
    """The same, but of a job whose prediction was too old when it started, the one made then."""
    asked_again: "NDArray[np.bool_]"
    """Whether it was."""
    timing: Timing
    """What it took."""


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
"""Times in seconds, dates since the first submission; empty where nothing is known."""

_LINES_AT_ONCE = 5000


def write_predictions(jobs: PastJobs, found: Iterable[Predictions], path: Path) -> None:
    """Write every prediction, whole or not at all.

    Parameters
    ----------
    jobs
        The log.
    found
        What was predicted, each in turn.
    path
        The file.

    Raises
    ------
    InputError
        It cannot be written.
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
    """Yield the rows of somebody's predictions, in the order of `COLUMNS`."""
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
