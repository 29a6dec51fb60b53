"""Thresholds of how alike the two queues are, which docs/explanation/baseline.md explains."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pred_aware.recorded_queue.waits import Waits

Answer = Literal["alike", "shorter", "longer", "others", "little", "impossible", "unknown"]

KNOWN = 0.95
"""Share of the jobs whose wait must be known, as for `pred_aware.inspection.load`."""
FEWEST = 100
"""Of fewer jobs nothing is said: their waits depend on a handful of them."""
MOST_BEYOND = 0.01
"""Share of the recorded work that may lie above the machine's size."""
ALIKE_MEAN = 1.25
"""The mean waits differ by at most this factor."""
ALIKE_RANKS = 0.6
"""The rank correlation of the waits is at least this."""
ALIKE_SHARES = 0.1
"""The shares of jobs that wait at most so long differ nowhere by more than this."""
HARDLY = 60.0
"""Seconds: of mean waits below this nobody would say that jobs wait, nor compare them."""


def answer_of(
    real: "Waits", simulated: "Waits", *, ranks: float | None, apart: float, work_beyond: float
) -> Answer:
    """Say what the figures of a comparison mean.

    Parameters
    ----------
    real, simulated
        How long the same jobs waited.
    ranks
        Rank correlation of the waits.
    apart
        Kolmogorov's distance of their distributions.
    work_beyond
        Share of the recorded work that lies above the machine's size.
    """
    if work_beyond > MOST_BEYOND:
        return "impossible"
    if max(real.mean, simulated.mean) < HARDLY:
        return "little"
    if simulated.mean * ALIKE_MEAN < real.mean:
        return "shorter"
    if simulated.mean > real.mean * ALIKE_MEAN:
        return "longer"
    return "alike" if (ranks or 0.0) >= ALIKE_RANKS and apart <= ALIKE_SHARES else "others"
