"""The base of predictors that see jobs as rows of numbers."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeGuard

from predictors.checks import require_choice, require_run_time
from predictors.regression.rows import FEATURES, FeatureRows
from predictors.submission import Submission

Array: TypeAlias = Any
"""A numpy array; numpy is imported where it is used only."""


class Fitted(Protocol):
    """A model that was fitted."""

    def predict(self, row: list[float]) -> float:
        """Return the target predicted for a row of finite numbers."""
        ...


class Target(Protocol):
    """Turns a run time into the number that is fitted, and a predicted number into a run time."""

    def encode(self, run_time: float, submission: Submission) -> float | None:
        """Return what to fit for a job that ran that many seconds, ``None`` to leave it out."""
        ...

    def decode(self, predicted: float, submission: Submission) -> float | None:
        """Return the run time in seconds that a predicted number stands for, ``None`` if none."""
        ...


class Seconds:
    """The run time itself."""

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float:
        """Return the run time."""
        return run_time

    def decode(self, predicted: float, submission: Submission) -> float:
        """Return the prediction."""
        return predicted


class Logarithm:
    """The natural logarithm of 1 + run time, so that errors count as ratios.

    The mean of logarithms stands for the geometric mean of the run times, which is below the mean.
    """

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float:
        """Return ln(1 + run time)."""
        return math.log1p(max(run_time, 0.0))

    def decode(self, predicted: float, submission: Submission) -> float:
        """Return exp(predicted) - 1, which is infinite where no float is as large."""
        return math.expm1(predicted) if predicted < _LARGEST_LOG else math.inf


class Fraction:
    """The share of the walltime that was used; without a finite walltime above 0 there is none."""

    __slots__ = ()

    def encode(self, run_time: float, submission: Submission) -> float | None:
        """Return run time / walltime."""
        walltime = submission.walltime
        return run_time / walltime if _is_usable(walltime) else None

    def decode(self, predicted: float, submission: Submission) -> float | None:
        """Return predicted x walltime."""
        walltime = submission.walltime
        return predicted * walltime if _is_usable(walltime) else None


def _is_usable(walltime: float | None) -> TypeGuard[float]:
    return walltime is not None and 0.0 < walltime < math.inf


_LARGEST_LOG = 709.0
TARGETS = ("seconds", "log", "fraction")


def make_target(name: str) -> Target:
    """Return the target of that name: ``seconds``, ``log`` or ``fraction``.

    Raises
    ------
    OptionError
        There is no such target.

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
    """Sees jobs as rows of numbers: the options for that, and the rows."""

    features: Sequence[str] = FEATURES
    """Fields of `Submission`, and numbers of `Calendar` and `Activity`; see `FeatureRows`."""
    target: str | Sequence[str] = "seconds"
    """``seconds``, ``log`` (of 1 + seconds) or ``fraction`` (of the walltime) are learned.
    Regressions on past jobs can learn several, and predict the geometric mean of their estimates.
    Then they learn only from jobs that have all of them."""
    epoch: float = 0.0
    """Date 0 for the features ``hour`` and ``weekday``, in seconds; see `Calendar`."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._rows = FeatureRows(self.features, epoch=self.epoch, texts=self._texts_kept())
        self.features = tuple(self.features)
        several = isinstance(self.target, list | tuple) and self.target
        names: Sequence[Any] = self.target if several else [self.target]
        self._targets = [make_target(name) for name in names]

    @abstractmethod
    def _texts_kept(self) -> int | None:
        """Return how many jobs back a text keeps its number at least; see `FeatureRows`."""

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
        """Learn the row and the targets of a job that ended."""

    def submitted(self, submission: Submission, now: float) -> None:
        """Note a submission, where features tell of the user's other jobs."""
        self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start."""
        self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run."""
        self._rows.withdrawn(submission, now)
