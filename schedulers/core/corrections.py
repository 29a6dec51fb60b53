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
"""The times that `Tsafrir` adds to the first estimate in its first, second, ... correction (s)."""

USUAL = (
    HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
    48 * HOUR, 72 * HOUR, 96 * HOUR, 168 * HOUR,
)  # fmt: skip
"""Walltimes that users commonly request, in seconds."""

FIRST_STEP = 900.0
"""The time that `Power` adds in its first correction, in seconds."""


class Correction:
    """Makes a new estimate for a running job that outlives its estimate.

    - `lead`: how many seconds before the planned end the correction is made.
    - `asks`: whether the scheduler calls the correction at all. Only `NoCorrection` has ``False``.
    - `memoryless`: whether the result for a job depends only on its elapsed time. If several
      corrections are due between two scheduling points, the scheduler then makes only the last one.
    """

    lead = 0.0
    asks = True
    memoryless = False

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the new estimate in seconds: above the elapsed time, at most the walltime.

        `elapsed` is the time that the job has run, in seconds. `job.running` is the present
        estimate, `job.first_estimate` the first estimate, and `job.corrections` the number of
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
    """No correction: planning treats a job that outlives its estimate as if it ended now."""

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
    """Double the estimate, as Chlumský and Klusáček (paper 003) describe PBS.

    `OpenPbs` is the correction that OpenPBS really makes.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return twice the estimate, at most the walltime, in seconds."""
        return bounded(job, 2.0 * job.running, elapsed)


class Simple(Correction):
    """Add an hour when 60 s of the estimate are left (algorithm 2 of COARE, paper 000).

    If the estimate is below 60 s, the hour is added when the job starts.
    """

    lead = 60.0

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate plus an hour, at most the walltime, in seconds."""
        return bounded(job, job.running + HOUR, elapsed)


class Power(Correction):
    """Add 15 min, then 30 min, 1 h, 2 h, ... to the estimate.

    COARE (paper 000, section 4.4) gives 15 x 2^(i-2) minutes for i = 2, 3, .... Its figure 5 counts
    the first prediction as iteration 1, so i = 2 is the first correction. Here the formula gives
    the added time. If it gave the whole estimate, the estimate could be below the time that the job
    has run.
    """

    def correct(self, job: Job, elapsed: float) -> float:
        """Return the estimate plus the next step, at most the walltime, in seconds."""
        # after a thousand corrections the step would overflow a double
        step = FIRST_STEP * 2.0 ** min(job.corrections, 1000)
        return bounded(job, job.running + step, elapsed)


class Tsafrir(Correction):
    """Use the first estimate plus 1 min, then plus 5 min, ... plus 100 h, then the walltime.

    This is the correction of Tsafrir, Etsion and Feitelson (2007), *Backfilling using
    system-generated predictions rather than user runtime estimates*. COARE (paper 000) calls it
    EASY++.
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

    For a job with the soft walltime S that has run for the time t, OpenPBS 23.06.06 plans with
    S x (1 + floor(t / S)), at most the walltime (measured). So each correction adds S. Chlumský and
    Klusáček (paper 003) say that the estimate doubles; see `Doubling`.
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
        # the division of floating-point numbers may round down
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
