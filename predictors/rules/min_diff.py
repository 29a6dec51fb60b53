"""The walltime, times the largest fraction that the user's last jobs used of theirs."""

from dataclasses import dataclass

from predictors.checks import require_count, require_run_time
from predictors.recent import RecentByGroup
from predictors.submission import Submission


class LargestUsage:
    """The largest run time / walltime among each user's last `jobs` ended jobs.

    Jobs without a user, or with a missing or zero walltime, do not count.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> usage = LargestUsage(2)
    >>> for run_time, end in [(900.0, 900.0), (300.0, 1300.0), (200.0, 1600.0)]:
    ...     usage.learn(job, run_time, end)
    >>> usage.of("ann"), usage.of("bob")
    (0.3, None)
    """

    __slots__ = ("_largest", "_recent")

    def __init__(self, jobs: int) -> None:
        self._recent = RecentByGroup(jobs)
        self._largest: dict[str, float] = {}

    def of(self, user: str | None) -> float | None:
        """Return the largest ratio, or ``None``. It exceeds 1 if a job outlived its walltime."""
        return None if user is None else self._largest.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user, walltime = submission.user, submission.walltime
        if user is not None and walltime:
            self._largest[user] = max(self._recent.add(user, run_time / walltime, now))


@dataclass(kw_only=True, eq=False)
class MinDiff:
    """Predicts walltime x the largest run time / walltime of the user's last five jobs.

    This is the ratio of the job whose walltime fitted best. There is no prediction for a user
    without ended jobs, or for a job without a user or walltime. Paper 002 of this project compares
    kNN with this method, and paper 000 describes it in section 4.2.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> predictor = MinDiff()
    >>> for run_time in (250.0, 500.0, 100.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    500.0
    """

    jobs: int = 5
    """The number of the user's last ended jobs that count; 5 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest ratio in seconds, or ``None``."""
        usage, walltime = self._usage.of(submission.user), submission.walltime
        return None if usage is None or walltime is None else usage * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
