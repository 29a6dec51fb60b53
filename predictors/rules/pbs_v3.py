"""The third predictor of CERIT-SC's PBS Professional: the largest recent usage, and a margin."""

from dataclasses import dataclass

from predictors.checks import require_count, require_number
from predictors.rules.largest_usage import LargestUsage
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class PbsV3:
    """Predicts by the largest walltime usage of the user's last 15 jobs.

    Walltime x largest run time / walltime + 900 s. A usage can exceed 1, in a log whose jobs
    outlived their walltimes. Nothing (the walltime) for a user of whom no job has ended and for a
    job without a user or a walltime. Algorithm 2 of [1]_ (paper 003 of this project).

    Parameters
    ----------
    jobs
        Of how many jobs, those of the user that ended last; 15 in the paper.
    margin
        What is added, in seconds; 900 in the paper.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    References
    ----------
    .. [1] V. Chlumský, D. Klusáček, "Improving Accuracy of Walltime Estimates in PBS Professional
       using Soft Walltimes", JSSPP 2022, section 2.3.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=10000.0, user="ann")
    >>> predictor = PbsV3()
    >>> for run_time in (5000.0, 2500.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 8000.0)
    5900.0
    """

    jobs: int = 15
    margin: float = 900.0

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest usage + margin in seconds, ``None`` without any usage."""
        usage, walltime = self._usage.of(submission.user), submission.walltime
        return None if usage is None or walltime is None else usage * walltime + self.margin

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
