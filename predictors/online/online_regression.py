"""A predictor made of features, target and a model of river that learns job by job."""

import math
from collections.abc import Sequence
from typing import Protocol

from predictors.checks import require_run_time
from predictors.regression.encoding import TEXTS
from predictors.regression.rows import Rows
from predictors.regression.target import make_target
from predictors.submission import Submission

# how many jobs back a text keeps its number at least
TEXTS_KEPT = 10_000

MOST_TEXTS = 1_000
"""Texts of a field beyond so many count as one.

At each attempt to split, river's trees compare all texts that a leaf has seen; with the 28,000
executables of a log that would take hours.
"""


class RiverModel(Protocol):
    """A regressor of river."""

    def predict_one(self, x: dict[str, float]) -> float:
        """Return the prediction for an example."""
        ...

    def learn_one(self, x: dict[str, float], y: float) -> None:
        """Learn an example."""
        ...


class RiverFactory(Protocol):
    """Makes a regressor of river."""

    def __call__(self, *, nominal: list[str]) -> RiverModel:
        """Return a new one, for which the features of these names are names and not quantities."""
        ...


class OnlineRegression:
    """Predicts with a regressor of river, which learns each job as it ends.

    The named ones (`HoeffdingTree`, `AdaptiveForest`) are this with a model. A job has the same
    features as in the regressions on past jobs (`Rows`); what is not known is -1, and the texts of
    a field beyond `MOST_TEXTS` count as one. An answer that is no finite number counts as none.

    Parameters
    ----------
    make_model
        Makes the model; called with the first job that is learned, as river takes long to import.
    features
        What the model sees of a job; see `Rows`.
    target
        ``seconds``, ``log`` or ``fraction`` (of the walltime); see `make_target`.
    epoch
        What date 0 is for the features ``hour`` and ``weekday``, in seconds; see `Clock`.

    Raises
    ------
    OptionError
        An option with a value that it can't have.
    """

    def __init__(
        self, make_model: RiverFactory, *, features: Sequence[str], target: str, epoch: float
    ) -> None:
        self._make_model = make_model
        self._rows = Rows(features, epoch=epoch, texts=TEXTS_KEPT)
        self._texts = [place for place, name in enumerate(self._rows.features) if name in TEXTS]
        self._target = make_target(target)
        self._model: RiverModel | None = None

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, ``None`` before the first job has ended."""
        if self._model is None:
            return None
        predicted = self._model.predict_one(self._named(self._rows.row(submission, now)))
        decoded = self._target.decode(predicted, submission)
        return decoded if decoded is not None and math.isfinite(decoded) else None

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Let the model learn a job that ended.

        Raises
        ------
        PredictorError
            The run time is no finite number of seconds, or negative.
        """
        require_run_time(submission, run_time)
        row = self._rows.ended(submission, run_time, now)
        target = self._target.encode(run_time, submission)
        if target is None:
            return
        if self._model is None:
            nominal = [self._rows.features[place] for place in self._texts]
            self._model = self._make_model(nominal=nominal)
        self._model.learn_one(self._named(row), target)

    def submitted(self, submission: Submission, now: float) -> None:
        """Take note of a submission, where features tell of the user's other jobs."""
        self._rows.submitted(submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Take note of a start."""
        self._rows.started(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Take note that a job will not run."""
        self._rows.withdrawn(submission, now)

    def _named(self, row: Sequence[float]) -> dict[str, float]:
        values = list(row)
        for place in self._texts:
            if values[place] > MOST_TEXTS:
                values[place] = MOST_TEXTS
        return dict(zip(self._rows.features, values, strict=True))
