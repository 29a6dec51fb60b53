"""Corrections: new estimates for jobs that run longer than estimated."""

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
"""The steps in seconds that `Tsafrir` adds to the first estimate, one after the other."""

USUAL = (
    HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
    48 * HOUR, 72 * HOUR, 96 * HOUR, 168 * HOUR,
)  # fmt: skip
"""Walltimes that users commonly request, in seconds."""

FIRST_STEP = 900.0
"""The first step that `Power` adds, in seconds."""


class Correction:
    """A correction: it makes a new estimate for a running job that outlives its estimate.

    - `lead`: how long before the estimate runs out the correction is made, in seconds.
    - `asks`: whether the correction does anything. If not, the scheduler never calls it.
    - `memoryless`: whether the result for a job depends only on its elapsed time. If several
      corrections are due between two scheduling points, the scheduler then makes only the last one.
    """

    lead = 0.0
    asks = True
    memoryless = False

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the new estimate in seconds: above the elapsed time, at most the walltime.

        `elapsed` is the time that the job has run, in seconds. `job.running` is the estimate that
        runs out, `job.first_estimate` the first one, and `job.corrections` the number of
        corrections so far.
        """
        raise NotImplementedError


def bounded(job: Job, estimate: float, elapsed: float) -> float:
    """Return a corrected estimate in seconds, limited to the walltime.

    If the job has already run longer than the new estimate, the extension counts from now.
    """
    if estimate <= elapsed:
        estimate = elapsed + (estimate - job.running)
    return estimate if estimate < job.walltime else job.walltime


class NoCorrection(Correction):
    """No correction: a job that outlives its estimate counts as ending now."""

    asks = False

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the unchanged estimate, in seconds."""
        return job.running


class ToWalltime(Correction):
    """Replace the estimate by the walltime. Without a walltime, double the estimate."""

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
    """Double the estimate, as in paper 003. `OpenPbs` is what OpenPBS really does."""

    def correct(self, job: Job, elapsed: float) -> float:
        """Return twice the estimate, at most the walltime, in seconds."""
        return bounded(job, 2.0 * job.running, elapsed)


class Simple(Correction):
    """Add an hour when a job comes within 60 s of its estimate (paper 000, algorithm 2).

    If the estimate is below 60 s, the hour is added when the job starts.
    """

    lead = 60.0

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate plus an hour, at most the walltime, in seconds."""
        return bounded(job, job.running + HOUR, elapsed)


class Power(Correction):
    """Add 15 min, then 30 min, 1 h, 2 h, ... to the estimate.

    Paper 000 (section 4.4) gives 15 x 2^(i-2) minutes for i = 2, 3, .... Its figure 5 counts the
    first prediction as iteration 1, so i = 2 is the first correction. The formula is read as the
    increment. As a whole estimate, it could be below the prediction that has just run out.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate plus the next step, at most the walltime, in seconds."""
        # after a thousand corrections the step would overflow a double
        step = FIRST_STEP * 2.0 ** min(job.corrections, 1000)
        return bounded(job, job.running + step, elapsed)


class Tsafrir(Correction):
    """Add ever longer steps to the first estimate: 1 min, 5 min, ... 100 h, then the walltime.

    As in Tsafrir, Etsion and Feitelson (2007), *Backfilling using system-generated predictions
    rather than user runtime estimates*, which paper 000 calls EASY++.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the first estimate plus the next step, at most the walltime, in seconds."""
        for step in STEPS[job.corrections :]:
            estimate = job.first_estimate + step
            # skip steps that the job has already outlived
            if estimate > elapsed:
                return bounded(job, estimate, elapsed)
        if job.walltime < NEVER:
            return job.walltime
        return bounded(job, job.running + STEPS[-1], elapsed)


class OpenPbs(Correction):
    """Use the smallest multiple of the first estimate that is above the elapsed time.

    OpenPBS 23.06.06 plans a job with a soft walltime of S that has run for t with
    S x (1 + floor(t / S)), at most its walltime (measured). So the estimate grows by S each time.
    Paper 003 says that it doubles (`doubling`).
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
        # the division of doubles may round down
        if estimate <= job.running:
            estimate += soft
        return bounded(job, estimate, elapsed)


class NextLonger(Correction):
    """Use the next longer of the usual walltimes.

    Beyond the longest usual walltime, use the job's walltime. Without one, double the estimate.

    `walltimes` are the usual walltimes, in seconds.
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
        """Return the next longer usual walltime, at most the job's walltime, in seconds."""
        reached = max(job.running, elapsed)
        place = bisect_right(self._usual, reached)
        if place < len(self._usual):
            return bounded(job, self._usual[place], elapsed)
        return 2.0 * reached if job.walltime == NEVER else job.walltime
