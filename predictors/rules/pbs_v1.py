"""The first predictor of CERIT-SC's PBS Professional: the mean of at most two run times."""

from dataclasses import dataclass

from predictors.checks import require_count, require_run_time
from predictors.recent import RecentByGroup
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class PbsV1:
    """Predicts the mean run time of the user's last jobs, two or as many as there are.

    Unlike `LastTwo` it answers after one job already. Nothing (the walltime) for a user of whom no
    job has ended and for a job without a user. Algorithm 1 of [1]_ (paper 003 of this project).

    Parameters
    ----------
    jobs
        The mean of how many jobs, those of the user that ended last; 2 in the paper.

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
    >>> predictor = PbsV1()
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    100.0
    >>> predictor.learn(job, 300.0, 500.0)
    >>> predictor.predict(job, 500.0)
    200.0
    """

    jobs: int = 2

    def __post_init__(self) -> None:
        """Check the options."""
        self._recent = RecentByGroup(require_count("jobs", self.jobs))
        self._means: dict[str, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean run time of the user's last jobs in seconds, ``None`` without any."""
        user = submission.user
        return None if user is None else self._means.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is not None:
            run_times = self._recent.add(user, run_time, now=now)
            self._means[user] = sum(run_times) / len(run_times)
