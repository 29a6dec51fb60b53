"""Estimates of jobs at their submission, to be compared once the jobs have ended."""

from predictors.estimate import clamp
from predictors.predictor import Predictor
from predictors.submission import Submission


class FirstEstimates:
    """Notes a predictor's estimate of each job at its submission, until the job ends or goes away.

    Where no submission was told (past jobs of a history, a site's own hook that calls `predict` and
    `learn` only) the estimate is the one that the predictor makes when the job has ended, before it
    learns it. So it must be taken before that. An answer that is no number of seconds is a
    `PredictorError`.

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
        """Return the number of jobs whose estimates are noted."""
        return len(self._noted)

    def submitted(self, submission: Submission, now: float) -> None:
        """Note the estimate of a job that was submitted just now."""
        self._noted[submission.id] = self._estimate(submission, now)

    def withdrawn(self, submission: Submission) -> None:
        """Drop the note on a job that will not run."""
        self._noted.pop(submission.id, None)

    def take(self, submission: Submission, now: float) -> float | None:
        """Return the estimate of a job that has ended in seconds, ``None`` without, and drop it."""
        if submission.id in self._noted:
            return self._noted.pop(submission.id)
        return self._estimate(submission, now)

    def _estimate(self, submission: Submission, now: float) -> float | None:
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else clamp(prediction, submission)
