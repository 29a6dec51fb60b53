"""Regression by gradient boosting on histograms of past jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from predictors.regression.on_rows import Array
from predictors.regression.tree_models import Boosted
from predictors.regression.trees import Trees, base_of, one_thread, roots_of


@dataclass(kw_only=True, eq=False)
class HistGradientBoosting(Boosted):
    """Predicts with scikit-learn's gradient boosting on histograms, refitted as jobs end.

    The model first sorts the values of each feature into at most 255 classes. For many jobs, a fit
    is therefore many times faster than with `GradientBoosting`. The trees are larger than those of
    `GradientBoosting`.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = HistGradientBoosting(features=["user"], min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> predictor.predict(job, 1.0)
    60.0
    """

    max_leaves: int = 31
    """The maximum number of leaves of a tree."""
    min_samples_leaf: int = 20
    seed: int = 13
    """Seed for choosing the jobs that define the classes at random, if there are over 200,000."""

    def fit(self, rows: Array, targets: Array) -> Trees:
        """Return the fitted trees."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        boosting = HistGradientBoostingRegressor(
            loss=self.losses[self.loss],
            quantile=self.quantile if self.loss == "quantile" else None,
            max_iter=self.trees,
            learning_rate=self.learning_rate,
            max_leaf_nodes=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            early_stopping=False,
            random_state=self.seed,
        )
        with one_thread("openmp"):
            boosting.fit(rows, targets)
        return Trees(roots_of(boosting), after=base_of(boosting))


FEATURES = (
    "processors", "walltime", "memory", "user", "group", "queue", "partition", "executable",
    "last_run_time_1", "last_run_time_2", "last_run_time_3", "mean_run_time", "since_last_end",
    "mean_processors", "mean_walltime", "since_last_submission", "running_jobs", "longest_running",
    "waiting_jobs",
    "similar_last_run_time_1", "similar_last_run_time_2", "similar_last_run_time_3",
    "similar_mean_run_time", "similar_since_last_end", "similar_since_last_submission",
    "similar_running_jobs", "similar_longest_running", "similar_waiting_jobs",
)  # fmt: skip


@dataclass(kw_only=True, eq=False)
class LogBoosting(HistGradientBoosting):
    """Predicts as `HistGradientBoosting` does, with defaults that were chosen for scheduling.

    The model fits the logarithm of the run time. Predicting an hour for a minute is then as bad as
    predicting a minute for an hour, so the model separates very short jobs from the others. The
    trees are small and their leaves are large, because the run times of similar jobs differ by
    orders of magnitude. The features include run times and ends of the user's last jobs, and
    numbers of the user's running and waiting jobs. These features are also computed from only those
    jobs of the user that have the same size and walltime. If a user's job fails immediately, the
    model can therefore predict that the user's next jobs are short.

    Examples
    --------
    >>> from predictors import Submission
    >>> job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    >>> predictor = LogBoosting(min_jobs=2)
    >>> for _ in range(2):
    ...     predictor.learn(job, 60.0, 0.0)
    >>> round(predictor.predict(job, 1.0), 9)
    60.0
    """

    features: Sequence[str] = FEATURES
    target: str | Sequence[str] = "log"
    refit_jobs: int | None = 5_000
    trees: int = 50
    learning_rate: float = 0.12
    max_leaves: int = 8
    min_samples_leaf: int = 40
