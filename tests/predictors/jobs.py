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


class Says:
    """A predictor that answers what it is told to, and notes what it hears."""

    def __init__(self, answer: float | None = None, *, valid_for: float = 1e9) -> None:
        self.answer = answer
        self.valid_for = valid_for
        self.heard: list[tuple[str, str, float]] = []
        self.run_times: dict[str, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        return self.answer

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        self.heard.append(("learn", submission.id, now))
        self.run_times[submission.id] = run_time

    def submitted(self, submission: Submission, now: float) -> None:
        self.heard.append(("submitted", submission.id, now))

    def started(self, submission: Submission, now: float) -> None:
        self.heard.append(("started", submission.id, now))

    def withdrawn(self, submission: Submission, now: float) -> None:
        self.heard.append(("withdrawn", submission.id, now))
