"""Regression by gradient boosting on past jobs (paper 001)."""

from dataclasses import dataclass
from types import MappingProxyType

from predictors.regression.on_rows import Array
from predictors.regression.regression import OnTrees
from predictors.regression.trees import Trees, root_of, to_single_precision


@dataclass(kw_only=True, eq=False)
class Boosted(OnTrees):
    """Predicts with a sum of small trees, each fitted to the errors of the trees before it."""

    losses = MappingProxyType({**OnTrees.losses, "quantile": "quantile"})

    quantile: float = 0.9
    """For the loss ``quantile``: the share of jobs, between 0 and 1, that should run no longer
    than predicted."""
    trees: int = 100
    learning_rate: float = 0.1
    """The factor of each tree's prediction in the sum."""


@dataclass(kw_only=True, eq=False)
class GradientBoosting(Boosted):
    """Predicts with scikit-learn's gradient boosting, a sum of small trees, refitted as jobs end.

    Paper 001, part 1, uses this model with the same defaults, which are scikit-learn's.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = GradientBoosting(features=["user"], min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> predictor.predict(job, 1.0)
    60.0
    """

    max_depth: int = 3
    min_samples_leaf: int = 1
    seed: int = 13
    """Seed of the random choice between equally good splits."""

    def fit(self, rows: Array, targets: Array) -> Trees:
        """Return the fitted trees."""
        from sklearn.ensemble import GradientBoostingRegressor

        boosting = GradientBoostingRegressor(
            loss=self.losses[self.loss],
            alpha=self.quantile,
            n_estimators=self.trees,
            learning_rate=self.learning_rate,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed,
        )
        table = to_single_precision(rows)
        boosting.fit(table, targets)
        start = float(boosting.init_.predict(table[:1])[0])
        trees = boosting.estimators_[:, 0]
        return Trees(
            [root_of(tree.tree_, scale=self.learning_rate) for tree in trees], before=start
        )
