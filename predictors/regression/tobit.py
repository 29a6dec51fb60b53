"""A linear model of the logarithm of run times that knows that killed jobs would have run on."""

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
"""The last inputs, sine and cosine of the time, are no sizes."""


@dataclass(kw_only=True, eq=False)
class Tobit:
    """Predicts by a censored regression: a job that was killed ran for at least so long.

    A job that reached its walltime was killed there, and how long it would have run is not known.
    To take its walltime for its run time makes the model say too little of the jobs that are
    longest. Here such jobs are learned as what they are, by the Tobit model (`fit_censored`): the
    logarithm of 1 + run time is normally distributed around a linear function of the logarithms of
    what `OnlineLinear` looks at, and of a killed job it is only known to be above its walltime's.

    Nothing (the walltime) before `min_jobs` jobs have ended, and while all of them were killed.

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
    """This and the next three as of `Regression`."""
    refit_every: float | None = None
    refit_jobs: int | None = 500
    """A fit takes some hundredths of a second."""
    min_jobs: int = 16
    quantile: float = 0.5
    """The quantile that is predicted: 0.5 for the median, which is the geometric mean, too; 0.9 so
    that nine in ten jobs are to end within the prediction."""
    censored: bool = True
    """Whether killed jobs are learned as killed, or as if they had ended by themselves, as other
    predictors do (for comparison)."""
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
        """Note a submission."""
        self._activity.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start."""
        self._activity.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run."""
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
