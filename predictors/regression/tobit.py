"""A linear model of the logarithm of run times that treats killed jobs as censored."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from predictors.checks import require_number, require_run_time
from predictors.errors import OptionError
from predictors.online.linear_inputs import LARGEST, NUMBER, USED, LinearInputs
from predictors.regression.activity import Activity, Values
from predictors.regression.calendar import CalendarFeatures
from predictors.regression.censored import CensoredFit, fit_censored
from predictors.regression.on_rows import Array
from predictors.regression.one_thread import one_thread
from predictors.regression.training_window import RefitSchedule, TrainingWindow
from predictors.submission import Submission

SIGNED = 4
"""The number of last inputs (sine and cosine of the time) that get no logarithm."""


@dataclass(kw_only=True, eq=False)
class Tobit:
    """Predicts by a regression that treats the run time of a killed job as a lower bound.

    A job that reached its walltime was killed, and its full run time is unknown. A model that
    learns the walltime as the run time predicts too little for long jobs. The Tobit model
    (`fit_censored`) instead uses the walltime of a killed job as a lower bound. It assumes that the
    logarithm of 1 + run time is normally distributed around a linear function. The inputs of this
    function are the logarithms of the inputs of `OnlineLinear`.

    There is no prediction before `min_jobs` jobs have ended, nor if all of them were killed.

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
    """See `Regression` for this option and the next three."""
    refit_every: float | None = None
    refit_jobs: int | None = 500
    """A fit takes some hundredths of a second."""
    min_jobs: int = 16
    quantile: float = 0.5
    """The predicted quantile. With 0.5 the prediction is the median, which is also the geometric
    mean in this model. With 0.9, nine of ten jobs should run no longer than predicted."""
    censored: bool = True
    """If false, killed jobs count as normally ended, as in other predictors (for comparison)."""
    epoch: float = 0.0
    """Date 0 for the time of day and of the week, in seconds; see `CalendarFeatures`."""

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
        """Return the predicted run time in seconds, ``None`` before the first fit."""
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
