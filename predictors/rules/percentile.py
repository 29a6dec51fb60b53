"""A percentile of the run times of the user's last jobs."""

from dataclasses import dataclass

from predictors.checks import require_count, require_number, require_run_time
from predictors.grouping import fields_of
from predictors.sorted_window import SortedWindow
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Percentile:
    """Predicts a percentile of the run times of the user's last jobs, linear between ranks.

    There is no prediction with too few jobs, or without a user. Another field can replace the user,
    such as the queue.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = Percentile(percentile=75)
    >>> for run_time in (100.0, 300.0, 800.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    550.0
    """

    percentile: float = 80.0
    """From 0 (the shortest) over 50 (the median) to 100 (the longest)."""
    jobs: int = 1000
    """The number of last ended jobs that count."""
    at_least: int = 1
    """The number of jobs that a prediction needs."""
    by: str = "user"
    """The field of `Submission` that forms the groups."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._share = require_number("percentile", self.percentile, most=100.0) / 100.0
        require_count("jobs", self.jobs)
        require_count("at_least", self.at_least)
        self._group = fields_of("by", [self.by])
        self._windows: dict[object, SortedWindow] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the percentile in seconds, or ``None`` with too few jobs."""
        window = self._windows.get(self._group(submission))
        if window is None or len(window) < self.at_least:
            return None
        return window.quantile(self._share)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        group = self._group(submission)
        if group is None:
            return
        window = self._windows.get(group)
        if window is None:
            window = self._windows[group] = SortedWindow(self.jobs)
        window.add(run_time, now)
