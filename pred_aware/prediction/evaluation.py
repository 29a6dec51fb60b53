"""All measures of one predictor's predictions."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction.groups import Group, Users, by_length, by_name, of_users
from pred_aware.prediction.measures import Measures, measure
from pred_aware.prediction.predictions import Predictions

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class EvaluationColumns:
    """Features of the predicted jobs, with one value for each job."""

    run_times: "NDArray[np.float64]"
    walltimes: "NDArray[np.float64]"
    """In seconds, shape (n,); a missing walltime is NaN."""
    processors: "NDArray[np.int64]"
    """Requested processors, shape (n,)."""
    users: list[str | None]
    queues: list[str | None]
    """Names of the jobs' users and queues; ``None`` for a job without one."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluated predictions of one predictor."""

    predictions: Predictions
    """The predictions."""
    jobs: EvaluationColumns
    """The predicted jobs."""
    measures: Measures
    """Measures over all jobs."""
    at_start_mae: float | None
    """Mean absolute error in seconds of the predictions at the jobs' starts, where outdated
    predictions are renewed; ``None`` if no prediction was renewed.
    """
    by_length: list[Group]
    by_queue: list[Group]
    by_user: list[Group]
    """Errors by length, queue and user of the jobs."""
    users: Users
    """For how many users the predictions are better or worse than the walltimes."""

    @property
    def label(self) -> str:
        """The predictor's label."""
        return self.predictions.candidate.label

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "predictor": self.label,
            "specification": self.predictions.candidate.specification,
            **asdict(self.measures),
            "asked_again": {
                "jobs": int(self.predictions.asked_again.sum()),
                "mae": self.at_start_mae,
            },
            "microseconds": {
                "predict_median": self.predictions.timing.predict_median,
                "learn_median": self.predictions.timing.learn_median,
            },
            "seconds": {
                "predict": self.predictions.timing.predict_total,
                "learn": self.predictions.timing.learn_total,
            },
            "by_length": [asdict(group) for group in self.by_length],
            "by_queue": [asdict(group) for group in self.by_queue],
            "users": asdict(self.users),
            "by_user": [asdict(group) for group in self.by_user],
        }


def evaluate(jobs: PastJobs, predictions: Predictions) -> Evaluation:
    """Evaluate one predictor's predictions.

    Parameters
    ----------
    jobs
        The log with the predicted jobs.
    predictions
        The predictions.

    Raises
    ------
    PredAwareError
        No job was predicted.
    """
    columns = columns_of(jobs, predictions)
    run_times, walltimes = columns.run_times, columns.walltimes
    estimates = predictions.estimates
    measures = measure(estimates, run_times, walltimes=walltimes)
    by_user = by_name(columns.users, estimates, run_times, walltimes=walltimes)
    again = bool(predictions.asked_again.any())
    return Evaluation(
        predictions=predictions,
        jobs=columns,
        measures=measures,
        at_start_mae=float(np.abs(predictions.at_start - run_times).mean()) if again else None,
        by_length=by_length(estimates, run_times, walltimes=walltimes),
        by_queue=by_name(columns.queues, estimates, run_times, walltimes=walltimes),
        by_user=by_user,
        users=of_users(by_user, jobs=len(estimates)),
    )


def columns_of(jobs: PastJobs, predictions: Predictions) -> EvaluationColumns:
    """Return the run times and features of the predicted jobs."""
    chosen = [jobs.submissions[place] for place in predictions.places.tolist()]
    return EvaluationColumns(
        run_times=np.array(jobs.run_times)[predictions.places],
        walltimes=np.array(
            [np.nan if job.walltime is None else job.walltime for job in chosen], float
        ),
        processors=np.array([job.processors for job in chosen], np.int64),
        users=[job.user for job in chosen],
        queues=[job.queue for job in chosen],
    )
