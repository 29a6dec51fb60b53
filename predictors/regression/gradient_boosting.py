"""Regression by gradient boosting on past jobs (paper 001)."""

from dataclasses import dataclass
from types import MappingProxyType

from predictors.checks import require_choice, require_count, require_number, require_seed
from predictors.regression.flat_trees import FlatTrees, nodes_of_tree
from predictors.regression.model import Array
from predictors.regression.precision import to_single_precision
from predictors.regression.regression import Regression

LOSSES = MappingProxyType(
    {"squared": "squared_error", "absolute": "absolute_error", "quantile": "quantile"}
)


class BoostedTrees:
    """The sum of what boosted trees add.

    The answers are those of scikit-learn's gradient boosting to the last bit where what is
    predicted without any tree is added `before`, and GTIL's where it is added `after`.

    Parameters
    ----------
    trees
        The trees, with the learning rate in their leaves.
    before, after
        What is added before the first tree, and after the last.
    """

    __slots__ = ("_after", "_before", "_trees")

    def __init__(self, trees: FlatTrees, *, before: float = 0.0, after: float = 0.0) -> None:
        self._trees = trees
        self._before = before
        self._after = after

    def predict(self, row: list[float]) -> float:
        """Return the prediction for a row of finite numbers."""
        total = self._before
        # one after the other, as scikit-learn adds them: `sum` of Python 3.12 is more exact
        for value in self._trees.leaves(row):
            total += value
        return total + self._after


@dataclass(kw_only=True, eq=False)
class GradientBoosting(Regression):
    """Predicts with scikit-learn's gradient boosting, a sum of small trees, refitted as jobs end.

    One of the three models of paper 001, part 1, with scikit-learn's defaults as there.

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
    max_depth
        Levels of a tree.
    min_samples_leaf
        The fewest jobs in a leaf.
    seed
        Decides between equally good splits.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = GradientBoosting(features=["user"], min_jobs=2)
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
    max_depth: int = 3
    min_samples_leaf: int = 1
    seed: int = 13

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_count("trees", self.trees)
        require_number("learning_rate", self.learning_rate, open_ends=True)
        require_count("max_depth", self.max_depth)
        require_count("min_samples_leaf", self.min_samples_leaf)
        require_choice("loss", self.loss, tuple(LOSSES))
        require_number("quantile", self.quantile, most=1.0, open_ends=True)
        require_seed(self.seed)

    def fit(self, rows: Array, targets: Array) -> BoostedTrees:
        """Fit the trees, one after the other."""
        from sklearn.ensemble import GradientBoostingRegressor

        boosting = GradientBoostingRegressor(
            loss=LOSSES[self.loss],
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
        trees = FlatTrees(
            nodes_of_tree(tree.tree_, scale=self.learning_rate)
            for tree in boosting.estimators_[:, 0]
        )
        return BoostedTrees(trees, before=start)
