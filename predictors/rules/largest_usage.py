"""How much of their walltimes a user's last jobs used."""

from predictors.checks import require_run_time
from predictors.recent import RecentByGroup
from predictors.submission import Submission


class LargestUsage:
    """Knows the largest run time / walltime of each user's last jobs.

    Jobs without a user, and those without a walltime or with one of 0, do not count.

    Parameters
    ----------
    jobs
        Of how many of the user's jobs, those that ended last.

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
        """Return the largest usage, above 1 if a job outlived its walltime; ``None`` if unknown."""
        return None if user is None else self._largest.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user, walltime = submission.user, submission.walltime
        if user is not None and walltime:
            self._largest[user] = max(self._recent.add(user, run_time / walltime, now=now))
