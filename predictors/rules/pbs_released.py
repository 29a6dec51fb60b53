"""The rule in the code that CERIT-SC published for PBS Professional."""

from dataclasses import dataclass

from predictors.checks import require_count, require_number
from predictors.rules.largest_usage import LargestUsage
from predictors.submission import Submission

DAY = 86400.0


@dataclass(kw_only=True, eq=False)
class PbsReleased:
    """Predicts as the published hook does [1]_, which differs from the paper's algorithm.

    c is the largest run time / walltime of the user's last 15 jobs, at most 1. The prediction is
    c x walltime in whole seconds, twice that if the walltime is over 24 h, and 900 s more; at most
    the walltime. A walltime of 0 counts as 24 h. Nothing (the walltime) for a job without a user or
    without a walltime, for a user of whom no job has ended, and where c x walltime is below 1 s.

    The hook predicts anew when a job is run over an hour after its submission; `valid_for` says so.

    Parameters
    ----------
    jobs
        Of how many jobs, those of the user that ended last; 15 in the code.
    margin
        What is added, in seconds; 900 in the code.
    valid_for
        How old a prediction may be at the job's start, in seconds; 3600 in the code.

    Raises
    ------
    OptionError
        An option with a value that it can't have.

    References
    ----------
    .. [1] https://github.com/CESNET/softwalltime-predictor, which paper 003 of this project cites.

    Examples
    --------
    >>> ended = Submission(id="7", submit_time=0.0, processors=4, walltime=10000.0, user="ann")
    >>> predictor = PbsReleased()
    >>> predictor.learn(ended, 2500.0, 2500.0)
    >>> predictor.predict(ended, 8000.0)
    3400.0
    >>> week = Submission(id="8", submit_time=0.0, processors=4, walltime=604800.0, user="ann")
    >>> predictor.predict(week, 8000.0)
    303300.0
    """

    jobs: int = 15
    margin: float = 900.0
    valid_for: float = 3600.0

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))
        self.margin = require_number("margin", self.margin)
        self.valid_for = require_number("valid_for", self.valid_for)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the prediction in seconds, ``None`` where the hook sets no soft walltime."""
        usage = self._usage.of(submission.user)
        # the hook fails on a job without a walltime, and leaves it as it is
        if usage is None or submission.walltime is None:
            return None
        walltime = submission.walltime or DAY
        used = float(int(min(usage, 1.0) * walltime))
        if not used:
            return None
        if walltime > DAY:
            used *= 2
        return min(used + self.margin, walltime)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Take note of a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
