"""The first of several predictors that knows something."""

from collections.abc import Sequence

from predictors.around.nested import Nested, Spec, listed
from predictors.submission import Submission


class Fallback:
    """Predicts what the first of several predictors does that knows something of the job.

    Nothing (the walltime) where none of them does.

    Parameters
    ----------
    predictors
        The predictors in the order in which they are asked: names, or objects with name and
        options.

    Raises
    ------
    UnknownNameError, OptionError
        No such predictor, or an option with a value that it can't have.

    Examples
    --------
    >>> predictor = Fallback(predictors=["last_two", {"name": "percentile", "by": "queue"}])
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, user=user, queue="long")
    ...     for user in ("ann", "bob")
    ... )
    >>> for run_time in (100.0, 300.0):
    ...     predictor.learn(ann, run_time, run_time)
    >>> predictor.predict(ann, 300.0), predictor.predict(bob, 300.0)
    (200.0, 260.0)
    """

    __slots__ = ("_nested", "valid_for")

    def __init__(self, *, predictors: Sequence[Spec] = ("last_two", "mean_user")) -> None:
        self._nested = Nested(listed("predictors", predictors))
        self.valid_for = self._nested.valid_for

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the first answer in seconds, ``None`` if there is none."""
        for predictor in self._nested.predictors:
            prediction = predictor.predict(submission, now)
            if prediction is not None:
                return prediction
        return None

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
