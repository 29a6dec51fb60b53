"""The predictors of CERIT-SC for PBS Professional, from a paper and from the published code.

The paper is V. Chlumský, D. Klusáček, "Improving Accuracy of Walltime Estimates in PBS Professional
using Soft Walltimes", JSSPP 2022, section 2.3 (paper 003 of this project). `PbsReleased` follows
https://github.com/CESNET/softwalltime-predictor, which the paper cites.
"""

from dataclasses import dataclass

from predictors.checks import require_count, require_number, require_run_time
from predictors.recent import RecentByGroup
from predictors.rules.past_runs import MeanOfLast
from predictors.submission import Submission


class LargestUsage:
    """The largest run time / walltime among each user's last `jobs` ended jobs.

    Jobs without a user, or with a missing or zero walltime, are ignored.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> usage = LargestUsage(2)
    >>> for run_time, end in [(900.0, 900.0), (300.0, 1300.0), (200.0, 1600.0)]:
    ...     usage.learn(job, run_time, end)
    >>> usage.of("ann"), usage.of("bob")
    (0.3, None)
    """

    __slots__ = ("_largest", "_recent")

    def __init__(self, jobs: int) -> None:
        self._recent = RecentByGroup(jobs)
        self._largest: dict[str, float] = {}

    def of(self, user: str | None) -> float | None:
        """Return the largest ratio, or ``None``; it exceeds 1 if a job exceeded its walltime."""
        return None if user is None else self._largest.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user, walltime = submission.user, submission.walltime
        if user is not None and walltime:
            self._largest[user] = max(self._recent.add(user, run_time / walltime, now))


@dataclass(kw_only=True, eq=False)
class MinDiff:
    """Predicts walltime x the largest run time / walltime of the user's last five jobs.

    So the job that used the largest share of its walltime decides. There is no prediction for a
    user without ended jobs, or for a job without a user or walltime. Paper 002 of this project
    compares kNN with this method, and paper 000 describes the method in section 4.2.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> predictor = MinDiff()
    >>> for run_time in (250.0, 500.0, 100.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 900.0)
    500.0
    """

    jobs: int = 5
    """The number of the user's last ended jobs that are used; 5 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest ratio in seconds, or ``None``."""
        usage, walltime = self._usage.of(submission.user), submission.walltime
        return None if usage is None or walltime is None else usage * walltime

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)


DAY = 86400.0


@dataclass(kw_only=True, eq=False)
class PbsV1(MeanOfLast):
    """Predicts the mean run time of the user's last two ended jobs, or of the only ended job.

    Unlike `LastTwo`, this predictor needs only one ended job. There is no prediction for a user
    without ended jobs, or for a job without a user. This is the paper's algorithm 1.

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
    """The number of the user's last ended jobs that are used; 2 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._begin(require_count("jobs", self.jobs))


@dataclass(kw_only=True, eq=False)
class PbsV2(PbsV1):
    """Adds a fixed margin to the prediction of `PbsV1`.

    If `PbsV1` has no prediction, this predictor has none either.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = PbsV2()
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    1000.0
    """

    margin: float = 900.0
    """The margin in seconds; 900 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean plus the margin in seconds, or ``None``."""
        mean = super().predict(submission, now)
        return None if mean is None else mean + self.margin


@dataclass(kw_only=True, eq=False)
class PbsV3(MinDiff):
    """Predicts by the largest run time / walltime of the user's last 15 jobs.

    The prediction is walltime x this ratio + 900 s. The ratio can exceed 1 if jobs in the log ran
    longer than their walltimes. There is no prediction for a user without ended jobs, or for a job
    without a user or walltime. This is the paper's algorithm 2.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=10000.0, user="ann")
    >>> predictor = PbsV3()
    >>> for run_time in (5000.0, 2500.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 8000.0)
    5900.0
    """

    jobs: int = 15
    """The number of the user's last ended jobs that are used; 15 in the paper."""
    margin: float = 900.0
    """The margin in seconds; 900 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest ratio + margin in seconds, or ``None``."""
        used = super().predict(submission, now)
        return None if used is None else used + self.margin


@dataclass(kw_only=True, eq=False)
class PbsReleased:
    """Predicts like the published hook, which differs from the paper's algorithm.

    c is the largest run time / walltime of the user's last 15 jobs, at most 1. The prediction is
    c x walltime in whole seconds, doubled if the walltime exceeds 24 h, plus 900 s, and at most the
    walltime. A walltime of 0 is replaced by 24 h. There is no prediction for a job without a user
    or walltime, for a user without ended jobs, or if c x walltime is below 1 s.

    If a job starts over an hour after its submission (`valid_for`), the hook predicts again.

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
    """The number of the user's last ended jobs that are used; 15 in the published code."""
    margin: float = 900.0
    """The margin in seconds; 900 in the published code."""
    valid_for: float = 3600.0
    """Largest age of a prediction at the job's start, in seconds; 3600 in the published code."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._usage = LargestUsage(require_count("jobs", self.jobs))
        self.margin = require_number("margin", self.margin)
        self.valid_for = require_number("valid_for", self.valid_for)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the prediction in seconds, or ``None`` if the hook sets no soft walltime."""
        usage = self._usage.of(submission.user)
        # the hook fails on a job without a walltime, so that the job gets no soft walltime
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
        """Learn from a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
