"""The base classes of predictors that fit a model to the last ended jobs."""

import math
from abc import abstractmethod
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from predictors.checks import LARGEST_SEED, require_choice, require_count, require_number
from predictors.estimate import clamp, geometric_mean
from predictors.regression.on_rows import Array, Fitted, OnRows
from predictors.submission import Submission


@dataclass(frozen=True, slots=True)
class RefitSchedule:
    """Decides after which ended job a new fit of the model is due.

    The first fit is due after `minimum` jobs. A later fit is due when, since the last fit, `every`
    seconds have passed, or `jobs` more jobs were learned, or the number of learned jobs has
    doubled. Because of the doubling, a simulation without a history has early fits. If neither
    `every` nor `jobs` is given, there is only one fit, to the history or to the first `minimum`
    jobs.

    Examples
    --------
    >>> schedule = RefitSchedule(every=86400.0)
    >>> schedule.due(3, 2, now=100.0, since=50.0), schedule.due(4, 2, now=100.0, since=50.0)
    (False, True)
    """

    every: float | None = None
    """Seconds between two fits."""
    jobs: int | None = None
    minimum: int = 1

    def __post_init__(self) -> None:
        """Check the options."""
        if self.every is not None:
            require_number("refit_every", self.every, open_ends=True)
        if self.jobs is not None:
            require_count("refit_jobs", self.jobs)
        require_count("min_jobs", self.minimum)

    def due(self, learned: int, known: int, *, now: float, since: float = -math.inf) -> bool:
        """Return whether a fit is due after the last fit, to `known` jobs at the date `since`."""
        if learned < self.minimum:
            return False
        if known == 0:
            return True
        if self.every is None and self.jobs is None:
            return False
        return (
            learned >= 2 * known
            or (self.every is not None and now >= since + self.every)
            or (self.jobs is not None and learned >= known + self.jobs)
        )


class TrainingWindow:
    """Keeps the rows and targets of the last learned jobs, and returns them when a fit is due.

    The jobs of a fit depend only on the learned jobs and their ends, never on the requested
    predictions. The jobs learned up to date 0 (a history) are fitted at date 0, if they are at
    least as many as the schedule's minimum. Later, all jobs learned so far are fitted when the
    schedule says that a fit is due.

    A fit uses at most the last `size` of these jobs, or all of them if `size` is ``None``.

    Raises
    ------
    OptionError
        The size is not a whole number of at least 1.

    Examples
    --------
    >>> window = TrainingWindow(size=2, schedule=RefitSchedule(jobs=1))
    >>> for number in range(3):
    ...     window.learn([1.0, float(number)], now=float(number))
    >>> window.take_due(now=3.0).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    >>> window.take_due(now=3.0) is None
    True
    """

    __slots__ = (
        "_due", "_fitted", "_forgotten", "_history", "_known", "_known_since", "_learned", "_rows",
        "_schedule", "_size",
    )  # fmt: skip

    def __init__(self, *, size: int | None, schedule: RefitSchedule) -> None:
        self._size = None if size is None else require_count("window", size)
        self._schedule = schedule
        # the rows of the last learned jobs; the rows of the first `_forgotten` jobs are dropped
        self._rows = array("d")
        self._forgotten = 0
        self._learned = 0
        # the next fit uses the first `_known` learned jobs; it became due at `_known_since`
        self._known = 0
        self._known_since = -math.inf
        self._history = 0
        self._fitted = 0
        self._due: Array | None = None

    def learn(self, row: Sequence[float], *, now: float) -> None:
        """Add the row of a job that ended at `now`."""
        if self._known < self._history and now > 0:
            self._begin()
        self._rows.extend(row)
        self._learned += 1
        if now <= 0:
            self._history = self._learned
        if self._schedule.due(self._learned, self._known, now=now, since=self._known_since):
            self._know(self._learned, now)
        if self._size is not None and self._learned - self._forgotten >= 2 * self._size:
            self._forget(self._learned - self._size)

    def take_due(self, *, now: float) -> Array | None:
        """Return the table to fit, of shape (jobs, numbers), or ``None`` if no new fit is due."""
        if self._known < self._history and now >= 0:
            self._begin()
        if self._fitted == self._known:
            return None
        table = self._last_known() if self._due is None else self._due
        self._due = None
        self._fitted = self._known
        return table

    def _begin(self) -> None:
        """Make a first fit to the history due at date 0, unless the history has too few jobs."""
        if self._history >= self._schedule.minimum:
            self._know(self._history, 0.0)

    def _know(self, number: int, now: float) -> None:
        self._known = number
        self._known_since = now
        self._due = None

    def _forget(self, number: int) -> None:
        """Drop the first `number` jobs; if a fit is due, first copy the table for the fit."""
        if self._fitted != self._known and self._due is None:
            self._due = self._last_known()
        del self._rows[: (number - self._forgotten) * self._width]
        self._forgotten = number

    @property
    def _width(self) -> int:
        return len(self._rows) // (self._learned - self._forgotten)

    def _last_known(self) -> Array:
        import numpy as np

        last = self._known - self._forgotten
        first = 0 if self._size is None else max(0, last - self._size)
        width = self._width
        return np.array(self._rows[first * width : last * width]).reshape(-1, width)


@dataclass(kw_only=True, eq=False)
class Regression(OnRows):
    """Predicts with a model that is fitted to past jobs, and fitted again as jobs end.

    Subclasses (`DecisionTree`, `RandomForest`, ...) define the model in `fit`. The jobs of a fit
    depend only on the learned jobs and their ends, never on which predictions were requested:

    - The jobs learned up to date 0 (a history) are fitted from date 0 on.
    - A new fit on the last `window` jobs is due when a job ends `refit_every` seconds or more after
      the last fit.
    - A new fit is also due when `refit_jobs` jobs were learned since the last fit.
    - With either option, a new fit is also due when the number of learned jobs has doubled. A
      simulation without a history thus gets early predictions.

    If a fit is due, the next prediction computes the fit first. There is no prediction before
    `min_jobs` jobs have ended; schedulers then use the walltime.
    """

    window: int | None = 10_000
    """The model is fitted to at most this many of the last ended jobs, because users change their
    jobs over time; ``None`` for all jobs."""
    refit_every: float | None = None
    """Seconds between two fits; ``None``: the time does not make a fit due."""
    refit_jobs: int | None = 2_000
    """Number of jobs learned between two fits; ``None``: their number does not make a fit due. If
    both options are ``None``, the only fit is to the history or to the first `min_jobs` jobs."""
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
        """Return the predicted run time in seconds; ``None`` before the first fit."""
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
"""The function that checks each option that a subclass may have."""


@dataclass(kw_only=True, eq=False)
class OnTrees(Regression):
    """Predicts with trees that are fitted to past jobs; see `Regression`."""

    losses: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"squared": "squared_error", "absolute": "absolute_error"}
    )
    """The names of the losses, with their names in scikit-learn."""

    loss: str = "squared"
    """The error that a fit minimises. ``squared``: a leaf predicts the mean of its jobs.
    ``absolute``: a leaf predicts the median; single trees and forests then take many times longer
    to fit. ``quantile``, only for boosted trees: a leaf predicts a quantile."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_choice("loss", self.loss, tuple(self.losses))
        for option, check in _CHECKS.items():
            value = getattr(self, option, None)
            # None is a valid value only if it is the option's default
            if value is not None or getattr(type(self), option, None) is not None:
                check(option, value)
