"""Regression by a random forest on past jobs (paper 001)."""

from dataclasses import dataclass

from predictors.checks import require_choice, require_count, require_number, require_seed
from predictors.regression.compiled_trees import CompiledTrees
from predictors.regression.decision_tree import LOSSES
from predictors.regression.model import Array
from predictors.regression.precision import to_single_precision
from predictors.regression.regression import Regression


@dataclass(kw_only=True, eq=False)
class RandomForest(Regression):
    """Predicts with scikit-learn's random forest, the mean of many trees, refitted as jobs end.

    One of the three models of paper 001, part 1, with scikit-learn's defaults as there.

    Parameters
    ----------
    window, refit_every, refit_jobs, min_jobs, features, target, epoch
        As of `Regression`: a fit is made each 2,000 jobs, and none of fewer than 16.
    loss
        What a split makes small: the ``squared`` error, or the ``absolute`` one (fits take many
        times longer).
    trees
        Number of trees.
    max_depth
        Levels of a tree; ``None`` for no limit.
    min_samples_leaf
        The fewest jobs in a leaf.
    max_features
        Share of the features that a split may choose from, above 0 up to 1.
    seed
        Decides which jobs a tree is fitted to, and between equally good splits.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = RandomForest(features=["user"], min_jobs=2)
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
    trees: int = 100
    max_depth: int | None = None
    min_samples_leaf: int = 1
    max_features: float = 1.0
    seed: int = 13

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_count("trees", self.trees)
        if self.max_depth is not None:
            require_count("max_depth", self.max_depth)
        require_count("min_samples_leaf", self.min_samples_leaf)
        if self.max_features != 1.0:
            require_number("max_features", self.max_features, most=1.0, open_ends=True)
        require_choice("loss", self.loss, tuple(LOSSES))
        require_seed(self.seed)

    def fit(self, rows: Array, targets: Array) -> CompiledTrees:
        """Fit the forest."""
        from sklearn.ensemble import RandomForestRegressor

        forest = RandomForestRegressor(
            self.trees,
            criterion=LOSSES[self.loss],
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            max_features=float(self.max_features),
            random_state=self.seed,
        )
        forest.fit(to_single_precision(rows), targets)
        return CompiledTrees(forest, rounded=True)
