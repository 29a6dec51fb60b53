"""The median of what several predictors say."""

from collections.abc import Sequence
from statistics import median

from predictors.around.nested import Nested, Spec, listed
from predictors.estimate import clamp
from predictors.submission import Submission


class MedianOf:
    """Predicts the median of the estimates of several predictors.

    Each answer counts as the estimate that would be made of it, from 1 s to the walltime. Those
    that know nothing are left out. Of an even number the mean of the middle two. Nothing (the
    walltime) where none of them knows anything.

    Parameters
    ----------
    predictors
        The predictors: names, or objects with name and options.

    Raises
    ------
    UnknownNameError, OptionError
        No such predictor, or an option with a value that it can't have.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = MedianOf(predictors=["last_two", "similar", "min_diff"])
    >>> for run_time in (100.0, 300.0, 700.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 700.0)
    500.0
    """

    __slots__ = ("_nested", "valid_for")

    def __init__(self, *, predictors: Sequence[Spec] = ("last_two", "similar", "min_diff")) -> None:
        self._nested = Nested(listed("predictors", predictors))
        self.valid_for = self._nested.valid_for

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the median in seconds, ``None`` without any answer.

        Raises
        ------
        PredictorError
            An answer is no number of seconds.
        """
        answers = [predictor.predict(submission, now) for predictor in self._nested.predictors]
        estimates = [clamp(answer, submission) for answer in answers if answer is not None]
        return median(estimates) if estimates else None

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Let all of them take note of a job that has ended."""
        self._nested.learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Pass on that a job was submitted."""
        self._nested.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Pass on that a job starts."""
        self._nested.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Pass on that a job will not run."""
        self._nested.withdrawn(submission, now)
