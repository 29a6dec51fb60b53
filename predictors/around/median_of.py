"""The median of what several predictors say."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from predictors.around.nested import Nested, Spec, listed
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class MedianOf(Nested):
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

    predictors: Sequence[Spec] = ("last_two", "similar", "min_diff")

    def __post_init__(self) -> None:
        """Make the predictors."""
        self.predictors = self.surround(listed("predictors", self.predictors))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the median in seconds, ``None`` without any answer.

        Raises
        ------
        PredictorError
            An answer is no number of seconds.
        """
        estimates = self.estimates(submission, now)
        return median(estimates) if estimates else None
