"""The walltime, adjusted by what the user's jobs usually use of theirs."""

from dataclasses import dataclass

from predictors.rules.usual_ratio import UsualRatio
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class RatioUser:
    """Predicts walltime x A, where A is what the user's past jobs used of their walltimes.

    A is the 80th percentile of R = run time / walltime of the user's last 1,000 jobs that ended,
    linear between ranks and at most 1. Nothing (the walltime) with fewer than 50, and
    for a job without a user or a walltime. The user-based scheme of [1]_, section V (paper 004 of
    this project), where all past jobs count, not the last 1,000.

    Parameters
    ----------
    percentile
        Which percentile of R, from 0 to 100; 80 in the paper.
    jobs
        Of how many jobs, those of the user that ended last.
    at_least
        How many jobs there must be; 50 in the paper.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    References
    ----------
    .. [1] W. Tang, N. Desai, D. Buettner, Z. Lan, "Analyzing and Adjusting User Runtime Estimates
       to Improve Job Scheduling on the Blue Gene/P", IPDPS 2010.

    Examples
    --------
    >>> predictor = RatioUser(percentile=50, at_least=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> for run_time in (200.0, 300.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 500.0)
    250.0
    """

    percentile: float = 80.0
    jobs: int = 1000
    at_least: int = 50

    def __post_init__(self) -> None:
        """Check the options."""
        self._ratio = UsualRatio(percentile=self.percentile, jobs=self.jobs, at_least=self.at_least)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x A in seconds, ``None`` with too few jobs."""
        walltime = submission.walltime
        if walltime is None:
            return None
        ratio = self._ratio.of(submission.user)
        return None if ratio is None else ratio * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._ratio.learn(submission.user, submission, run_time=run_time, now=now)
