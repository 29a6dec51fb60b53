"""The correction that goes up the site's usual walltimes."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from predictors import OptionError
from predictors.checks import require_number
from schedulers.corrections.correction import Overrun, bounded

HOUR = 3600.0

USUAL = (
    HOUR / 4, HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
    48 * HOUR, 72 * HOUR, 96 * HOUR, 168 * HOUR,
)  # fmt: skip
"""Walltimes that people type, in seconds."""


@dataclass(eq=False)
class NextLonger:
    """An estimate that ran out becomes the next longer of the site's usual walltimes.

    Beyond the longest of them, the walltime; without a walltime, twice the estimate.
    """

    lead = 0.0
    asks = True

    walltimes: Sequence[float] = USUAL
    """The usual walltimes, in seconds."""

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.walltimes, list | tuple) or not self.walltimes:
            raise OptionError(
                f"walltimes is {self.walltimes!r}; it must be a list of seconds above 0"
            )
        self._usual = sorted(
            require_number("each of walltimes", walltime, open_ends=True, unit="seconds")
            for walltime in self.walltimes
        )

    def correct(self, overrun: Overrun) -> float:
        """Return the next longer walltime, at most the job's own, in seconds."""
        reached = max(overrun.estimate, overrun.elapsed)
        place = bisect_right(self._usual, reached)
        if place < len(self._usual):
            return bounded(self._usual[place], overrun)
        return 2.0 * reached if overrun.walltime is None else overrun.walltime
