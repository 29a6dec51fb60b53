"""A random forest that grows job by job and replaces outdated trees (river)."""

from dataclasses import dataclass

from predictors.checks import LARGEST_SEED, require_count
from predictors.online.online_regression import OnlineRegression, RiverModel


@dataclass(kw_only=True, eq=False)
class AdaptiveForest(OnlineRegression):
    """Predicts with river's adaptive random forest.

    The prediction is the mean of Hoeffding trees. Each tree learns every job a random number of
    times, with some of the features. A tree whose errors grow is replaced. There is no prediction
    before the first job has ended. To learn a job takes about half a millisecond.

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
