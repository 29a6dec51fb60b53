"""The base of predictors that see jobs as rows of numbers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from predictors.checks import require_run_time
from predictors.regression.rows import FEATURES, FeatureRows
from predictors.regression.shared_rows import SharedRows
from predictors.regression.target import make_target
from predictors.submission import Submission


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
