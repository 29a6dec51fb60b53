"""The second predictor of CERIT-SC's PBS Professional: the first, and a margin."""

from dataclasses import dataclass

from predictors.checks import require_number
from predictors.rules.pbs_v1 import PbsV1
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class PbsV2:
    """Predicts what `PbsV1` does and a fixed margin above it.

    Nothing (the walltime) where `PbsV1` knows nothing. Section 2.3 of [1]_ (paper 003 of this
    project).

    Parameters
    ----------
    jobs
        The mean of how many jobs, those of the user that ended last; 2 in the paper.
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
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = PbsV2()
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    1000.0
    """

    jobs: int = 2
    margin: float = 900.0

    def __post_init__(self) -> None:
        """Check the options."""
        self._mean = PbsV1(jobs=self.jobs)
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean and the margin in seconds, ``None`` without a job of the user."""
        mean = self._mean.predict(submission, now)
        return None if mean is None else mean + self.margin

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._mean.learn(submission, run_time, now)
