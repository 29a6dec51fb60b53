"""Regression by AdaBoost on decision trees (paper 000, section 4.3)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

from predictors.regression.on_rows import Array
from predictors.regression.regression import OnTrees
from predictors.regression.trees import Node, Trees, root_of, to_single_precision

FEATURES = ("user", "walltime", "processors", "memory")


class WeightedMedian:
    """Predicts the weighted median of the trees, bit for bit as ``AdaBoostRegressor`` does."""

    __slots__ = ("_trees", "_weights")

    def __init__(self, roots: list[Node], weights: Sequence[float]) -> None:
        self._trees = Trees(roots)
        self._weights = tuple(weights)

    def predict(self, row: list[float]) -> float:
        """Return the smallest tree value at which the summed weight reaches half of the total."""
        by_value = sorted(zip(self._trees.leaves(row), self._weights, strict=True))
        reached = list(accumulate(weight for _, weight in by_value))
        return by_value[bisect_left(reached, 0.5 * reached[-1])][0]


@dataclass(kw_only=True, eq=False)
class AdaBoost(OnTrees):
    """Predicts with AdaBoost on decision trees, refitted as jobs end.

    Paper 000, section 4.3, uses AdaBoost with the linear error and 50 trees of depth 3. Its
    features are the user, the job's run time, and the requested CPU and memory resources. The run
    time is unknown before the job ends, so this class uses the walltime instead.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = AdaBoost(features=["user"], min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> predictor.predict(job, 1.0)
    60.0
    """

    losses = MappingProxyType({name: name for name in ("linear", "square", "exponential")})

    features: Sequence[str] = FEATURES
    loss: str = "linear"
    """How a job's error changes its weight in the next tree: ``linear``, ``square`` or
    ``exponential``. The prediction is always a weighted median."""
    trees: int = 50
    learning_rate: float = 1.0
    """How much each tree changes the weights of jobs."""
    max_depth: int = 3
    seed: int = 13
    """Seed of the random choice of each tree's jobs."""

    def fit(self, rows: Array, targets: Array) -> WeightedMedian:
        """Return the fitted model."""
        from sklearn.ensemble import AdaBoostRegressor
        from sklearn.tree import DecisionTreeRegressor

        boosting = AdaBoostRegressor(
            DecisionTreeRegressor(max_depth=self.max_depth),
            n_estimators=self.trees,
            learning_rate=self.learning_rate,
            loss=self.loss,
            random_state=self.seed,
        )
        boosting.fit(to_single_precision(rows), targets)
        roots = [root_of(tree.tree_) for tree in boosting.estimators_]
        weights = boosting.estimator_weights_[: len(boosting.estimators_)]
        return WeightedMedian(roots, weights.tolist())
