"""The predictors of CERIT-SC for PBS Professional, as in the paper and as its code was published.

V. Chlumský, D. Klusáček, "Improving Accuracy of Walltime Estimates in PBS Professional using Soft
Walltimes", JSSPP 2022, section 2.3 (paper 003 of this project), and, for `PbsReleased`,
https://github.com/CESNET/softwalltime-predictor, which the paper cites.
"""

from dataclasses import dataclass

from predictors.checks import require_count, require_number, require_run_time
from predictors.recent import RecentByGroup
from predictors.rules.min_diff import LargestUsage, MinDiff
from predictors.submission import Submission

DAY = 86400.0


@dataclass(kw_only=True, eq=False)
class PbsV1:
    """Predicts the mean run time of the user's last jobs, two or as many as there are.

    Unlike `LastTwo` it answers after one job already. Nothing (the walltime) for a user of whom no
    job has ended and for a job without a user. The paper's algorithm 1.

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
    """The number of the user's jobs that count, those that ended last; 2 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._recent = RecentByGroup(require_count("jobs", self.jobs))
        self._means: dict[str, float] = {}

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean run time of the user's last jobs in seconds, ``None`` without any."""
        user = submission.user
        return None if user is None else self._means.get(user)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        user = submission.user
        if user is not None:
            run_times = self._recent.add(user, run_time, now)
            self._means[user] = sum(run_times) / len(run_times)


@dataclass(kw_only=True, eq=False)
class PbsV2(PbsV1):
    """Predicts what `PbsV1` does and a fixed margin above it.

    Nothing (the walltime) where `PbsV1` knows nothing.

    Examples
    --------
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=3600.0, user="ann")
    >>> predictor = PbsV2()
    >>> predictor.learn(job, 100.0, 100.0)
    >>> predictor.predict(job, 100.0)
    1000.0
    """

    margin: float = 900.0
    """In seconds; 900 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return the mean and the margin in seconds, ``None`` without a job of the user."""
        mean = super().predict(submission, now)
        return None if mean is None else mean + self.margin


@dataclass(kw_only=True, eq=False)
class PbsV3(MinDiff):
    """Predicts by the largest walltime usage of the user's last 15 jobs.

    Walltime x largest run time / walltime + 900 s. A usage can exceed 1, in a log whose jobs
    outlived their walltimes. Nothing (the walltime) for a user of whom no job has ended and for a
    job without a user or a walltime. The paper's algorithm 2.

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
    """The number of the user's jobs that count, those that ended last; 15 in the paper."""
    margin: float = 900.0
    """In seconds; 900 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        self.margin = require_number("margin", self.margin)

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x largest usage + margin in seconds, ``None`` without any usage."""
        used = super().predict(submission, now)
        return None if used is None else used + self.margin


@dataclass(kw_only=True, eq=False)
class PbsReleased:
    """Predicts as the published hook does, which differs from the paper's algorithm.

    c is the largest run time / walltime of the user's last 15 jobs, at most 1. The prediction is
    c x walltime in whole seconds, twice that if the walltime is over 24 h, and 900 s more; at most
    the walltime. A walltime of 0 counts as 24 h. Nothing (the walltime) for a job without a user or
    without a walltime, for a user of whom no job has ended, and where c x walltime is below 1 s.

    The hook predicts anew when a job is run over an hour after its submission; `valid_for` says so.

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
    """The number of the user's jobs that count, those that ended last; 15 in the code."""
    margin: float = 900.0
    """In seconds; 900 in the code."""
    valid_for: float = 3600.0
    """The largest age of a prediction at the job's start, in seconds; 3600 in the code."""

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
        """Learn from a job that has ended; see `Predictor`."""
        self._usage.learn(submission, run_time, now)
