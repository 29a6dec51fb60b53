"""The geometric mean of what several predictors say."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from predictors.around.nested import Nested, Spec, listed
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class GeometricMean(Nested):
    """Predicts the geometric mean of the estimates of several predictors.

    That is the mean of their logarithms: estimates of a minute and of an hour make one of eight
    minutes, since run times are as often a tenth as ten times of what was thought. Each answer
    counts as the estimate that would be made of it, from 1 s to the walltime. Those that know
    nothing are left out. Nothing (the walltime) where none of them knows anything.

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
    >>> predictor = GeometricMean(predictors=["last_two", "mean_user"])
    >>> for now, run_time in enumerate([1000.0, 80.0, 120.0]):
    ...     predictor.learn(job, run_time, now)
    >>> round(predictor.predict(job, 3.0), 9)  # of 100 and 400 s
    200.0
    """

    predictors: Sequence[Spec] = ("knn", "similar")

    def __post_init__(self) -> None:
        """Make the predictors."""
        self.predictors = self.surround(listed("predictors", self.predictors))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the geometric mean in seconds, ``None`` without any answer.

        Raises
        ------
        PredictorError
            An answer is no number of seconds.
        """
        estimates = self.estimates(submission, now)
        if not estimates:
            return None
        # a job may ask for 0 s, and its estimate is that
        if min(estimates) <= 0.0:
            return 0.0
        return math.exp(sum(map(math.log, estimates)) / len(estimates))
