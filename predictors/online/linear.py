"""A linear model that learns from each job that ends (Gaussier et al. 2015)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from predictors.checks import require_choice, require_number, require_run_time
from predictors.online.linear_inputs import LARGEST, USED, LinearInputs
from predictors.regression.activity import Activity
from predictors.regression.on_rows import Array
from predictors.regression.rows import CalendarFeatures
from predictors.submission import Submission

# a sum of squares starts here instead of at 0, to avoid 0 / 0; smaller than any relevant square
TINY = 1e-200


class NormalisedGradient:
    """A linear model that learns by normalised adaptive gradients (NAG) [1]_.

    Each input has its own scale, which is its largest absolute value so far, and its own adaptive
    rate. When a scale grows, the input's coefficient becomes smaller, so that one huge value does
    not spoil the model.

    The learning `rate` has the unit of the predictions.

    References
    ----------
    .. [1] S. Ross, P. Mineiro, J. Langford, "Normalized online learning", UAI 2013, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> model, inputs = NormalisedGradient(1, rate=10.0), np.array([2.0])
    >>> for _ in range(200):
    ...     model.learn(inputs, lambda predicted: 2.0 * (predicted - 30.0))
    >>> round(model.predict(inputs), 3)
    30.0
    """

    __slots__ = (
        "_coefficients", "_examples", "_inverse_scales", "_norm", "_rate", "_scales", "_squares",
    )  # fmt: skip

    def __init__(self, size: int, *, rate: float) -> None:
        import numpy as np

        self._rate = rate
        self._coefficients: Array = np.zeros(size)
        self._scales: Array = np.zeros(size)
        # 1 / scale for each input; 0 if the scale is 0
        self._inverse_scales: Array = np.zeros(size)
        self._squares: Array = np.full(size, TINY)
        self._norm = 0.0
        self._examples = 0

    def predict(self, inputs: Array) -> float:
        """Return the sum of inputs times coefficients."""
        # no BLAS product, because its last bits depend on the machine
        return float((self._coefficients * inputs).sum())

    def learn(self, inputs: Array, slope: Callable[[float], float]) -> None:
        """Learn an example: inputs of shape (size,), and the derivative of the loss as a function.

        `slope` returns the derivative of the loss for a given prediction.
        """
        import numpy as np

        self._take_up_sizes(np.abs(inputs))
        self._examples += 1
        shares = inputs * self._inverse_scales
        self._norm += float((shares * shares).sum())
        gradient = slope(self.predict(inputs)) * inputs
        self._squares += gradient * gradient
        steps = gradient * self._inverse_scales / np.sqrt(self._squares)
        if self._norm:
            self._coefficients -= self._rate * math.sqrt(self._examples / self._norm) * steps

    def _take_up_sizes(self, sizes: Array) -> None:
        grown = sizes > self._scales
        if grown.any():
            self._coefficients[grown] *= self._scales[grown] / sizes[grown]
            self._scales[grown] = sizes[grown]
            self._inverse_scales[grown] = 1.0 / sizes[grown]


BRANCHES = ("squared", "absolute")
WEIGHTS = ("area", "none")
LARGEST_RATE = 1e9
"""The largest permitted learning rate in seconds; much larger rates could overflow."""


@dataclass(frozen=True, slots=True)
class AsymmetricLoss:
    """The loss of a prediction e for a run time r, in units u of time.

    It is weight x ((e - r) / u)^2 or weight x |e - r| / u.

    Examples
    --------
    The derivative is 2 if a prediction is an hour too long, and -1 if it is too short by any time.

    >>> loss = AsymmetricLoss(weight="none")
    >>> loss.derivative(7200.0, 3600.0, processors=4), loss.derivative(0.0, 3600.0, processors=4)
    (2.0, -1.0)
    """

    over: str = "squared"
    """The loss of a prediction above the run time, ``squared`` or ``absolute``."""
    under: str = "absolute"
    """The loss of a prediction below the run time, ``squared`` or ``absolute``."""
    unit: float = 3600.0
    """The error in seconds at which both losses are equal."""
    weight: str = "area"
    """``area``: 1 + ln(processors x run time), at least 1; ``none``: 1."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_choice("over", self.over, BRANCHES)
        require_choice("under", self.under, BRANCHES)
        require_number("unit", self.unit, open_ends=True)
        require_choice("weight", self.weight, WEIGHTS)

    def derivative(self, predicted: float, run_time: float, *, processors: int) -> float:
        """Return the derivative of the loss with respect to the prediction in `unit` seconds."""
        error = (predicted - run_time) / self.unit
        weight = 1.0
        if self.weight == "area":
            weight += math.log(max(processors * run_time, 1.0))
        if (self.over if error > 0 else self.under) == "squared":
            return weight * 2.0 * error
        return weight * (error > 0) - weight * (error < 0)


@dataclass(kw_only=True, eq=False)
class OnlineLinear:
    """Predicts with a linear model on polynomial features and an asymmetric loss.

    This class follows Gaussier, Glesser, Reis and Trystram [1]_. It takes from the paper: the
    features of a job and of its user (`LinearInputs`), products of the features, normalised
    adaptive gradients (`NormalisedGradient`), the loss (squared above the run time, absolute below,
    weighted by 1 + ln(processors x run time)), and the learning rate of 5,000 s. It differs from
    the paper in three points: means are over the last ten jobs instead of all jobs, there is no L2
    term (its factor would depend on the units of the inputs), and errors are in hours. With errors
    in seconds, overestimates would have so much more weight that the model would predict one second
    for every job.

    There is no prediction before the first job has ended.

    References
    ----------
    .. [1] E. Gaussier, D. Glesser, V. Reis, D. Trystram, "Improving backfilling by using machine
       learning to predict running times", SC 2015.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = OnlineLinear()
    >>> for _ in range(20):
    ...     predictor.learn(job, 600.0, 600.0)
    >>> predictor.predict(job, 600.0) < 1000.0
    True
    """

    degree: int = 2
    """1: only the features. 2: also the products of any two features."""
    over: str = "squared"
    """The loss of a prediction above the run time, ``squared`` or ``absolute``."""
    under: str = "absolute"
    """The loss of a prediction below the run time, ``squared`` or ``absolute``."""
    unit: float = 3600.0
    """The error in seconds at which the squared and the absolute loss are equal."""
    weight: str = "area"
    """``area``: 1 + ln(processors x run time). ``none``: all jobs have equal weights."""
    rate: float = 5000.0
    """The learning rate, in seconds."""
    epoch: float = 0.0
    """The Unix time of date 0 in seconds, for the time of day and week; see `CalendarFeatures`."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_number("rate", self.rate, most=LARGEST_RATE, open_ends=True)
        self._loss = AsymmetricLoss(
            over=self.over, under=self.under, unit=self.unit, weight=self.weight
        )
        self._inputs = LinearInputs(degree=self.degree, calendar=CalendarFeatures(epoch=self.epoch))
        self._activity = Activity(USED)
        self._model = NormalisedGradient(self._inputs.size, rate=self.rate)
        self._learned = False

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, or ``None`` before the first end."""
        if not self._learned:
            return None
        activity = self._activity.values(submission, now)
        return self._model.predict(self._inputs.of(submission, activity))

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Update the model with an ended job; see `Predictor`."""
        require_run_time(submission, run_time)
        inputs = self._inputs.of(submission, self._activity.ended(submission, run_time, now))
        slope = partial(
            self._loss.derivative,
            run_time=min(run_time, LARGEST),
            processors=submission.processors,
        )
        self._model.learn(inputs, slope)
        self._learned = True

    def submitted(self, submission: Submission, now: float) -> None:
        """Record a submission."""
        self._activity.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Record a start."""
        self._activity.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Record that a job will not run."""
        self._activity.withdrawn(submission, now)
