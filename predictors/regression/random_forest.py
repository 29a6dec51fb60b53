"""Regression by a random forest on past jobs (paper 001)."""

from dataclasses import dataclass

from predictors.checks import require_number
from predictors.regression.on_rows import Array
from predictors.regression.regression import OnTrees
from predictors.regression.trees import Trees, root_of, to_single_precision


@dataclass(kw_only=True, eq=False)
class RandomForest(OnTrees):
    """Predicts with scikit-learn's random forest, the mean of many trees, refitted as jobs end.

    Paper 001, part 1, uses this model with the same defaults, which are scikit-learn's.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = RandomForest(features=["user"], min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> predictor.predict(job, 1.0)
    60.0
    """

    trees: int = 100
    max_depth: int | None = None
    """``None`` for no limit."""
    min_samples_leaf: int = 1
    max_features: float = 1.0
    """The share of the features that a split may choose from, above 0 and at most 1."""
    seed: int = 13
    """Seed of the random choice of each tree's jobs and between equally good splits."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if self.max_features != 1.0:
            require_number("max_features", self.max_features, most=1.0, open_ends=True)

    def fit(self, rows: Array, targets: Array) -> Trees:
        """Return the fitted forest."""
        from sklearn.ensemble import RandomForestRegressor

        forest = RandomForestRegressor(
            self.trees,
            criterion=self.losses[self.loss],
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=float(self.max_features),
            random_state=self.seed,
        )
        forest.fit(to_single_precision(rows), targets)
        return Trees([root_of(tree.tree_) for tree in forest.estimators_], mean=True)
