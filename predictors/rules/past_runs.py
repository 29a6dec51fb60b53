"""Rules on the user's past run times: the last two, the mean, a percentile, similar jobs."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median

from predictors.checks import fields_of, require_count, require_number, require_run_time
from predictors.recent import RecentByGroup, SortedWindow
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


class MeanOfLast:
    """Predicts the mean run time of the user's last `jobs` jobs, if at least `least` have ended."""

    def _begin(self, jobs: int, *, least: int = 1) -> None:
        self._recent = RecentByGroup(jobs)
        self._least = least
        self._means: dict[str, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean of the user's last run times in seconds, or ``None``."""
        user = submission.user
        return None if user is None else self._means.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn a run time; of jobs with equal ends, the job reported later counts as later."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is None:
            return
        run_times = self._recent.add(user, run_time, now)
        if len(run_times) >= self._least:
            self._means[user] = sum(run_times) / len(run_times)


@dataclass(kw_only=True, eq=False)
class LastTwo(MeanOfLast):
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
        self._begin(jobs=2, least=2)


@dataclass(kw_only=True, eq=False)
class MeanUser:
    """Predicts the mean run time of all of the user's jobs that have ended.

    There is no prediction for a user without ended jobs, or without a user. For the mean of only
    the last jobs, see `PbsV1` and its option `jobs`.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = MeanUser()
    >>> for run_time in (100.0, 300.0, 800.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    400.0
    """

    def __post_init__(self) -> None:
        """Begin without any job."""
        # for each user: the number of ended jobs and the sum of their run times
        self._known: dict[str, tuple[int, float]] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean in seconds, or ``None`` without a job of the user."""
        known = None if submission.user is None else self._known.get(submission.user)
        return None if known is None else known[1] / known[0]

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        if submission.user is not None:
            number, total = self._known.get(submission.user, (0, 0.0))
            self._known[submission.user] = (number + 1, total + run_time)


@dataclass(kw_only=True, eq=False)
class Percentile:
    """Predicts a percentile of the run times of the user's last jobs, interpolated between ranks.

    If the user has too few jobs, or the job has no user, there is no prediction. Another field,
    such as the queue, can replace the user.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = Percentile(percentile=75)
    >>> for run_time in (100.0, 300.0, 800.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    550.0
    """

    percentile: float = 80.0
    """The percentile: 0 is the shortest run time, 50 the median, 100 the longest."""
    jobs: int = 1000
    """The number of a user's last ended jobs that are used."""
    at_least: int = 1
    """The number of a user's ended jobs that a prediction needs."""
    by: str = "user"
    """The field of `Submission` that forms the groups."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._share = require_number("percentile", self.percentile, most=100.0) / 100.0
        require_count("jobs", self.jobs)
        require_count("at_least", self.at_least)
        self._group = fields_of("by", [self.by])
        self._windows: dict[object, SortedWindow] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the percentile in seconds, or ``None`` with too few jobs."""
        window = self._windows.get(self._group(submission))
        if window is None or len(window) < self.at_least:
            return None
        return window.quantile(self._share)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        group = self._group(submission)
        if group is None:
            return
        window = self._windows.get(group)
        if window is None:
            window = self._windows[group] = SortedWindow(self.jobs)
        window.add(run_time, now)


@dataclass(kw_only=True, eq=False)
class Similar:
    """Predicts the median run time of the user's last five jobs of the same size and walltime.

    If there is no such job, the user's last five jobs of any kind are used. If there are fewer than
    five jobs, all are used. The median of an even number of jobs is the mean of the middle two.
    There is no prediction for a user without ended jobs, or for a job without a user.

    Examples
    --------
    >>> small, large = (
    ...     Submission(id="7", submit_time=0.0, processors=p, walltime=3600.0, user="ann")
    ...     for p in (1, 64)
    ... )
    >>> predictor = Similar()
    >>> predictor.learn(small, 10.0, 10.0)
    >>> predictor.learn(small, 30.0, 40.0)
    >>> predictor.predict(large, 40.0)
    20.0
    >>> predictor.learn(large, 900.0, 1000.0)
    >>> predictor.predict(large, 1000.0), predictor.predict(small, 1000.0)
    (900.0, 20.0)
    """

    jobs: int = 5
    """The number of last ended jobs that are used."""
    same: Sequence[str] = ("processors", "walltime")
    """The fields of `Submission`, besides the user, that similar jobs have in common. If both jobs
    lack a field, the field counts as equal."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._kind = fields_of("same", self.same)
        self.same = tuple(self.same)
        # the last run times and their medians: for each user, and for each user and kind of job
        self._recent = RecentByGroup(require_count("jobs", self.jobs))
        self._medians: dict[Hashable, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the median in seconds, or ``None`` without a job of the user."""
        user = submission.user
        if user is None:
            return None
        of_kind = self._medians.get((user, self._kind(submission)))
        return self._medians.get(user) if of_kind is None else of_kind

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is None:
            return
        for group in (user, (user, self._kind(submission))):
            self._medians[group] = median(self._recent.add(group, run_time, now))
