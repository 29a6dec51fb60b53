"""The mean run time of the user's last two jobs."""

from dataclasses import dataclass

from predictors.checks import require_run_time
from predictors.recent import RecentByGroup
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class LastTwo:
    """Predicts the mean run time of the user's two last ended jobs.

    There is no prediction for a user with fewer than two ended jobs, or without a user. This is the
    prediction of EASY++ [1]_, also used in [2]_.

    References
    ----------
    .. [1] D. Tsafrir, Y. Etsion, D. G. Feitelson, "Backfilling using system-generated predictions
       rather than user runtime estimates", IEEE TPDS 18(6), 2007, section 3.
    .. [2] Paper 000 of this project: walltime prediction and correction at DOST-ASTI COARE.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = LastTwo()
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0) is None
    True
    >>> predictor.learn(job, 300.0, 500.0)
    >>> predictor.predict(job, 500.0)
    200.0
    """

    def __post_init__(self) -> None:
        """Begin without any job."""
        self._recent = RecentByGroup(2)
        self._means: dict[str, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean of the user's last two run times in seconds, or ``None``."""
        user = submission.user
        return None if user is None else self._means.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn a run time. Of jobs with the same end, the one reported later counts as later."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is None:
            return
        run_times = self._recent.add(user, run_time, now)
        if len(run_times) == 2:  # noqa: PLR2004 - as the name says
            self._means[user] = (run_times[0] + run_times[1]) / 2
