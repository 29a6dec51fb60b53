"""Predictors with a regression model of the library river, which learns job by job."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from predictors.checks import LARGEST_SEED, require_choice, require_count, require_extra
from predictors.regression.encoding import TEXTS
from predictors.regression.on_rows import TARGETS, OnRows
from predictors.submission import Submission

# a text that no job has keeps its code for at least this many jobs
TEXTS_KEPT = 10_000

MOST_TEXTS = 1_000
"""The maximum number of different texts of a field; all other texts share one code.

At each attempt to split a leaf, river's trees compare all texts in the leaf. With the 28,000
executables of one log, these comparisons would take hours.
"""


class RiverModel(Protocol):
    """A regression model of river."""

    def predict_one(self, x: dict[str, float]) -> float:
        """Return the prediction for an example."""
        ...

    def learn_one(self, x: dict[str, float], y: float) -> None:
        """Learn an example."""
        ...


@dataclass(kw_only=True, eq=False)
class OnlineRegression(OnRows):
    """The base class of predictors with a regression model of river, which learns each ended job.

    Subclasses (`HoeffdingTree`, `AdaptiveForest`) define `make_model`. The features are the same as
    for regressions on past jobs (`FeatureRows`). Unknown values are -1. If river's result is not a
    finite number, there is no prediction.

    Raises
    ------
    OptionError
        An option is invalid, or river is not installed.
    """

    extra: ClassVar[str] = "river"
    """The extra of pred-aware's package that installs the required library."""

    def __post_init__(self) -> None:
        """Check the options."""
        require_extra(self.extra)
        require_choice("target", self.target, TARGETS)
        super().__post_init__()
        self._texts = [place for place, name in enumerate(self._rows.features) if name in TEXTS]
        self._model: RiverModel | None = None

    def _texts_kept(self) -> int:
        return TEXTS_KEPT

    @abstractmethod
    def make_model(self, *, nominal: list[str]) -> RiverModel:
        """Return a new model; `nominal` names the features that are categories, not quantities.

        The method is called only when the first job is learned, because importing river is slow.
        """

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the predicted run time in seconds, or ``None`` before the first end."""
        if self._model is None:
            return None
        predicted = self._model.predict_one(self._named(self._rows.row(submission, now)))
        decoded = self._targets[0].decode(predicted, submission)
        return decoded if decoded is not None and math.isfinite(decoded) else None

    def _learn_row(self, row: list[float], targets: list[float], now: float) -> None:
        if self._model is None:
            nominal = [self._rows.features[place] for place in self._texts]
            self._model = self.make_model(nominal=nominal)
        self._model.learn_one(self._named(row), targets[0])

    def _named(self, row: Sequence[float]) -> dict[str, float]:
        values = list(row)
        for place in self._texts:
            if values[place] > MOST_TEXTS:
                values[place] = MOST_TEXTS
        return dict(zip(self._rows.features, values, strict=True))


@dataclass(kw_only=True, eq=False)
class HoeffdingTree(OnlineRegression):
    """Predicts with river's Hoeffding tree, which splits a leaf when enough jobs support the split.

    There is no prediction before the first job has ended. The tree never forgets a job.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = HoeffdingTree(features=["user"], grace_period=20)
    >>> ann, bob = (
    ...     Submission(id=user, submit_time=0.0, processors=4, user=user) for user in ("ann", "bob")
    ... )
    >>> for _ in range(50):
    ...     predictor.learn(ann, 60.0, 60.0)
    ...     predictor.learn(bob, 500.0, 500.0)
    >>> round(predictor.predict(ann, 500.0)), round(predictor.predict(bob, 500.0))
    (60, 500)
    """

    grace_period: int = 200
    """The number of jobs that a leaf learns between two attempts to split it."""
    max_depth: int | None = None
    """The maximum number of levels; ``None`` for no limit."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_count("grace_period", self.grace_period)
        if self.max_depth is not None:
            require_count("max_depth", self.max_depth)

    def make_model(self, *, nominal: list[str]) -> RiverModel:
        """See `OnlineRegression`."""
        from river.tree import HoeffdingTreeRegressor

        tree: RiverModel = HoeffdingTreeRegressor(
            grace_period=self.grace_period,
            max_depth=self.max_depth,
            # river's linear models in the leaves do not accept names
            leaf_prediction="mean",
            nominal_attributes=nominal,
        )
        return tree


@dataclass(kw_only=True, eq=False)
class AdaptiveForest(OnlineRegression):
    """Predicts with river's adaptive random forest.

    The prediction is the mean prediction of several Hoeffding trees. Each tree learns every job a
    random number of times, with some of the features. If the errors of a tree grow, a new tree
    replaces it. There is no prediction before the first job has ended. Learning a job takes about
    half a millisecond.

    Examples
    --------
    >>> from predictors import Submission
    >>> predictor = AdaptiveForest(features=["user", "processors"], trees=3)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> for _ in range(5):
    ...     predictor.learn(job, 60.0, 60.0)
    >>> predictor.predict(job, 60.0)
    60.0
    """

    trees: int = 10
    grace_period: int = 50
    """The number of jobs that a leaf learns between two attempts to split it."""
    max_depth: int | None = None
    """``None`` for no limit."""
    seed: int = 13
    """The seed of the random choices."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        require_count("trees", self.trees)
        require_count("grace_period", self.grace_period)
        if self.max_depth is not None:
            require_count("max_depth", self.max_depth)
        require_count("seed", self.seed, least=0, most=LARGEST_SEED)

    def make_model(self, *, nominal: list[str]) -> RiverModel:
        """See `OnlineRegression`."""
        from river.forest import ARFRegressor

        forest: RiverModel = ARFRegressor(
            n_models=self.trees,
            grace_period=self.grace_period,
            max_depth=self.max_depth,
            # river's linear models in the leaves do not accept names
            leaf_prediction="mean",
            nominal_attributes=nominal,
            seed=self.seed,
        )
        return forest
