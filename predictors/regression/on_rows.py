"""The base class of predictors that turn jobs into rows of numbers."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeGuard

from predictors.checks import require_choice, require_run_time
from predictors.regression.rows import FEATURES, FeatureRows
from predictors.submission import Submission

Array: TypeAlias = Any
"""A numpy array; only functions that compute with numpy import numpy."""


class Fitted(Protocol):
    """A fitted model."""

    def predict(self, row: list[float]) -> float:
        """Return the target predicted for a row of finite numbers."""
        ...


class Target(Protocol):
    """Converts a run time to the number that a model fits, and a predicted number back."""

    def encode(self, run_time: float, submission: Submission) -> float | None:
        """Return the number to fit for a run time in seconds; ``None`` to leave the job out."""
        ...

    def decode(self, predicted: float, submission: Submission) -> float | None:
        """Return the run time in seconds for a predicted number; ``None`` for no prediction."""
        ...


class Seconds:
    """The target is the run time itself."""

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float:
        """Return the run time in seconds."""
        return run_time

    def decode(self, predicted: float, submission: Submission) -> float:
        """Return the predicted number, which is the run time in seconds."""
        return predicted


class Logarithm:
    """The target is the natural logarithm of 1 + run time, so that errors are ratios.

    A mean of logarithms corresponds to the geometric mean of the run times, which is at most their
    arithmetic mean.
    """

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float:
        """Return ln(1 + run time)."""
        return math.log1p(max(run_time, 0.0))

    def decode(self, predicted: float, submission: Submission) -> float:
        """Return exp(predicted) - 1, or infinity if the result exceeds the largest float."""
        return math.expm1(predicted) if predicted < _LARGEST_LOG else math.inf


class Fraction:
    """The target is run time / walltime; it is unknown without a finite walltime above 0."""

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float | None:
        """Return run time / walltime; ``None`` without a usable walltime."""
        walltime = submission.walltime
        return run_time / walltime if _is_usable(walltime) else None

    def decode(self, predicted: float, submission: Submission) -> float | None:
        """Return predicted x walltime in seconds; ``None`` without a usable walltime."""
        walltime = submission.walltime
        return predicted * walltime if _is_usable(walltime) else None


def _is_usable(walltime: float | None) -> TypeGuard[float]:
    return walltime is not None and 0.0 < walltime < math.inf


_LARGEST_LOG = 709.0
TARGETS = ("seconds", "log", "fraction")


def make_target(name: str) -> Target:
    """Return the target with a given name: ``seconds``, ``log`` or ``fraction``.

    Raises
    ------
    OptionError
        No target has this name.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0)
    >>> target = make_target("fraction")
    >>> target.encode(900.0, job), target.decode(0.25, job)
    (0.25, 900.0)
    """
    require_choice("target", name, TARGETS)
    if name == "log":
        return Logarithm()
    return Fraction() if name == "fraction" else Seconds()


@dataclass(kw_only=True, eq=False)
class OnRows(ABC):
    """Turns jobs into rows of numbers for a model; the options describe the rows."""

    features: Sequence[str] = FEATURES
    """Names of features from `Submission`, `CalendarFeatures` and `Activity`; see `FeatureRows`."""
    target: str | Sequence[str] = "seconds"
    """The number that the model learns: ``seconds``, ``log`` (of 1 + seconds) or ``fraction`` (of
    the walltime). A `Regression` can learn several targets. It then predicts the geometric mean of
    their estimates, and learns only jobs for which all targets are known."""
    epoch: float = 0.0
    """The Unix time of date 0 in seconds, for ``hour`` and ``weekday``; see `CalendarFeatures`."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._rows = FeatureRows(self.features, epoch=self.epoch, texts=self._texts_kept())
        self.features = tuple(self.features)
        several = isinstance(self.target, list | tuple) and self.target
        names: Sequence[Any] = self.target if several else [self.target]
        self._targets = [make_target(name) for name in names]

    @abstractmethod
    def _texts_kept(self) -> int | None:
        """Return for how many jobs, at least, an unused text keeps its code; see `FeatureRows`."""

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        row = self._rows.ended(submission, run_time, now)
        encoded = [target.encode(run_time, submission) for target in self._targets]
        targets = [target for target in encoded if target is not None]
        if len(targets) == len(encoded):
            self._learn_row(row, targets, now)

    @abstractmethod
    def _learn_row(self, row: list[float], targets: list[float], now: float) -> None:
        """Learn the row and the targets of an ended job."""

    def submitted(self, submission: Submission, now: float) -> None:
        """Record a submission, for the features of the user's other jobs."""
        self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Record a start."""
        self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Forget a job that will not run."""
        self._rows.withdrawn(submission, now)
