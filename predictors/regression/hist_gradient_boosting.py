"""Regression by gradient boosting on histograms of past jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from predictors.checks import require_count, require_number, require_seed
from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.decision_tree import FEATURES
from predictors.regression.gradient_boosting import LOSSES
from predictors.regression.model import Array
from predictors.regression.options import require_choice
from predictors.regression.regression import Regression
from predictors.regression.schedule import Schedule


@dataclass(frozen=True, slots=True)
class HistGradientBoostingModel:
    """scikit-learn's ``HistGradientBoostingRegressor``."""

    trees: int
    learning_rate: float
    max_leaves: int
    min_samples_leaf: int
    loss: str
    quantile: float
    seed: int

    def __post_init__(self) -> None:
        """Check the options."""
        require_count("trees", self.trees)
        require_number("learning_rate", self.learning_rate, open_ends=True)
        require_count("max_leaves", self.max_leaves, least=2)
        require_count("min_samples_leaf", self.min_samples_leaf)
        require_choice("loss", self.loss, tuple(LOSSES))
        require_number("quantile", self.quantile, most=1.0, open_ends=True)
        require_seed(self.seed)

    def fit(self, rows: Array, targets: Array) -> CompiledTrees:
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
        return CompiledTrees(boosting, rounded=False)


class HistGradientBoosting(Regression):
    """Predicts with scikit-learn's gradient boosting on histograms, refitted as jobs end.

    As `GradientBoosting`, with larger trees and on numbers that are put into at most 255 classes
    first, so that fits of many jobs are many times faster.

    Parameters
    ----------
    window, refit_every, refit_jobs, min_jobs, features, target, epoch
        As of `DecisionTree`, with other defaults: a fit takes longer, so one is made each 2,000
        jobs, and none of fewer than 16.
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

    def __init__(  # noqa: PLR0913 - each is an option
        self,
        *,
        window: int | None = 10_000,
        refit_every: float | None = None,
        refit_jobs: int | None = 2_000,
        min_jobs: int = 16,
        features: Sequence[str] = FEATURES,
        target: str = "seconds",
        loss: str = "squared",
        quantile: float = 0.9,
        trees: int = 100,
        learning_rate: float = 0.1,
        max_leaves: int = 31,
        min_samples_leaf: int = 20,
        epoch: float = 0.0,
        seed: int = 13,
    ) -> None:
        super().__init__(
            HistGradientBoostingModel(
                trees=trees,
                learning_rate=learning_rate,
                max_leaves=max_leaves,
                min_samples_leaf=min_samples_leaf,
                loss=loss,
                quantile=quantile,
                seed=seed,
            ),
            features=features,
            target=target,
            window=window,
            schedule=Schedule(every=refit_every, jobs=refit_jobs, minimum=min_jobs),
            epoch=epoch,
        )
