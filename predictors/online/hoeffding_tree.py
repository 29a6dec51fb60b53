"""A regression tree that grows job by job (river)."""

from dataclasses import dataclass

from predictors.checks import require_count
from predictors.online.online_regression import OnlineRegression, RiverModel


@dataclass(kw_only=True, eq=False)
class HoeffdingTree(OnlineRegression):
    """Predicts with river's Hoeffding tree, which splits a leaf when enough jobs support it.

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
    """``None`` for no limit."""

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
