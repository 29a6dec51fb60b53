"""Regression by gradient boosting on histograms of past jobs."""

import math
from dataclasses import dataclass

from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.flat_trees import FlatTrees, nodes_of_model
from predictors.regression.gradient_boosting import Boosted, BoostedTrees
from predictors.regression.model import Array, Fitted
from predictors.regression.one_thread import one_thread

_FEW_SPLITS = 400.0
"""Up to so many splits on a row's way through all trees lists are faster than calling GTIL."""


@dataclass(kw_only=True, eq=False)
class HistGradientBoosting(Boosted):
    """Predicts with scikit-learn's gradient boosting on histograms, refitted as jobs end.

    As `GradientBoosting`, with larger trees and on numbers that are put into at most 255 classes
    first, so that fits of many jobs are many times faster.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = HistGradientBoosting(features=["user"], min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> predictor.predict(job, 1.0)
    60.0
    """

    max_leaves: int = 31
    """Leaves of a tree, at most."""
    min_samples_leaf: int = 20
    seed: int = 13
    """Decides which jobs the classes are taken from, where there are over 200,000."""

    def fit(self, rows: Array, targets: Array) -> Fitted:
        """Fit the trees, one after the other."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        boosting = HistGradientBoostingRegressor(
            loss=self.losses[self.loss],
            quantile=self.quantile if self.loss == "quantile" else None,
            max_iter=self.trees,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            early_stopping=False,
            random_state=self.seed,
        )
        with one_thread("openmp"):
            boosting.fit(rows, targets)
        compiled = CompiledTrees(boosting, rounded=False)
        if self.trees * math.log2(self.max_leaves) > _FEW_SPLITS:
            return compiled
        return BoostedTrees(FlatTrees(nodes_of_model(compiled.model)), after=compiled.base)
