"""The power correction."""

from schedulers.corrections.correction import Overrun, bounded

FIRST_STEP = 900.0
"""15 minutes, in seconds."""


class Power:
    """Adds 15 min, then 30 min, 1 h, 2 h, ... to the estimate that ran out.

    Paper 000 (section 4.4) gives 15 x 2^(i-2) minutes for i = 2, 3, ..., and its figure 5 counts
    the prediction before any correction as an iteration of its own. So i = 2 is read as the first
    correction, and the formula as what the i-th iteration adds to the estimate before it: read as
    the whole estimate, it would fall below a prediction of some hours that has just run out.
    """

    lead = 0.0
    asks = True

    def correct(self, overrun: Overrun) -> float:
        """Return the estimate and the next step, at most the walltime, in seconds."""
        # beyond a thousand corrections the step would be too large for a double
        step = FIRST_STEP * 2.0 ** min(overrun.corrections, 1000)
        return bounded(overrun.estimate + step, overrun)
