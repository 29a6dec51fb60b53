"""The simple correction."""

from schedulers.corrections.correction import Overrun, bounded

STEP = 3600.0
LEAD = 60.0


class Simple:
    """Adds an hour when a job comes within 60 s of its estimate (paper 000, algorithm 2).

    Where the estimate is shorter than that, it does so as soon as the job starts.
    """

    lead = LEAD
    asks = True

    def correct(self, overrun: Overrun) -> float:
        """Return the estimate and an hour, at most the walltime, in seconds."""
        return bounded(overrun.estimate + STEP, overrun)
