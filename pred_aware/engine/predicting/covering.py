"""Which predictors the compiled loops cover."""

from dataclasses import dataclass
from typing import Any

from predictors.around.several import GeometricMean
from predictors.regression.hist_gradient_boosting import (
    MOST_IN_CLASSES,
    HistGradientBoosting,
    LogBoosting,
)
from predictors.rules.knn import Knn
from schedulers.policy.estimates import EstimateSource, FromPredictor


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Predictors of ours that the loops cover, and that have learned nothing yet."""

    asked: tuple[HistGradientBoosting | Knn, ...]
    """In the order in which they are asked."""
    combines: bool
    """Whether the geometric mean of their answers is taken."""

    default: float
    """The estimate in seconds where there is neither a prediction nor a walltime."""

    @property
    def models(self) -> list[HistGradientBoosting]:
        """Those that are fitted."""
        return [one for one in self.asked if isinstance(one, HistGradientBoosting)]

    @property
    def knn(self) -> Knn | None:
        """The one that searches."""
        return next((one for one in self.asked if isinstance(one, Knn)), None)


def built_in(source: EstimateSource) -> BuiltIn | None:
    """Return what a source asks; ``None`` where the loops do not cover it."""
    if type(source) is not FromPredictor:
        return None
    predictor: Any = source.predictor
    combines = type(predictor) is GeometricMean
    inside = predictor.predictors if combines else (predictor,)
    asked = tuple(one for one in inside if type(one) in (HistGradientBoosting, LogBoosting, Knn))
    found = BuiltIn(asked, combines, source.default)
    models = found.models
    covered = (
        len(asked) == len(inside)
        and len(asked) - len(models) <= 1
        and len({one.looks_at for one in models}) <= 1
        and all(one.fresh for one in asked)
        and all(one.fits_in_loops and 0 < window_of(one) <= MOST_IN_CLASSES for one in models)
    )
    return found if covered else None


def window_of(model: HistGradientBoosting) -> int:
    """Return how many jobs are fitted; 0 where that has no end."""
    return 0 if model.window is None else model.window
