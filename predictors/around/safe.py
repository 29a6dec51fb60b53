"""Change another predictor's predictions: scale, add a margin, or use only proven ones."""

import math
from dataclasses import dataclass

from predictors.around.nested import Around, FirstEstimates
from predictors.checks import fields_of, require_count, require_number, require_run_time
from predictors.recent import SortedWindow
from predictors.submission import Submission


@dataclass(kw_only=True, eq=False)
class Safe(Around):
    """Adds a margin to another predictor's predictions, so that fewer jobs exceed them.

    The margin is fixed, or it adapts to the errors of the estimates at the submission of the last
    jobs. With `underestimated` = 0.1, the margin is large enough for nine in ten of the last jobs.
    This is split conformal prediction [1]_ on a sliding window: for n jobs, the margin is the
    ceil((n + 1)(1 - `underestimated`))-th smallest value of run time - estimate, at least 0. If
    future jobs resemble the last jobs, at most the share `underestimated` of the jobs with a
    prediction is underestimated. Jobs that run longer than their walltimes are always
    underestimated, because the walltime bounds every estimate.

    With `by` = ``user``, each user's margin comes from the user's own last jobs. A user with too
    few ended jobs gets the margin of all jobs.

    If the other predictor has no prediction, this predictor has none either, and does not use the
    job for the margin.

    References
    ----------
    .. [1] J. Lei et al., "Distribution-Free Predictive Inference for Regression", JASA 113(523),
       2018, section 2.2.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = Safe(predictor="pbs_v1", margin=600)
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    700.0
    """

    margin: float = 900.0
    """The margin in seconds. Paper 003 of this project adds 900 s, paper 001 adds 3600 s."""
    underestimated: float | None = None
    """The share of jobs that may be underestimated, above 0 and below 1. If this option is given,
    `margin` is used only until 1 / `underestimated` - 1 jobs have ended. ``None``: the fixed
    `margin` is always used."""
    window: int = 1000
    """Used only with `underestimated`: the number of last ended jobs with a prediction whose errors
    give the margin."""
    by: str | None = None
    """Used only with `underestimated`: the field of `Submission` whose values get separate margins.
    ``None``: one margin for all jobs."""

    def __post_init__(self) -> None:
        """Make the wrapped predictor and check the options."""
        super().__post_init__()
        self.margin = require_number("margin", self.margin)
        require_count("window", self.window)
        self._group = None if self.by is None else fields_of("by", [self.by])
        # run time - estimate of the last jobs, for all jobs and for each group
        self._all = SortedWindow(self.window)
        self._groups: dict[object, SortedWindow] = {}
        self._estimates: FirstEstimates | None = None
        if self.underestimated is not None:
            require_number("underestimated", self.underestimated, most=1.0, open_ends=True)
            self._estimates = FirstEstimates(self._predictor)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the prediction plus the margin in seconds, or ``None`` without a prediction."""
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else prediction + self._margin_of(submission)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        if self._estimates is not None:
            estimate = self._estimates.take(submission, now)
            if estimate is not None:
                self._all.add(run_time - estimate, now)
                if self._group is not None:
                    group = self._group(submission)
                    if group not in self._groups:
                        self._groups[group] = SortedWindow(self.window)
                    self._groups[group].add(run_time - estimate, now)
        super().learn(submission, run_time, now)

    def submitted(self, submission: Submission, now: float) -> None:
        """Keep the other predictor's estimate, and report the submission to it."""
        if self._estimates is not None:
            self._estimates.submitted(submission, now)
        super().submitted(submission, now)

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Drop a job's estimate, and report to the other predictor that the job will not run."""
        if self._estimates is not None:
            self._estimates.withdrawn(submission)
        super().withdrawn(submission, now)

    def _margin_of(self, submission: Submission) -> float:
        if self.underestimated is None:
            return self.margin
        group_window = None if self._group is None else self._groups.get(self._group(submission))
        for window in (self._all,) if group_window is None else (group_window, self._all):
            number = len(window)
            rank = math.ceil((number + 1) * (1.0 - self.underestimated))
            if rank <= number:
                return max(0.0, window.at_rank(rank))
        return self.margin


@dataclass(kw_only=True, eq=False)
class Scaled(Around):
    """Multiplies another predictor's predictions by a factor.

    If the other predictor has no prediction, this predictor has none either.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = Scaled(predictor="pbs_v1", factor=1.5)
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    150.0
    """

    factor: float = 2.0
    """The factor of the other predictor's predictions, above 0."""

    def __post_init__(self) -> None:
        """Make the wrapped predictor and check the options."""
        super().__post_init__()
        self.factor = require_number("factor", self.factor, open_ends=True)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the other predictor's prediction times the factor in seconds, or ``None``."""
        prediction = self._predictor.predict(submission, now)
        return None if prediction is None else prediction * self.factor


@dataclass(kw_only=True, eq=False)
class Proven(Around):
    """Uses another predictor only for users for whom it has been better than the walltime.

    For each user, this class sums two absolute errors over ended jobs with a prediction: the error
    of the estimate at submission, and the error of the walltime. If the sum for the estimates is
    not smaller than the sum for the walltimes, there is no prediction, so the walltime is used. A
    job without a walltime gets the other predictor's prediction and is left out of the sums. Jobs
    without a user form one group.

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
    """The number of a user's ended jobs that are needed before a prediction is used."""
    by: str = "user"
    """The field of `Submission` that forms the groups."""

    def __post_init__(self) -> None:
        """Make the wrapped predictor and check the options."""
        super().__post_init__()
        require_count("at_least", self.at_least)
        self._group = fields_of("by", [self.by])
        self._estimates = FirstEstimates(self._predictor)
        # for each group: the number of jobs, and the sum of walltime errors minus estimate errors
        self._gains: dict[object, tuple[int, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the other predictor's prediction in seconds; ``None`` for a user without proof."""
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
        """Drop a job's estimate, and report to the other predictor that the job will not run."""
        self._estimates.withdrawn(submission)
        super().withdrawn(submission, now)
