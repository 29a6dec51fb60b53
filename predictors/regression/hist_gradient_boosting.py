"""Regression by gradient boosting on histograms of past jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from predictors.regression.gradient_boosting import Boosted
from predictors.regression.on_rows import Array
from predictors.regression.one_thread import one_thread
from predictors.regression.trees import Trees, base_of, roots_of


@dataclass(kw_only=True, eq=False)
class HistGradientBoosting(Boosted):
    """Predicts with scikit-learn's gradient boosting on histograms, refitted as jobs end.

    As `GradientBoosting`, with larger trees and on numbers that are put into at most 255 classes
    first, so that fits of many jobs are many times faster.

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
    """Leaves of a tree, at most."""
    min_samples_leaf: int = 20
    seed: int = 13
    """Decides which jobs the classes are taken from, where there are over 200,000."""

    def fit(self, rows: Array, targets: Array) -> Trees:
        """Fit the trees, one after the other."""
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

    What is fitted is the logarithm of the run time, so that to take a minute for an hour is as bad
    as to take an hour for a minute: very short jobs, which a queue does best to let pass, are told
    from the rest. The trees are small and their leaves large, since the run times of jobs that look
    alike are spread over orders of magnitude. Beside the job it looks at what the user's last jobs
    took, those of the same size and walltime apart, when they ended and which run or wait; so a
    user whose jobs die at once is known by the first that has.

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
