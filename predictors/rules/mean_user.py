"""The mean run time of all of the user's jobs."""

from dataclasses import dataclass

from predictors.checks import require_run_time
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class MeanUser:
    """Predicts the mean run time of all of the user's jobs that have ended.

    There is no prediction for a user without ended jobs, or without a user. For the mean of only
    the last jobs, see `PbsV1` and its option `jobs`.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = MeanUser()
    >>> for run_time in (100.0, 300.0, 800.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    400.0
    """

    def __post_init__(self) -> None:
        """Begin without any job."""
        # the number of jobs and the sum of their run times
        self._known: dict[str, tuple[int, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean in seconds, or ``None`` without a job of the user."""
        known = None if submission.user is None else self._known.get(submission.user)
        return None if known is None else known[1] / known[0]

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        if submission.user is not None:
            number, total = self._known.get(submission.user, (0, 0.0))
            self._known[submission.user] = (number + 1, total + run_time)
