"""Another predictor, but only for users whom it has served better than their walltimes."""

from dataclasses import dataclass

from predictors.around.first_estimates import FirstEstimates
from predictors.around.nested import Around
from predictors.checks import require_count, require_run_time
from predictors.grouping import fields_of
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Proven(Around):
    """Predicts what another predictor does, for users for whom that has been better so far.

    It has been better than the walltime where the absolute errors of its first estimates sum up to
    less than those of the walltimes, over the user's ended jobs of which it knew something at their
    submission. Elsewhere nothing (the walltime). A job without a walltime has nothing to compare
    with: it gets the other predictor's answer and does not count. Jobs without a user are judged
    together.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> predictor = Proven(predictor="pbs_v1")
    >>> for run_time in (100.0, 300.0):  # the first is not predicted yet, the second to 200 s
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 300.0)
    200.0
    """

    at_least: int = 1
    """The fewest jobs of a user for which it must have been better."""
    by: str = "user"
    """The field of `Submission` whose values are judged apart."""

    def __post_init__(self) -> None:
        """Make the other predictor and check the options."""
        super().__post_init__()
        require_count("at_least", self.at_least)
        self._group = fields_of("by", [self.by])
        self._estimates = FirstEstimates(self._predictor)
        # of how many jobs, and by how many seconds the walltimes were further off
        self._gains: dict[object, tuple[int, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the other's prediction in seconds, ``None`` where it is not proven."""
        if submission.walltime is not None:
            number, gain = self._gains.get(self._group(submission), (0, 0.0))
            if gain <= 0 or number < self.at_least:
                return None
        return self._predictor.predict(submission, now)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        estimate = self._estimates.take(submission, now)
        if estimate is not None and submission.walltime is not None:
            group = self._group(submission)
            number, gain = self._gains.get(group, (0, 0.0))
            gain += abs(submission.walltime - run_time) - abs(estimate - run_time)
            self._gains[group] = (number + 1, gain)
        super().learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Note what the other predictor says of the job, and pass on that it was submitted."""
        self._estimates.submitted(submission, now)
        super().submitted(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Drop the note on a job that will not run, and pass that on."""
        self._estimates.withdrawn(submission)
        super().withdrawn(submission, now)
