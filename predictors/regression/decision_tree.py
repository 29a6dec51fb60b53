"""Regression by a decision tree on what is known at submission (paper 001)."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from predictors.checks import require_count, require_seed
from predictors.regression.flat_tree import FlatTree
from predictors.regression.model import Array
from predictors.regression.options import require_choice
from predictors.regression.precision import to_single_precision
from predictors.regression.regression import Regression
from predictors.regression.schedule import Schedule

PAPER_FEATURES = ("processors", "memory", "nodes", "gpus", "user", "qos", "walltime")
FEATURES = (*PAPER_FEATURES, "group", "queue", "partition", "executable", "name")
LOSSES = MappingProxyType({"squared": "squared_error", "absolute": "absolute_error"})


@dataclass(frozen=True, slots=True)
class DecisionTreeModel:
    """scikit-learn's ``DecisionTreeRegressor``; the options are those of `DecisionTree`."""

    max_depth: int | None
    min_samples_leaf: int
    loss: str
    seed: int

    def __post_init__(self) -> None:
        """Check the options."""
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


class DecisionTree(Regression):
    """Predicts with scikit-learn's regression tree, refitted as jobs end.

    As in paper 001, section "Scheduling algorithm", but that jobs which end are learned too. What
    the tree knows depends on the jobs learned and on when they ended, never on what was asked:

    - what was learned up to date 0 (a history) is known from date 0 on;
    - a job that ends `refit_every` or more after the last fit brings a new one, on the last
      `window` jobs;
    - so does the last of `refit_jobs` jobs that were learned since, if that is given;
    - so does a job with which the number learned has doubled since, so that a simulation without
      a history need not wait a day for its first predictions.

    Nothing (the walltime) before `min_jobs` jobs, by default the first, have ended.

    Parameters
    ----------
    window
        How many of the jobs that ended last are fitted; ``None`` for all of them. 10,000 by
        default: users change what they run, and a fit takes a fraction of a second.
    refit_every
        Seconds between two fits; a day by default, ``None`` for no fits by date.
    refit_jobs
        Number of jobs learned between two fits; ``None`` (the default) for no fits by number. With
        neither of the two there is one fit only, of the history or, without one, of the first
        `min_jobs`.
    min_jobs
        The fewest jobs that are fitted; the walltime before.
    features
        What to look at: fields of `Submission`, and numbers of `Clock` and `Activity`. By default
        the fields of paper 001 (processors, memory, nodes, gpus, user, qos, walltime) and group,
        queue, partition, executable and name. What a log does not tell costs nothing and changes
        nothing.
    target
        What is fitted: ``seconds``, ``log`` (of 1 + seconds) or ``fraction`` (of the walltime).
    loss
        What a split makes small: the ``squared`` error (leaves have means) or the ``absolute`` one
        (leaves have medians; fits take many times longer).
    max_depth
        Levels of the tree; ``None`` (as in the paper) for no limit.
    min_samples_leaf
        The fewest jobs that a prediction is the mean of; 1 as in the paper.
    epoch
        What date 0 is for the features ``hour`` and ``weekday``, in seconds; see `Clock`.
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

    def __init__(  # noqa: PLR0913 - each is an option
        self,
        *,
        window: int | None = 10_000,
        refit_every: float | None = 86400.0,
        refit_jobs: int | None = None,
        min_jobs: int = 1,
        features: Sequence[str] = FEATURES,
        target: str = "seconds",
        loss: str = "squared",
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        epoch: float = 0.0,
        seed: int = 13,
    ) -> None:
        super().__init__(
            DecisionTreeModel(
                max_depth=max_depth, min_samples_leaf=min_samples_leaf, loss=loss, seed=seed
            ),
            features=features,
            target=target,
            window=window,
            schedule=Schedule(every=refit_every, jobs=refit_jobs, minimum=min_jobs),
            epoch=epoch,
        )
