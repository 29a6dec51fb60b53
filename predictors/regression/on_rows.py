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


class SharedRows:
    """FeatureRows of several predictors (`sharers`) that look at the same and are told the same.

    They are told one after the other. The first that is told something changes the rows, and the
    others are given what it was given.

    Examples
    --------
    >>> shared = SharedRows(FeatureRows(["user", "walltime"]), sharers=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=60.0, user="ann")
    >>> [shared.ended(job, 30.0, 40.0) for _ in range(2)]
    [[0, 60.0], [0, 60.0]]
    """

    __slots__ = ("_asked", "_given", "_last", "_row", "_rows", "_sharers", "_told", "features")

    def __init__(self, rows: FeatureRows, *, sharers: int) -> None:
        self.features = rows.features
        self._rows = rows
        self._sharers = sharers
        # what was told last, to how many, and the row that was given for it
        self._last: tuple[str, Submission, float] | None = None
        self._told = 0
        self._given: list[float] = []
        # what was asked last since then, and the answer
        self._asked: tuple[Submission, float] | None = None
        self._row: list[float] = []

    @property
    def fresh(self) -> bool:
        """Whether nothing was told yet."""
        return self._rows.fresh

    def row(self, submission: Submission, now: float) -> list[float]:
        """Return a job's row; see `FeatureRows`."""
        asked = self._asked
        if asked is None or asked[0] is not submission or asked[1] != now:
            self._row = self._rows.row(submission, now)
            self._asked = (submission, now)
        return self._row

    def submitted(self, submission: Submission, now: float) -> None:
        """Note a submission; see `FeatureRows`."""
        if self._is_news("submitted", submission, now):
            self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start; see `FeatureRows`."""
        if self._is_news("started", submission, now):
            self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run; see `FeatureRows`."""
        if self._is_news("withdrawn", submission, now):
            self._rows.withdrawn(submission, now)

    def ended(self, submission: Submission, run_time: float, now: float) -> list[float]:
        """Note an end and return the row of the job at its submission; see `FeatureRows`."""
        if self._is_news("ended", submission, now):
            self._given = self._rows.ended(submission, run_time, now)
        return self._given

    def _is_news(self, event: str, submission: Submission, now: float) -> bool:
        """Say whether the first of those that share is told something."""
        last = self._last
        if (
            self._told < self._sharers
            and last is not None
            and last[1] is submission
            and last[0] == event
            and last[2] == now
        ):
            self._told += 1
            return False
        self._last = (event, submission, now)
        self._told = 1
        self._asked = None
        return True


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
    target: str = "seconds"
    """``seconds``, ``log`` (of 1 + seconds) or ``fraction`` (of the walltime) are learned."""
    epoch: float = 0.0
    """Date 0 for the features ``hour`` and ``weekday``, in seconds; see `Calendar`."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._rows: FeatureRows | SharedRows = self._new_rows()
        self.features = tuple(self.features)
        self._target = make_target(self.target)

    @abstractmethod
    def _texts_kept(self) -> int | None:
        """Return how many jobs back a text keeps its number at least; see `FeatureRows`."""

    def share_rows(self, others: "Sequence[OnRows]") -> None:
        """Make rows together with others that look at the same; none of them knows any job yet.

        From now on all of them have to be told the same, one after the other.
        """
        shared = SharedRows(self._new_rows(), sharers=1 + len(others))
        for one in (self, *others):
            one._rows = shared  # noqa: SLF001 - of the same class

    def _new_rows(self) -> FeatureRows:
        return FeatureRows(self.features, epoch=self.epoch, texts=self._texts_kept())

    @property
    def looks_at(self) -> tuple[object, ...]:
        """The make-up of its rows: those with the same can share them."""
        return (type(self), *self.features, self.epoch, self._texts_kept())

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        row = self._rows.ended(submission, run_time, now)
        target = self._target.encode(run_time, submission)
        if target is not None:
            self._learn_row(row, target, now)

    @abstractmethod
    def _learn_row(self, row: list[float], target: float, now: float) -> None:
        """Learn the row and the target of a job that ended."""

    def submitted(self, submission: Submission, now: float) -> None:
        """Note a submission, where features tell of the user's other jobs."""
        self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Note a start."""
        self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Note that a job will not run."""
        self._rows.withdrawn(submission, now)
