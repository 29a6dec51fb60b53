"""Regression by a decision tree on what is known at submission (paper 001)."""

from dataclasses import dataclass
from types import MappingProxyType

from predictors.checks import require_choice, require_count, require_seed
from predictors.regression.flat_tree import FlatTree
from predictors.regression.model import Array
from predictors.regression.precision import to_single_precision
from predictors.regression.regression import Regression

LOSSES = MappingProxyType({"squared": "squared_error", "absolute": "absolute_error"})


@dataclass(kw_only=True, eq=False)
class DecisionTree(Regression):
    """Predicts with scikit-learn's regression tree, refitted as jobs end.

    As in paper 001, section "Scheduling algorithm", but that jobs which end are learned too. When
    it is fitted again is `Regression`'s to say: by default daily, and from the first job on.

    Parameters
    ----------
    window, refit_every, refit_jobs, min_jobs, features, target, epoch
        As of `Regression`, with other defaults, since a fit takes a fraction of a second:
        `refit_every` is a day, `refit_jobs` is not given, `min_jobs` is 1.
    loss
        What a split makes small: the ``squared`` error (leaves have means) or the ``absolute`` one
        (leaves have medians; fits take many times longer).
    max_depth
        Levels of the tree; ``None`` (as in the paper) for no limit.
    min_samples_leaf
        The fewest jobs that a prediction is the mean of; 1 as in the paper.
    seed
        Decides between equally good splits; 13 as in the paper.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

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
    loss: str = "squared"
    max_depth: int | None = None
    min_samples_leaf: int = 1
    seed: int = 13

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if self.max_depth is not None:
            require_count("max_depth", self.max_depth)
        require_count("min_samples_leaf", self.min_samples_leaf)
        require_choice("loss", self.loss, tuple(LOSSES))
        require_seed(self.seed)

    def fit(self, rows: Array, targets: Array) -> FlatTree:
        """Fit the tree."""
        from sklearn.tree import DecisionTreeRegressor

        regressor = DecisionTreeRegressor(
            criterion=LOSSES[self.loss],
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed,
        )
        # the table is as scikit-learn wants it: checking that would take half as long as the fit
        regressor.fit(to_single_precision(rows), targets, check_input=False)
        return FlatTree(regressor.tree_)
