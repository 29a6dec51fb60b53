"""The correction that doubles."""

from schedulers.corrections.correction import Overrun, bounded


class Doubling:
    """An estimate that ran out doubles, as paper 003 has it; what OpenPBS does is `OpenPbs`."""

    lead = 0.0
    asks = True

    def correct(self, overrun: Overrun) -> float:
        """Return twice the estimate, at most the walltime, in seconds."""
        return bounded(2.0 * overrun.estimate, overrun)
