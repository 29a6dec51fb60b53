"""A forest that grows job by job and replaces trees that have become wrong (river)."""

from dataclasses import dataclass

from predictors.checks import LARGEST_SEED, require_count
from predictors.online.online_regression import OnlineRegression, RiverModel


@dataclass(kw_only=True, eq=False)
class AdaptiveForest(OnlineRegression):
    """Predicts with river's adaptive random forest.

    The mean of Hoeffding trees that each see jobs a random number of times and some of the
    features; one whose errors grow is replaced. Nothing (the walltime) before the first job has
    ended. It learns a job as soon as it has ended, in about half a millisecond.

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
    """Number of jobs that a leaf learns between two attempts to split it."""
    max_depth: int | None = None
    """``None`` for no limit."""
    seed: int = 13
    """Decides what each tree sees."""

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
            # river's linear models in the leaves don't take names
            leaf_prediction="mean",
            nominal_attributes=nominal,
            seed=self.seed,
        )
        return forest
