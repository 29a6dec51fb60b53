"""Use another predictor only for users for whom it was better than their walltimes."""

from dataclasses import dataclass

from predictors.around.nested import Around, FirstEstimates
from predictors.checks import fields_of, require_count, require_run_time
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Proven(Around):
    """Uses another predictor only for users for whom it has been better than the walltime.

    For each user, it compares two sums of absolute errors over ended jobs with a prediction: those
    of the first estimates and those of the walltimes. If the estimates are not better, it predicts
    nothing, so the walltime applies. A job without a walltime gets the other predictor's answer and
    does not count. Jobs without a user form one group.

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
    """The number of a user's jobs that are needed before a prediction is used."""
    by: str = "user"
    """The field of `Submission` that forms the groups."""

    def __post_init__(self) -> None:
        """Make the other predictor and check the options."""
        super().__post_init__()
        require_count("at_least", self.at_least)
        self._group = fields_of("by", [self.by])
        self._estimates = FirstEstimates(self._predictor)
        # for each group: the number of jobs, and how much larger the walltimes' error sum is
        self._gains: dict[object, tuple[int, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the other's prediction in seconds, or ``None`` if it was not better so far."""
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
        """Keep the other predictor's estimate, and report the submission to it."""
        self._estimates.submitted(submission, now)
        super().submitted(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Drop the estimate of a job that will not run, and report this."""
        self._estimates.withdrawn(submission)
        super().withdrawn(submission, now)
