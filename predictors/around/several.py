"""Predictors that answer by what several others say: their first answer, their median or mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from predictors.around.nested import Nested, Spec
from predictors.errors import OptionError
from predictors.submission import Submission
from predictors.sums import in_turn


@dataclass(kw_only=True, eq=False)
class Several(Nested):
    """Has several predictors inside, of whose answers it makes one."""

    predictors: Sequence[Spec]
    """Names, or objects with name and options."""

    def __post_init__(self) -> None:
        """Make the predictors."""
        specs = self.predictors
        if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
            raise OptionError(f"predictors must be a list of at least one predictor, not {specs!r}")
        self.predictors = self.surround(specs)


@dataclass(kw_only=True, eq=False)
class Fallback(Several):
    """Predicts what the first of several predictors does that knows something of the job.

    Nothing (the walltime) where none of them does.

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
    """In the order in which they are asked: names, or objects with name and options."""

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the first answer in seconds, ``None`` if there is none."""
        for predictor in self._inside:
            prediction = predictor.predict(submission, now)
            if prediction is not None:
                return prediction
        return None


@dataclass(kw_only=True, eq=False)
class MedianOf(Several):
    """Predicts the median of the estimates of several predictors.

    Each answer counts as the estimate that would be made of it, from 1 s to the walltime. Those
    that know nothing are left out. Of an even number the mean of the middle two. Nothing (the
    walltime) where none of them knows anything.

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

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the median in seconds, ``None`` without any answer."""
        estimates = self.estimates(submission, now)
        return median(estimates) if estimates else None


@dataclass(kw_only=True, eq=False)
class GeometricMean(Several):
    """Predicts the geometric mean of the estimates of several predictors.

    That is the mean of their logarithms: estimates of a minute and of an hour make one of eight
    minutes, since run times are as often a tenth as ten times of what was thought. Each answer
    counts as the estimate that would be made of it, from 1 s to the walltime. Those that know
    nothing are left out. Nothing (the walltime) where none of them knows anything.

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

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the geometric mean in seconds, ``None`` without any answer."""
        estimates = self.estimates(submission, now)
        if not estimates:
            return None
        # a job may ask for 0 s, and its estimate is that
        if min(estimates) <= 0.0:
            return 0.0
        return math.exp(in_turn(map(math.log, estimates)) / len(estimates))
