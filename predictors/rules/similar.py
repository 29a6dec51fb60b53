"""The median run time of the user's last similar jobs."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median

from predictors.checks import require_count, require_run_time
from predictors.grouping import fields_of
from predictors.recent import RecentByGroup
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Similar:
    """Predicts the median run time of the user's last five jobs of the same size and walltime.

    If there is no such job, the user's last five jobs of any kind count. There is no prediction for
    a user without ended jobs, or without a user. With fewer than five jobs, it is the median of
    these. For an even number, it is the mean of the middle two.

    Examples
    --------
    >>> small, large = (
    ...     Submission(id="7", submit_time=0.0, processors=p, walltime=3600.0, user="ann")
    ...     for p in (1, 64)
    ... )
    >>> predictor = Similar()
    >>> predictor.learn(small, 10.0, 10.0)
    >>> predictor.learn(small, 30.0, 40.0)
    >>> predictor.predict(large, 40.0)
    20.0
    >>> predictor.learn(large, 900.0, 1000.0)
    >>> predictor.predict(large, 1000.0), predictor.predict(small, 1000.0)
    (900.0, 20.0)
    """

    jobs: int = 5
    """The number of last ended jobs that count."""
    same: Sequence[str] = ("processors", "walltime")
    """The fields of `Submission` in which similar jobs agree, beside the user. A field that both
    jobs lack counts as equal."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._kind = fields_of("same", self.same)
        self.same = tuple(self.same)
        # by user, and by user and kind
        self._recent = RecentByGroup(require_count("jobs", self.jobs))
        self._medians: dict[Hashable, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the median in seconds, or ``None`` without a job of the user."""
        user = submission.user
        if user is None:
            return None
        of_kind = self._medians.get((user, self._kind(submission)))
        return self._medians.get(user) if of_kind is None else of_kind

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is None:
            return
        for group in (user, (user, self._kind(submission))):
            self._medians[group] = median(self._recent.add(group, run_time, now))
