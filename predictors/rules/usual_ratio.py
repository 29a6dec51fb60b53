"""How much of their walltimes the jobs of a user, or of a project, usually use."""

from predictors.checks import require_count, require_number, require_run_time
from predictors.errors import OptionError
from predictors.sorted_window import SortedWindow
from predictors.submission import Submission


class UsualRatio:
    """Knows a percentile, at most 1, of R = run time / walltime of each group's last jobs.

    The adjusting parameter A of [1]_, section V (paper 004 of this project). R can exceed 1, in a
    log whose jobs outlived their walltimes; A is no more than 1. That a group has too
    few jobs is an answer of its own, ``None``; in the paper A = 1 stands for it, but some
    users with ample history have it too.

    Parameters
    ----------
    percentile
        Which percentile, linear between ranks.
    jobs
        Of how many jobs, those of the group that ended last.
    at_least
        How many jobs there must be.

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
    >>> ratio = UsualRatio(percentile=50.0, jobs=1000, at_least=2)
    >>> job = Submission(id="7", submit_time=0.0, processors=4, walltime=1000.0)
    >>> ratio.learn("ann", job, run_time=200.0, now=200.0)
    >>> ratio.of("ann") is None
    True
    >>> ratio.learn("ann", job, run_time=300.0, now=300.0)
    >>> ratio.of("ann")
    0.25
    """

    __slots__ = ("_at_least", "_jobs", "_share", "_windows")

    def __init__(self, *, percentile: float, jobs: int, at_least: int) -> None:
        self._share = require_number("percentile", percentile, most=100.0) / 100.0
        self._jobs = require_count("jobs", jobs)
        self._at_least = require_count("at_least", at_least)
        if at_least > jobs:
            raise OptionError(f"at_least is {at_least}; of {jobs} jobs there are never as many")
        self._windows: dict[str, SortedWindow] = {}

    def of(self, group: str | None) -> float | None:
        """Return a group's A, from 0 to 1, or ``None`` with too few jobs or without a group."""
        window = None if group is None else self._windows.get(group)
        if window is None or len(window) < self._at_least:
            return None
        return min(window.quantile(self._share), 1.0)

    def learn(
        self, group: str | None, submission: Submission, *, run_time: float, now: float
    ) -> None:
        """Take note of a job that has ended; without a walltime, or with one of 0, it has no R.

        Raises
        ------
        PredictorError
            The run time is no finite number of seconds.
        """
        require_run_time(submission, run_time)
        walltime = submission.walltime
        if group is None or not walltime:
            return
        window = self._windows.get(group)
        if window is None:
            window = self._windows[group] = SortedWindow(self._jobs)
        window.add(run_time / walltime, now)
