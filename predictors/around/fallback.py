"""The first of several predictors that knows something."""

from collections.abc import Sequence
from dataclasses import dataclass

from predictors.around.nested import Nested, Spec, listed
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Fallback(Nested):
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

    predictors: Sequence[Spec] = ("last_two", "mean_user")

    def __post_init__(self) -> None:
        """Make the predictors."""
        self.predictors = self.surround(listed("predictors", self.predictors))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the first answer in seconds, ``None`` if there is none."""
        for predictor in self._inside:
            prediction = predictor.predict(submission, now)
            if prediction is not None:
                return prediction
        return None
