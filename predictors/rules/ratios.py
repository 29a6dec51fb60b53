"""Predict the walltime times the share of walltimes that the user's or project's jobs usually use.

After W. Tang, N. Desai, D. Buettner, Z. Lan, "Analyzing and Adjusting User Runtime Estimates to
Improve Job Scheduling on the Blue Gene/P", IPDPS 2010, section V (paper 004 of this project).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from predictors.checks import require_count, require_number, require_run_time
from predictors.errors import OptionError
from predictors.recent import SortedWindow
from predictors.submission import Submission

GroupOf = Callable[[Submission], str | None]


def user_of(submission: Submission) -> str | None:
    """Return the user of a job."""
    return submission.user


def project_of(submission: Submission) -> str | None:
    """Return the project of a job, or its group if it has no project."""
    return submission.project or submission.group


class _UsualRatio:
    """The paper's adjusting parameter A of each group: a percentile of R = run time / walltime.

    R can exceed 1 if jobs in the log ran longer than their walltimes. A is at most 1. If a group
    has too few jobs, A is ``None``. The paper uses 1 instead of ``None``, although A can also be 1
    for groups with enough jobs.
    """

    __slots__ = ("_at_least", "_group_of", "_jobs", "_share", "_windows")

    def __init__(self, group_of: GroupOf, *, percentile: float, jobs: int, at_least: int) -> None:
        self._group_of = group_of
        self._share = require_number("percentile", percentile, most=100.0) / 100.0
        self._jobs = require_count("jobs", jobs)
        self._at_least = require_count("at_least", at_least)
        if at_least > jobs:
            raise OptionError(f"at_least is {at_least}; it must be at most jobs, which is {jobs}")
        self._windows: dict[str, SortedWindow] = {}

    def of(self, submission: Submission) -> float | None:
        """Return A of a job's group, from 0 to 1; ``None`` with too few jobs or no group."""
        group = self._group_of(submission)
        window = None if group is None else self._windows.get(group)
        if window is None or len(window) < self._at_least:
            return None
        return min(window.quantile(self._share), 1.0)

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn R of an ended job. A job with a missing or zero walltime is ignored."""
        group, walltime = self._group_of(submission), submission.walltime
        if group is None or not walltime:
            return
        window = self._windows.get(group)
        if window is None:
            window = self._windows[group] = SortedWindow(self._jobs)
        window.add(run_time / walltime, now)


@dataclass(kw_only=True, eq=False)
class Ratio:
    """Predicts walltime x A, where A is the usual run time / walltime of the job's user or project.

    This is the base class. If a job has several groups, A is the mean of the groups' values.
    """

    groups: ClassVar[tuple[GroupOf, ...]]

    percentile: float = 80.0
    """The percentile of R = run time / walltime, from 0 to 100; 80 in the paper."""
    jobs: int = 1000
    """The number of a group's last ended jobs that are used."""
    at_least: int = 50
    """The number of ended jobs that a group needs for a prediction; 50 in the paper."""

    def __post_init__(self) -> None:
        """Check the options."""
        self._ratios = [
            _UsualRatio(
                group_of, percentile=self.percentile, jobs=self.jobs, at_least=self.at_least
            )
            for group_of in self.groups
        ]

    def predict(self, submission: Submission, now: float) -> float | None:
        """Return walltime x A in seconds, or ``None`` if all groups have too few jobs."""
        walltime = submission.walltime
        if walltime is None:
            return None
        known = [a for ratio in self._ratios if (a := ratio.of(submission)) is not None]
        return sum(known) / len(known) * walltime if known else None

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        """Learn from a job that has ended; see `Predictor`."""
        require_run_time(submission, run_time)
        for ratio in self._ratios:
            ratio.learn(submission, run_time, now)


@dataclass(kw_only=True, eq=False)
class RatioUser(Ratio):
    """Predicts walltime x A, where A is the share of walltimes that the user's jobs usually use.

    A is the 80th percentile of R = run time / walltime of the user's last 1,000 ended jobs,
    interpolated between ranks and at most 1. There is no prediction for a user with fewer than 50
    ended jobs, or for a job without a user or walltime. This is the paper's user-based scheme,
    except that the paper uses all past jobs.

    Examples
    --------
    >>> predictor = RatioUser(percentile=50, at_least=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, user="ann")
    >>> for run_time in (200.0, 300.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 500.0)
    250.0
    """

    groups = (user_of,)


@dataclass(kw_only=True, eq=False)
class RatioProject(Ratio):
    """Predicts walltime x A, where A is the share of walltimes that the project's jobs usually use.

    This predictor works like `RatioUser`, with the project's jobs instead of the user's. If a job
    has no project, its group is used. This is the paper's project-based scheme.

    Examples
    --------
    >>> predictor = RatioProject(percentile=50, at_least=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0, project="fusion")
    >>> for run_time in (200.0, 300.0):
    ...     predictor.learn(job, run_time, run_time)
    >>> predictor.predict(job, 500.0)
    250.0
    """

    groups = (project_of,)


@dataclass(kw_only=True, eq=False)
class RatioCombined(Ratio):
    """Predicts walltime x the mean of the factors A of `RatioUser` and `RatioProject`.

    If the user or the project has too few jobs, only the other factor is used. If both have too few
    jobs, there is no prediction. This is the paper's combined scheme, equation 5. In the paper, a
    factor of 1 also means too few jobs. Here a factor of 1 enters the mean, because a user's jobs
    may use their full walltimes.

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

    groups = (user_of, project_of)
