"""Estimates at submission, kept until the jobs have ended."""

from predictors.estimate import clamp
from predictors.predictor import Predictor
from predictors.submission import Submission


class FirstEstimates:
    """Keeps a predictor's estimate of each job at its submission until the job ends.

    If no submission was reported, `take` asks the predictor when the job has ended. This is the
    case for past jobs of a history, and for hooks that only call `predict` and `learn`. So call
    `take` before the predictor learns the job. An invalid prediction raises a `PredictorError`.

    Examples
    --------
    >>> from predictors import LastTwo
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> last_two = LastTwo()
    >>> estimates = FirstEstimates(last_two)
    >>> estimates.submitted(job, 0.0)
    >>> for run_time in (100.0, 300.0):
    ...     last_two.learn(job, run_time, run_time)
    >>> estimates.take(job, 300.0) is None
    True
    >>> estimates.take(job, 300.0)
    200.0
    """

    __slots__ = ("_noted", "_predictor")

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._noted: dict[str, float | None] = {}

    def __len__(self) -> int:
        """Return the number of kept estimates."""
        return len(self._noted)

    def submitted(self, submission: Submission, now: float) -> None:
        """Keep the estimate of a job that was just submitted."""
        self._noted[submission.id] = self._estimate(submission, now)

    def withdrawn(self, submission: Submission) -> None:
        """Drop the estimate of a job that will not run."""
        self._noted.pop(submission.id, None)

    def take(self, submission: Submission, now: float) -> float | None:
        """Return and drop an ended job's estimate, in seconds; ``None`` if there was none."""
        if submission.id in self._noted:
            return self._noted.pop(submission.id)
        return self._estimate(submission, now)

    def _estimate(self, submission: Submission, now: float) -> float | None:
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else clamp(prediction, submission)
