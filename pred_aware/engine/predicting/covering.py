"""Which predictors the compiled loops cover."""

from dataclasses import dataclass
from typing import Any

from predictors.around.several import GeometricMean
from predictors.regression.decision_tree import DecisionTree
from predictors.regression.hist_gradient_boosting import (
    MOST_IN_CLASSES,
    HistGradientBoosting,
    LogBoosting,
)
from predictors.rules.knn import Knn
from schedulers.policy.estimates import EstimateSource, FromPredictor

Model = HistGradientBoosting | DecisionTree


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Predictors of ours that the loops cover, and that have learned nothing yet."""

    asked: tuple[Model | Knn, ...]
    """In the order in which they are asked."""
    combines: bool
    """Whether the geometric mean of their answers is taken."""

    default: float
    """The estimate in seconds where there is neither a prediction nor a walltime."""

    @property
    def models(self) -> list[Model]:
        """Those that are fitted."""
        return [one for one in self.asked if not isinstance(one, Knn)]

    @property
    def boosts(self) -> bool:
        """Whether some of them are fitted by compiled loops alone."""
        return any(isinstance(one, HistGradientBoosting) for one in self.asked)

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
    known = (HistGradientBoosting, LogBoosting, DecisionTree, Knn)
    asked = tuple(one for one in inside if type(one) in known)
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


def window_of(model: Model) -> int:
    """Return how many jobs are fitted; 0 where that has no end."""
    return 0 if model.window is None else model.window


def trees_of(model: Model) -> int:
    """Return how many trees it has."""
    return model.trees if isinstance(model, HistGradientBoosting) else 1


def nodes_of(model: Model, *, jobs: int) -> int:
    """Return how many nodes a tree of it has at most that is fitted to so many jobs."""
    leaves = model.max_leaves if isinstance(model, HistGradientBoosting) else jobs
    return max(2 * leaves - 1, 1)
