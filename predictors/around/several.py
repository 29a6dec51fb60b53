"""Combine several predictors: the first prediction, the median or the geometric mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from predictors.around.nested import Nested, Spec
from predictors.checks import require_number
from predictors.errors import OptionError
from predictors.estimate import clamp, geometric_mean
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Several(Nested):
    """The base class of predictors that combine the predictions of several others."""

    predictors: Sequence[Spec]
    """The predictors: names, or objects with name and options."""

    def __post_init__(self) -> None:
        """Make the predictors."""
        specs = self.predictors
        if isinstance(specs, str) or not isinstance(specs, Sequence) or not specs:
            raise OptionError(f"predictors must be a list of at least one predictor, not {specs!r}")
        self.predictors = self.surround(specs)


@dataclass(kw_only=True, eq=False)
class Fallback(Several):
    """Uses the first of several predictors that has a prediction for the job.

    If no predictor has a prediction, there is no prediction.

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
    """Names, or objects with name and options, in the order in which the predictors are tried."""

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the first prediction in seconds, or ``None``."""
        for predictor in self._inside:
            prediction = predictor.predict(submission, now)
            if prediction is not None:
                return prediction
        return None


@dataclass(kw_only=True, eq=False)
class MedianOf(Several):
    """Predicts the median of the estimates of several predictors.

    Each prediction is first limited to the range from 1 s to the walltime. Predictors without a
    prediction are left out. The median of an even number of estimates is the mean of the middle
    two. If no predictor has a prediction, there is no prediction.

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
        """Return the median in seconds, or ``None``."""
        estimates = self.estimates(submission, now)
        return median(estimates) if estimates else None


@dataclass(kw_only=True, eq=False)
class GeometricMean(Several):
    """Predicts the geometric mean of the estimates of several predictors.

    The geometric mean is the exponential of the mean logarithm: one minute and one hour give eight
    minutes. It suits run times, because a run time is a tenth of the estimate about as often as ten
    times the estimate. Each prediction is first limited to the range from 1 s to the walltime.
    Predictors without a prediction are left out. If no predictor has a prediction, there is no
    prediction.

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
    weights: Sequence[float] | None = None
    """The weight of each predictor; ``None`` for equal weights."""

    def __post_init__(self) -> None:
        """Make the predictors."""
        super().__post_init__()
        weights = [1.0] * len(self.predictors) if self.weights is None else self.weights
        if not isinstance(weights, list | tuple) or len(weights) != len(self.predictors):
            raise OptionError(f"weights must have one number for each predictor, not {weights!r}")
        self._weights = [require_number("a weight", one, open_ends=True) for one in weights]

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the geometric mean in seconds; ``None`` if no predictor has a prediction."""
        estimates, weights = [], []
        for predictor, weight in zip(self._inside, self._weights, strict=True):
            answer = predictor.predict(submission, now)
            if answer is not None:
                estimates.append(clamp(answer, submission))
                weights.append(weight)
        return geometric_mean(estimates, weights) if estimates else None
