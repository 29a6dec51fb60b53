"""Corrections of the estimates that jobs outlive."""

from bisect import bisect_right
from collections.abc import Sequence

from predictors import OptionError
from predictors.checks import require_number
from schedulers.core.constants import NEVER, whole_times
from schedulers.core.job import Job

MINUTE = 60.0
HOUR = 3600.0

STEPS = (
    MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR,
    50 * HOUR, 100 * HOUR,
)  # fmt: skip
"""What `Tsafrir` adds to the first estimate, one step after the other, in seconds."""

USUAL = (
    HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
    48 * HOUR, 72 * HOUR, 96 * HOUR, 168 * HOUR,
)  # fmt: skip
"""Walltimes that people type, in seconds."""

FIRST_STEP = 900.0
"""What `Power` adds first: 15 minutes, in seconds."""


class Correction:
    """Makes a new estimate for a running job that outlives its estimate.

    Attributes
    ----------
    lead : float
        The time before the estimate runs out at which it wants to be asked, in seconds.
    asks : bool
        Whether it wants to be asked at all.
    memoryless : bool
        Whether, for a given job, its answer depends on how long that has run and on nothing else.
        Of several corrections that are due between two looks of the scheduler it is then asked for
        the last alone.
    """

    lead = 0.0
    asks = True
    memoryless = False

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the new estimate in seconds: above the elapsed time, at most the walltime.

        Parameters
        ----------
        job
            Its estimate `running` has run out, or is about to; it was `first_estimate` at first,
            and was corrected `corrections` times.
        elapsed
            The time that the job has run, in seconds.
        """
        raise NotImplementedError


def bounded(job: Job, estimate: float, elapsed: float) -> float:
    """Return an estimate longer than the one that ran out, at most the walltime, in seconds.

    Where the job was asked about so late that it has run for longer than that already, what the
    estimate was lengthened by counts from now.
    """
    if estimate <= elapsed:
        estimate = elapsed + (estimate - job.running)
    return estimate if estimate < job.walltime else job.walltime


class NoCorrection(Correction):
    """Is never asked: a job that outlives its estimate counts as ending now."""

    asks = False

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate as it is, in seconds."""
        return job.running


class ToWalltime(Correction):
    """An estimate that ran out becomes the walltime; without a walltime it doubles."""

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the walltime, in seconds.

        Examples
        --------
        >>> from schedulers.core.job import Job
        >>> ToWalltime().correct(Job("w0!1", 0.0, 1, 3600.0, running=60.0), 60.0)
        3600.0
        """
        if job.walltime == NEVER:
            return 2.0 * max(job.running, elapsed)
        return job.walltime


class Doubling(Correction):
    """An estimate that ran out doubles, as paper 003 has it; what OpenPBS does is `OpenPbs`."""

    def correct(self, job: Job, elapsed: float) -> float:
        """Return twice the estimate, at most the walltime, in seconds."""
        return bounded(job, 2.0 * job.running, elapsed)


class Simple(Correction):
    """Adds an hour when a job comes within 60 s of its estimate (paper 000, algorithm 2).

    Where the estimate is shorter than that, it does so as soon as the job starts.
    """

    lead = 60.0

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate and an hour, at most the walltime, in seconds."""
        return bounded(job, job.running + HOUR, elapsed)


class Power(Correction):
    """Adds 15 min, then 30 min, 1 h, 2 h, ... to the estimate that ran out.

    Paper 000 (section 4.4) gives 15 x 2^(i-2) minutes for i = 2, 3, ..., and its figure 5 counts
    the prediction before any correction as an iteration of its own. So i = 2 is read as the first
    correction, and the formula as what the i-th iteration adds to the estimate before it: read as
    the whole estimate, it would fall below a prediction of some hours that has just run out.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate and the next step, at most the walltime, in seconds."""
        # beyond a thousand corrections the step would be too large for a double
        step = FIRST_STEP * 2.0 ** min(job.corrections, 1000)
        return bounded(job, job.running + step, elapsed)


class Tsafrir(Correction):
    """Adds ever longer steps to the first estimate: 1 min, 5 min, ... 100 h, then the walltime.

    As in Tsafrir, Etsion and Feitelson (2007), *Backfilling using system-generated predictions
    rather than user runtime estimates*, which paper 000 calls EASY++.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the first estimate and the next step, at most the walltime, in seconds."""
        for step in STEPS[job.corrections :]:
            estimate = job.first_estimate + step
            # one that is over already, because the job was asked about late, is left out
            if estimate > elapsed:
                return bounded(job, estimate, elapsed)
        if job.walltime < NEVER:
            return job.walltime
        return bounded(job, job.running + STEPS[-1], elapsed)


class OpenPbs(Correction):
    """An estimate that ran out becomes the shortest multiple of the first that is not over yet.

    A job with a soft walltime of S that has run for t is planned with S x (1 + floor(t / S)), at
    most its walltime: measured with OpenPBS 23.06.06. So the estimate grows by S each time, where
    paper 003 says that it doubles (`doubling`).
    """

    memoryless = True

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the next multiple of the first estimate, at most the walltime, in seconds.

        Examples
        --------
        >>> from schedulers.core.job import Job
        >>> job = Job("w0!1", 0.0, 1, 3600.0, running=1200.0, first_estimate=1200.0)
        >>> OpenPbs().correct(job, 2700.0)
        3600.0
        """
        soft = job.first_estimate
        estimate = soft * (1.0 + whole_times(soft, elapsed))
        # what a division of doubles rounds away
        if estimate <= job.running:
            estimate += soft
        return bounded(job, estimate, elapsed)


class NextLonger(Correction):
    """An estimate that ran out becomes the next longer of the site's usual walltimes.

    Beyond the longest of them, the walltime; without a walltime, twice the estimate.

    Parameters
    ----------
    walltimes
        The usual walltimes, in seconds.
    """

    OPTIONS = {"walltimes": USUAL}

    def __init__(self, walltimes: Sequence[float] = USUAL) -> None:
        if not isinstance(walltimes, list | tuple) or not walltimes:
            raise OptionError(f"walltimes is {walltimes!r}; it must be a list of seconds above 0")
        self.walltimes = walltimes
        self._usual = sorted(
            [
                require_number("each of walltimes", walltime, open_ends=True, unit="seconds")
                for walltime in walltimes
            ]
        )

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the next longer walltime, at most the job's own, in seconds."""
        reached = max(job.running, elapsed)
        place = bisect_right(self._usual, reached)
        if place < len(self._usual):
            return bounded(job, self._usual[place], elapsed)
        return 2.0 * reached if job.walltime == NEVER else job.walltime
