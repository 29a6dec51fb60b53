"""No correction."""

from schedulers.corrections.correction import Overrun


class NoCorrection:
    """Is never asked: a job that outlives its estimate counts as ending now."""

    lead = 0.0
    asks = False

    def correct(self, overrun: Overrun) -> float:
        """Return the estimate as it is, in seconds."""
        return overrun.estimate
