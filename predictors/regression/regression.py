"""A predictor made of features, target, window, schedule and model."""

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
    """Predicts with a model that is fitted to past jobs, again and again as jobs end.

    The named regressions (`DecisionTree`, `RandomForest`, ...) are this with a model: they have
    `fit`. A fit is made by the first prediction that needs it. What it knows depends on the jobs
    learned and on when they ended, never on what was asked:

    - what was learned up to date 0 (a history) is known from date 0 on;
    - a job that ends `refit_every` or more after the last fit brings a new one, on the last
      `window` jobs;
    - so does the last of `refit_jobs` jobs that were learned since, if that is given;
    - so does a job with which the number learned has doubled since, so that a simulation without
      a history need not wait for its first predictions.

    Nothing (the walltime) before `min_jobs` jobs have ended.

    Parameters
    ----------
    features, target, epoch
        As of `OnRows`.
    """

    window: int | None = 10_000
    """The number of jobs that are fitted, those that ended last, as users change what they run;
    ``None`` for all."""
    refit_every: float | None = None
    """Seconds between two fits; ``None`` for no fits by date."""
    refit_jobs: int | None = 2_000
    """Number of jobs learned between two fits; ``None`` for no fits by number. With neither of the
    two there is one fit only, of the history or, without one, of the first `min_jobs`."""
    min_jobs: int = 16
    """The fewest jobs that are fitted; the walltime before."""

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
        """Fit rows, of shape (jobs, features), to targets, of shape (jobs); both are doubles."""

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
        return geometric_mean(estimates, [1.0] * len(estimates))

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
"""The checks of the options, in those that have them."""


@dataclass(kw_only=True, eq=False)
class OnTrees(Regression):
    """Predicts with trees that are fitted to past jobs; see `Regression`."""

    losses: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"squared": "squared_error", "absolute": "absolute_error"}
    )
    """The losses, with scikit-learn's names of them."""

    loss: str = "squared"
    """The error that is minimised: the ``squared`` one (a leaf has the mean of its jobs), the
    ``absolute`` one (it has the median; fits of single trees and forests take many times longer)
    or, where trees are boosted, that of a ``quantile``."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_choice("loss", self.loss, tuple(self.losses))
        for option, check in _CHECKS.items():
            value = getattr(self, option, None)
            # there may be no limit only where there is none by default
            if value is not None or getattr(type(self), option, None) is not None:
                check(option, value)
