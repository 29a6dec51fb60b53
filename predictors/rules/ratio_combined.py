"""The walltime, adjusted by what both the user's and the project's jobs usually use of theirs."""

from dataclasses import dataclass

from predictors.rules.usual_ratio import UsualRatio
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class RatioCombined:
    """Predicts walltime x the mean of what `RatioUser` and `RatioProject` would multiply it with.

    Where one of them has too few jobs, the other's counts alone; where both have, nothing (the
    walltime). The combined scheme of [1]_, section V, equation 5 (paper 004 of this project), where
    a factor of 1 also stands for too few jobs; here a user whose jobs use their walltimes up is not
    mistaken for one with too few.

    Parameters
    ----------
    percentile
        Which percentile of R = run time / walltime, from 0 to 100; 80 in the paper.
    jobs
        Of how many jobs, those of the user and of the project that ended last.
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
    >>> predictor = RatioCombined(at_least=1)
    >>> ann, bob = (
    ...     Submission(
    ...         id=user, submit_time=0.0, processors=4, walltime=1000.0, user=user, project="fusion"
    ...     )
    ...     for user in ("ann", "bob")
    ... )
    >>> predictor.learn(ann, 500.0, 500.0)
    >>> predictor.predict(ann, 500.0), predictor.predict(bob, 500.0)
    (500.0, 500.0)
    >>> predictor.learn(bob, 500.0, 600.0)
    >>> predictor.learn(bob, 1000.0, 1600.0)
    >>> round(predictor.predict(bob, 1600.0))
    850
    """

    percentile: float = 80.0
    jobs: int = 1000
    at_least: int = 50

    def __post_init__(self) -> None:
        """Check the options."""
        self._of_user, self._of_project = (
            UsualRatio(percentile=self.percentile, jobs=self.jobs, at_least=self.at_least)
            for _ in range(2)
        )

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x A in seconds, ``None`` where user and project have too few jobs."""
        walltime = submission.walltime
        if walltime is None:
            return None
        ratio = self._of_user.of(submission.user)
        of_project = self._of_project.of(submission.project or submission.group)
        if ratio is None:
            ratio = of_project
        elif of_project is not None:
            ratio = (ratio + of_project) / 2
        return None if ratio is None else ratio * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._of_user.learn(submission.user, submission, run_time=run_time, now=now)
        project = submission.project or submission.group
        self._of_project.learn(project, submission, run_time=run_time, now=now)
