"""The base classes of predictors that fit a model to past jobs."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from predictors.checks import LARGEST_SEED, require_choice, require_count, require_number
from predictors.estimate import clamp, geometric_mean
from predictors.regression.on_rows import Array, Fitted, OnRows
from predictors.regression.training_window import RefitSchedule, TrainingWindow
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Regression(OnRows):
    """Predicts with a model that is fitted to past jobs and fitted again as jobs end.

    Subclasses (`DecisionTree`, `RandomForest`, ...) define the model in `fit`. The jobs of a fit
    depend only on the learned jobs and their ends, never on which predictions were requested:

    - The jobs learned up to date 0 (a history) are fitted from date 0 on.
    - A new fit on the last `window` jobs is due when a job ends `refit_every` seconds or more after
      the last fit.
    - A new fit is also due when `refit_jobs` jobs were learned since the last fit.
    - With either option, a new fit is also due when the number of learned jobs has doubled. A
      simulation without a history thus gets early predictions.

    The next prediction computes a fit that is due. There is no prediction before `min_jobs` jobs
    have ended; schedulers then use the walltime.
    """

    window: int | None = 10_000
    """The number of last ended jobs that are fitted, because users change their jobs over time;
    ``None`` for all jobs."""
    refit_every: float | None = None
    """Seconds between two fits; ``None`` for no fits by date."""
    refit_jobs: int | None = 2_000
    """Number of jobs learned between two fits; ``None`` for no fits by number. If both options are
    ``None``, there is one fit only, of the history or of the first `min_jobs` jobs."""
    min_jobs: int = 16
    """The minimum number of jobs for a fit."""

    def __post_init__(self) -> None:
        """Check the options."""
        schedule = RefitSchedule(
            every=self.refit_every, jobs=self.refit_jobs, minimum=self.min_jobs
        )
        self._window = TrainingWindow(size=self.window, schedule=schedule)
        self._fitted: list[Fitted] = []
        super().__post_init__()

    def _texts_kept(self) -> int | None:
        return self.window

    @abstractmethod
    def fit(self, rows: Array, targets: Array) -> Fitted:
        """Return a model fitted to rows of shape (jobs, features) and targets of shape (jobs)."""

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, ``None`` before the first fit."""
        due = self._window.take_due(now=now)
        if due is not None:
            number = len(self._targets)
            self._fitted = [self.fit(due[:, number:], due[:, place]) for place in range(number)]
        if not self._fitted:
            return None
        row = self._rows.row(submission, now)
        answers = [
            target.decode(fitted.predict(row), submission)
            for target, fitted in zip(self._targets, self._fitted, strict=True)
        ]
        if len(answers) == 1:
            return answers[0]
        estimates = [clamp(answer, submission) for answer in answers if answer is not None]
        return geometric_mean(estimates, [1.0] * len(estimates)) if estimates else None

    def _learn_row(self, row: list[float], targets: list[float], now: float) -> None:
        self._window.learn([*targets, *row], now=now)


_CHECKS: Mapping[str, Callable[[str, object], object]] = {
    "trees": require_count,
    "learning_rate": partial(require_number, open_ends=True),
    "max_depth": require_count,
    "max_leaves": partial(require_count, least=2),
    "min_samples_leaf": require_count,
    "quantile": partial(require_number, most=1.0, open_ends=True),
    "seed": partial(require_count, least=0, most=LARGEST_SEED),
}
"""The check of each option that a subclass may have."""


@dataclass(kw_only=True, eq=False)
class OnTrees(Regression):
    """Predicts with trees that are fitted to past jobs; see `Regression`."""

    losses: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"squared": "squared_error", "absolute": "absolute_error"}
    )
    """The names of the losses, with scikit-learn's names."""

    loss: str = "squared"
    """The error that a fit minimises. ``squared``: a leaf has the mean of its jobs. ``absolute``: a
    leaf has the median; fits of single trees and forests take many times longer. ``quantile``, for
    boosted trees only: a leaf has a quantile."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_choice("loss", self.loss, tuple(self.losses))
        for option, check in _CHECKS.items():
            value = getattr(self, option, None)
            # None is valid only if it is the default
            if value is not None or getattr(type(self), option, None) is not None:
                check(option, value)
