"""A linear model of the logarithm of run times, for which killed jobs are censored."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from predictors.checks import require_number, require_run_time
from predictors.errors import OptionError
from predictors.online.linear_inputs import LARGEST, NUMBER, USED, LinearInputs
from predictors.regression.activity import Activity, Values
from predictors.regression.on_rows import Array
from predictors.regression.regression import RefitSchedule, TrainingWindow
from predictors.regression.rows import CalendarFeatures
from predictors.regression.trees import one_thread
from predictors.submission import Submission

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MOST_STEPS = 50
"""The maximum number of steps of Newton's method; a fit usually needs about ten."""
ENOUGH = 1e-8
"""The fit ends if a step's expected gain in log-likelihood is below this value x number of
examples."""
LEAST_SPREAD = 0.01
"""A penalty prevents a spread far below this value, even if all targets are equal."""


class CensoredFit(NamedTuple):
    """A fitted linear model: target = constant + inputs x coefficients + spread x normal noise."""

    constant: float
    coefficients: Array
    spread: float

    def mean(self, inputs: Array) -> float:
        """Return the expected target of one example."""
        # no BLAS product, because its last bits depend on the machine
        return self.constant + float((self.coefficients * inputs).sum())


def fit_censored(
    inputs: Array, targets: Array, *, censored: "NDArray[np.bool_]", penalty: float = 1.0
) -> CensoredFit | None:
    """Return the linear model of maximum likelihood, or ``None`` if all targets are censored.

    The model is the Tobit model [1]_ with a separate limit for each example. The fit uses Olsen's
    parameters [2]_: 1 / spread, and the coefficients and the constant divided by the spread. In
    these parameters the log-likelihood has one maximum, which Newton's method finds.

    `inputs` has the shape (examples, inputs); `targets` and `censored` have the shape (examples).
    `censored` is True where a target is only a lower bound. `penalty` is the factor of the penalty
    on squared coefficients, for inputs scaled to a variance of 1.

    References
    ----------
    .. [1] J. Tobin, "Estimation of relationships for limited dependent variables", Econometrica
       26(1), 1958.
    .. [2] R. J. Olsen, "Note on the uniqueness of the maximum likelihood estimator for the Tobit
       model", Econometrica 46(5), 1978.

    Examples
    --------
    >>> import numpy as np
    >>> inputs, targets = np.zeros((4, 1)), np.array([1.0, 2.0, 3.0, 3.0])
    >>> exact = fit_censored(inputs, targets, censored=np.array([False] * 4))
    >>> last_two_longer = fit_censored(inputs, targets, censored=np.array([False] * 2 + [True] * 2))
    >>> round(exact.constant, 3), last_two_longer.constant > 2.5
    (2.25, True)
    """
    import numpy as np

    exact = len(targets) - int(censored.sum())
    if not exact:
        return None
    middle, scale = inputs.mean(axis=0), inputs.std(axis=0)
    # a constant input gets the coefficient 0
    inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
    centre = targets.mean()
    # each row is (1, inputs, -target), so that row x parameters is the negative residual
    table = np.column_stack([np.ones(len(targets)), (inputs - middle) * inverse, centre - targets])
    penalties = np.full(table.shape[1], penalty)
    penalties[0] = 0.0
    penalties[-1] = exact * LEAST_SPREAD**2
    likelihood = _Likelihood(table, censored, exact=exact, penalties=penalties)
    found = _maximum(
        likelihood, np.append(np.zeros(table.shape[1] - 1), 1.0 / (targets.std() + 0.1))
    )
    spread = 1.0 / float(found[-1])
    coefficients = found[1:-1] * spread * inverse
    constant = float(centre + found[0] * spread - (coefficients * middle).sum())
    return CensoredFit(constant, coefficients, spread)


class _Likelihood:
    """The log-likelihood minus the penalties."""

    def __init__(
        self, table: Array, censored: "NDArray[np.bool_]", *, exact: int, penalties: Array
    ) -> None:
        self._table = table
        self._censored = censored
        self._exact = exact
        self._penalties = penalties

    def value(self, parameters: Array) -> float:
        """Return the penalised log-likelihood; minus infinity if 1 / spread is not above 0."""
        from scipy.special import log_ndtr

        if parameters[-1] <= 0:
            return -math.inf
        reached = self._table @ parameters
        found = self._exact * math.log(parameters[-1])
        found -= 0.5 * float((reached[~self._censored] ** 2).sum())
        found += float(log_ndtr(reached[self._censored]).sum())
        return found - 0.5 * float((self._penalties * parameters**2).sum())

    def slope_and_curvature(self, parameters: Array) -> tuple[Array, Array]:
        """Return the gradient and the negative Hessian matrix."""
        import numpy as np
        from scipy.special import log_ndtr

        reached = self._table @ parameters
        pull, weight = -reached, np.ones_like(reached)
        beyond = reached[self._censored]
        # the normal density divided by the cumulative normal distribution
        ratio = np.exp(-0.5 * beyond**2 - 0.5 * math.log(2 * math.pi) - log_ndtr(beyond))
        pull[self._censored] = ratio
        weight[self._censored] = ratio * (ratio + beyond)
        slope = self._table.T @ pull - self._penalties * parameters
        curvature = (self._table * weight[:, np.newaxis]).T @ self._table
        curvature += np.diag(self._penalties)
        slope[-1] += self._exact / parameters[-1]
        curvature[-1, -1] += self._exact / parameters[-1] ** 2
        return slope, curvature


def _maximum(likelihood: _Likelihood, parameters: Array) -> Array:
    """Return the parameters of the maximum, by Newton's method.

    Each step is halved until the likelihood does not fall.
    """
    import numpy as np

    value = likelihood.value(parameters)
    for _ in range(MOST_STEPS):
        slope, curvature = likelihood.slope_and_curvature(parameters)
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        promised = float((slope * step).sum())
        share = 1.0
        while (reached := likelihood.value(parameters + share * step)) < value:
            share /= 2
            if share < ENOUGH:
                return parameters
        parameters, value = parameters + share * step, reached
        if promised < ENOUGH * len(slope):
            break
    return parameters


SIGNED = 4
"""The number of last inputs (sine and cosine of the times) that are used without a logarithm."""


@dataclass(kw_only=True, eq=False)
class Tobit:
    """Predicts by a regression that treats the run time of a killed job as a lower bound.

    A job that reached its walltime was killed, so its full run time is unknown. If a model learns
    the walltime of such jobs as their run time, its predictions for long jobs are too short. The
    Tobit model (`fit_censored`) instead uses the walltime of a killed job as a lower bound. The
    model assumes that the logarithm of 1 + run time is normally distributed around a linear
    function. The inputs of this function are the logarithms of the inputs of `OnlineLinear`.

    There is no prediction before `min_jobs` jobs have ended, or if all ended jobs were killed.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> median, most = Tobit(), Tobit(quantile=0.9)
    >>> for number in range(200):
    ...     for predictor in (median, most):
    ...         predictor.learn(job, 500.0 + number, 0.0)
    >>> 550 < median.predict(job, 1.0) < 650 < most.predict(job, 1.0)
    True
    """

    window: int | None = 10_000
    """`Regression` explains this option and the next three."""
    refit_every: float | None = None
    refit_jobs: int | None = 500
    """The number of jobs learned between two fits; a fit takes some hundredths of a second."""
    min_jobs: int = 16
    quantile: float = 0.5
    """The predicted quantile. With 0.5, the prediction is the median, which is also the geometric
    mean in this model. With 0.9, nine of ten jobs should run no longer than predicted."""
    censored: bool = True
    """If false, the model treats killed jobs as normally ended, like other predictors do."""
    epoch: float = 0.0
    """The Unix time of date 0 in seconds, for the time of day and week; see `CalendarFeatures`."""

    def __post_init__(self) -> None:
        """Check the options."""
        schedule = RefitSchedule(
            every=self.refit_every, jobs=self.refit_jobs, minimum=self.min_jobs
        )
        self._window = TrainingWindow(size=self.window, schedule=schedule)
        require_number("quantile", self.quantile, most=1.0, open_ends=True)
        if not isinstance(self.censored, bool):
            raise OptionError(f"censored must be true or false, not {self.censored!r}")
        self._deviations = NormalDist().inv_cdf(self.quantile)
        self._inputs = LinearInputs(degree=1, calendar=CalendarFeatures(epoch=self.epoch))
        self._activity = Activity(USED)
        self._fitted: CensoredFit | None = None

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds; ``None`` before the first fit."""
        due = self._window.take_due(now=now)
        if due is not None:
            self._fitted = self._fit(due)
        fitted = self._fitted
        if fitted is None:
            return None
        inputs = self._logarithms(submission, self._activity.values(submission, now))
        logarithm = fitted.mean(inputs) + self._deviations * fitted.spread
        return math.expm1(min(logarithm, math.log(LARGEST)))

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        inputs = self._logarithms(submission, self._activity.ended(submission, run_time, now))
        walltime = submission.walltime
        killed = self.censored and walltime is not None and run_time >= walltime
        target = math.log1p(min(run_time, LARGEST))
        self._window.learn([target, float(killed), *inputs.tolist()], now=now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Record a submission."""
        self._activity.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Record a start."""
        self._activity.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Forget a job that will not run."""
        self._activity.withdrawn(submission, now)

    def _logarithms(self, submission: Submission, activity: Values) -> Array:
        import numpy as np

        inputs = self._inputs.of(submission, activity)
        sizes = inputs[: NUMBER - SIGNED]
        np.log1p(sizes, out=sizes)
        return inputs

    def _fit(self, table: Array) -> CensoredFit | None:
        with one_thread("blas"):
            return fit_censored(table[:, 2:], table[:, 0], censored=table[:, 1] > 0)
