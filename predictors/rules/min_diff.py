"""The walltime, shortened by what the user's best recent one was off."""

from dataclasses import dataclass

from predictors.checks import require_count
from predictors.rules.largest_usage import LargestUsage
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class MinDiff:
    """Predicts walltime x the largest run time / walltime of the user's last five jobs.

    That is the usage of the job whose walltime was the least too long. Nothing (the walltime) for a
    user of whom no job has ended and for a job without a user or a walltime. The method that paper
    002 of this project compares kNN with, and that paper 000 describes in its section 4.2.

    Parameters
    ----------
    jobs
        Of how many jobs, those of the user that ended last; 5 in the paper.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

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

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest usage in seconds, ``None`` without any usage."""
        usage, walltime = self._usage.of(submission.user), submission.walltime
        return None if usage is None or walltime is None else usage * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
