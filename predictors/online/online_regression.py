"""A predictor made of features, target and a model of river that learns job by job."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from predictors.checks import require_extra
from predictors.regression.encoding import TEXTS
from predictors.regression.on_rows import OnRows
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


@dataclass(kw_only=True, eq=False)
class OnlineRegression(OnRows):
    """Predicts with a regressor of river, which learns each job as it ends.

    The named ones (`HoeffdingTree`, `AdaptiveForest`) are this with a model: they have
    `make_model`. A job has the same features as in the regressions on past jobs (`FeatureRows`);
    what is not known is -1, and the texts of a field beyond `MOST_TEXTS` count as one. An answer
    that is no finite number counts as none.

    Raises
    ------
    OptionError
        An option with a value that it can't have, or river is not installed.
    """

    extra: ClassVar[str] = "river"
    """The extra of the package pred-aware that brings what it needs."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_extra(self.extra)
        super().__post_init__()
        self._texts = [place for place, name in enumerate(self._rows.features) if name in TEXTS]
        self._model: RiverModel | None = None

    def _texts_kept(self) -> int:
        return TEXTS_KEPT

    @abstractmethod
    def make_model(self, *, nominal: list[str]) -> RiverModel:
        """Make a new model, of which the `nominal` features are names and not quantities.

        It is made with the first job that is learned, as river takes long to import.
        """

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, ``None`` before the first job has ended."""
        if self._model is None:
            return None
        predicted = self._model.predict_one(self._named(self._rows.row(submission, now)))
        decoded = self._target.decode(predicted, submission)
        return decoded if decoded is not None and math.isfinite(decoded) else None

    def _learn_row(self, row: list[float], target: float, now: float) -> None:
        if self._model is None:
            nominal = [self._rows.features[place] for place in self._texts]
            self._model = self.make_model(nominal=nominal)
        self._model.learn_one(self._named(row), target)

    def _named(self, row: Sequence[float]) -> dict[str, float]:
        values = list(row)
        for place in self._texts:
            if values[place] > MOST_TEXTS:
                values[place] = MOST_TEXTS
        return dict(zip(self._rows.features, values, strict=True))
