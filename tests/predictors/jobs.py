"""Jobs of which predictors are asked, or which they learn."""

from typing import Any

from predictors import Predictor, Submission


def job(name: str = "7", **known: Any) -> Submission:  # noqa: ANN401 - fields of any type
    """Make a job of ann's on one processor, submitted at 0 s, of which this is known as well."""
    return Submission(**{"id": name, "submit_time": 0.0, "processors": 1, "user": "ann", **known})


def learned(predictor: Predictor, submission: Submission, *run_times: float) -> Predictor:
    """Let a predictor learn that jobs like this took so long."""
    for run_time in run_times:
        predictor.learn(submission, run_time, 0.0)
    return predictor
