"""The correction of EASY++."""

from schedulers.corrections.correction import Overrun, bounded

MINUTE = 60.0
HOUR = 3600.0

STEPS = (
    MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR,
    50 * HOUR, 100 * HOUR,
)  # fmt: skip
"""Added to the first estimate, one step after the other, in seconds."""


class Tsafrir:
    """Adds ever longer steps to the first estimate: 1 min, 5 min, ... 100 h, then the walltime.

    As in Tsafrir, Etsion and Feitelson (2007), *Backfilling using system-generated predictions
    rather than user runtime estimates*, which paper 000 calls EASY++.
    """

    lead = 0.0
    asks = True

    def correct(self, overrun: Overrun) -> float:
        """Return the first estimate and the next step, at most the walltime, in seconds."""
        for step in STEPS[overrun.corrections :]:
            estimate = overrun.first_estimate + step
            # one that is over already, because the job was asked about late, is left out
            if estimate > overrun.elapsed:
                return bounded(estimate, overrun)
        if overrun.walltime is not None:
            return overrun.walltime
        return bounded(overrun.estimate + STEPS[-1], overrun)
