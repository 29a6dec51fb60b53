"""Targets of a regression: seconds, their logarithm, or the used share of the walltime."""

import math
from typing import Protocol, TypeGuard

from predictors.checks import require_choice
from predictors.submission import Submission


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
