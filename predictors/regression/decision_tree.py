"""Regression by a decision tree on the values known at submission (paper 001)."""

from dataclasses import dataclass

from predictors.regression.on_rows import Array
from predictors.regression.regression import OnTrees
from predictors.regression.trees import Trees, root_of, to_single_precision


@dataclass(kw_only=True, eq=False)
class DecisionTree(OnTrees):
    """Predicts with scikit-learn's regression tree, refitted as jobs end.

    This is the tree of paper 001, section "Scheduling algorithm". Unlike the paper, it also learns
    from jobs that end during the simulation. The options of `Regression` decide when it is fitted
    again. By default it is fitted with the first job and then daily.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = DecisionTree(features=["user", "processors"])
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, user=user) for user in ("ann", "bob")
    ... )
    >>> predictor.predict(ann, 0.0) is None
    True
    >>> predictor.learn(ann, 60.0, 0.0)
    >>> predictor.learn(bob, 500.0, 0.0)
    >>> predictor.predict(ann, 1.0), predictor.predict(bob, 1.0)
    (60.0, 500.0)
    """

    refit_every: float | None = 86400.0
    refit_jobs: int | None = None
    min_jobs: int = 1
    max_depth: int | None = None
    """The maximum number of levels; ``None`` (as in the paper) for no limit."""
    min_samples_leaf: int = 1
    """The minimum number of jobs in a leaf; 1 as in the paper."""
    seed: int = 13
    """Seed of the random choice between equally good splits; 13 as in the paper."""

    def fit(self, rows: Array, targets: Array) -> Trees:
        """Return the fitted tree."""
        from sklearn.tree import DecisionTreeRegressor

        regressor = DecisionTreeRegressor(
            criterion=self.losses[self.loss],
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed,
        )
        # the table has scikit-learn's format; a check would take half as long as the fit
        regressor.fit(to_single_precision(rows), targets, check_input=False)
        return Trees([root_of(regressor.tree_)])
