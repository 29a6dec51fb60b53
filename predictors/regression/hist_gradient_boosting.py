"""Regression by gradient boosting on histograms of past jobs."""

import math
from dataclasses import dataclass

from predictors.checks import require_choice, require_count, require_number, require_seed
from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.flat_trees import FlatTrees, nodes_of_model
from predictors.regression.gradient_boosting import LOSSES, BoostedTrees
from predictors.regression.model import Array, Fitted
from predictors.regression.regression import Regression

_FEW_SPLITS = 400.0
"""Up to so many splits on a row's way through all trees lists are faster than calling GTIL."""


@dataclass(kw_only=True, eq=False)
class HistGradientBoosting(Regression):
    """Predicts with scikit-learn's gradient boosting on histograms, refitted as jobs end.

    As `GradientBoosting`, with larger trees and on numbers that are put into at most 255 classes
    first, so that fits of many jobs are many times faster.

    Parameters
    ----------
    window, refit_every, refit_jobs, min_jobs, features, target, epoch
        As of `Regression`: a fit is made each 2,000 jobs, and none of fewer than 16.
    loss
        What is made small: the ``squared`` error, the ``absolute`` one, or that of a ``quantile``.
    quantile
        With that loss, the share of jobs that are to end within the prediction, between 0 and 1.
    trees
        Number of trees.
    learning_rate
        What share of its own prediction each tree adds.
    max_leaves
        Leaves of a tree, at most.
    min_samples_leaf
        The fewest jobs in a leaf.
    seed
        Decides which jobs the classes are taken from, where there are over 200,000.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = HistGradientBoosting(features=["user"], min_jobs=2, min_samples_leaf=5)
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, user=user) for user in ("ann", "bob")
    ... )
    >>> for _ in range(50):
    ...     predictor.learn(ann, 60.0, 0.0)
    ...     predictor.learn(bob, 500.0, 0.0)
    >>> round(predictor.predict(ann, 1.0)), round(predictor.predict(bob, 1.0))
    (60, 500)
    """

    loss: str = "squared"
    quantile: float = 0.9
    trees: int = 100
    learning_rate: float = 0.1
    max_leaves: int = 31
    min_samples_leaf: int = 20
    seed: int = 13

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_count("trees", self.trees)
        require_number("learning_rate", self.learning_rate, open_ends=True)
        require_count("max_leaves", self.max_leaves, least=2)
        require_count("min_samples_leaf", self.min_samples_leaf)
        require_choice("loss", self.loss, tuple(LOSSES))
        require_number("quantile", self.quantile, most=1.0, open_ends=True)
        require_seed(self.seed)

    def fit(self, rows: Array, targets: Array) -> Fitted:
        """Fit the trees, one after the other."""
        # scikit-learn itself depends on threadpoolctl, which publishes no types
        from sklearn.ensemble import HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

        boosting = HistGradientBoostingRegressor(
            loss=LOSSES[self.loss],
            quantile=self.quantile if self.loss == "quantile" else None,
            max_iter=self.trees,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            early_stopping=False,
            random_state=self.seed,
        )
        # threads add up in an order that differs from machine to machine, and so would the results
        with threadpool_limits(limits=1, user_api="openmp"):
            boosting.fit(rows, targets)
        compiled = CompiledTrees(boosting, rounded=False)
        if self.trees * math.log2(self.max_leaves) > _FEW_SPLITS:
            return compiled
        return BoostedTrees(FlatTrees(nodes_of_model(compiled.model)), after=compiled.base)
