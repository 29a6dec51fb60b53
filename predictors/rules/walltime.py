"""The user's own estimate: the walltime."""

from dataclasses import dataclass

from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Walltime:
    """Makes no prediction, so the scheduler plans with the walltime, as most sites do.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> Walltime().predict(job, 0.0) is None
    True
    """

    def predict(self, submission: Submission, now: float) -> None:
        """Return ``None``, so that the walltime is used."""
        return

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn nothing."""
