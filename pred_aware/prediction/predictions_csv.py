"""Every prediction as a line of a CSV file."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction.predictions import Predictions
from workload_tools.files import written_whole

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
        It can't be written.
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
