"""Regression with scikit-learn's trees: a single tree, a forest, AdaBoost, gradient boosting."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType

from predictors.checks import require_number
from predictors.regression.on_rows import Array
from predictors.regression.regression import OnTrees
from predictors.regression.trees import Node, Trees, root_of, to_single_precision


@dataclass(kw_only=True, eq=False)
class DecisionTree(OnTrees):
    """Predicts with scikit-learn's regression tree, refitted as jobs end.

    This is the tree of paper 001, section "Scheduling algorithm". Unlike in the paper, the tree
    also learns from jobs that end during the simulation. The options of `Regression` decide when
    the tree is fitted again. By default, it is fitted after the first job and then daily.

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
        # the table already has scikit-learn's format; a check would take half as long as the fit
        regressor.fit(to_single_precision(rows), targets, check_input=False)
        return Trees([root_of(regressor.tree_)])


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
    """The maximum number of levels; ``None`` for no limit."""
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


class WeightedMedian:
    """Predicts the weighted median of the trees, exactly as ``AdaBoostRegressor`` does."""

    __slots__ = ("_trees", "_weights")

    def __init__(self, roots: list[Node], weights: Sequence[float]) -> None:
        self._trees = Trees(roots)
        self._weights = tuple(weights)

    def predict(self, row: list[float]) -> float:
        """Return the smallest prediction of a tree at which half of the total weight is reached."""
        by_value = sorted(zip(self._trees.leaves(row), self._weights, strict=True))
        reached = list(accumulate(weight for _, weight in by_value))
        return by_value[bisect_left(reached, 0.5 * reached[-1])][0]


@dataclass(kw_only=True, eq=False)
class AdaBoost(OnTrees):
    """Predicts with AdaBoost on decision trees, refitted as jobs end.

    Paper 000, section 4.3, uses AdaBoost with the linear error and 50 trees of depth 3. The
    paper's features are the user, the job's run time, and the requested CPUs and memory. The run
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

    features: Sequence[str] = ("user", "walltime", "processors", "memory")
    loss: str = "linear"
    """How a job's error changes its weight in the next tree: ``linear``, ``square`` or
    ``exponential``. The prediction is always a weighted median."""
    trees: int = 50
    learning_rate: float = 1.0
    """How strongly each tree changes the weights of jobs."""
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


@dataclass(kw_only=True, eq=False)
class Boosted(OnTrees):
    """Predicts with a sum of small trees, each fitted to the errors of the trees before it."""

    losses = MappingProxyType({**OnTrees.losses, "quantile": "quantile"})

    quantile: float = 0.9
    """For the loss ``quantile``: the share of jobs, between 0 and 1, that should run no longer
    than predicted."""
    trees: int = 100
    learning_rate: float = 0.1
    """The factor by which each tree's prediction is multiplied before the sum."""


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
