"""The correction that goes up the site's usual walltimes."""

from bisect import bisect_right
from collections.abc import Sequence

from predictors import OptionError
from schedulers.corrections.correction import Overrun, bounded

HOUR = 3600.0

USUAL = (
    HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
    48 * HOUR, 72 * HOUR, 96 * HOUR, 168 * HOUR,
)  # fmt: skip
"""Walltimes that people type, in seconds."""


class NextLonger:
    """An estimate that ran out becomes the next longer of the site's usual walltimes.

    Beyond the longest of them, the walltime; without a walltime, twice the estimate.

    Parameters
    ----------
    walltimes
        The usual walltimes, in seconds.
    """

    lead = 0.0
    asks = True

    def __init__(self, walltimes: Sequence[float] = USUAL) -> None:
        usual = list(walltimes) if isinstance(walltimes, list | tuple) else []
        if not usual or not all(isinstance(w, int | float) and w > 0 for w in usual):
            raise OptionError(f"walltimes is {walltimes!r}; it must be a list of seconds above 0")
        self._usual = sorted(float(walltime) for walltime in usual)

    def correct(self, overrun: Overrun) -> float:
        """Return the next longer walltime, at most the job's own, in seconds."""
        reached = max(overrun.estimate, overrun.elapsed)
        place = bisect_right(self._usual, reached)
        if place < len(self._usual):
            return bounded(self._usual[place], overrun)
        return 2.0 * reached if overrun.walltime is None else overrun.walltime
