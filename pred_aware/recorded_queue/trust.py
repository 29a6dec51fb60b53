"""How like the recorded queue a simulated one must be; docs/explanation/baseline.md says why."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from pred_aware.recorded_queue.waits import Likeness
from pred_aware.report.durations import spoken

if TYPE_CHECKING:
    from pred_aware.recorded_queue.waits import Waits

RATIOS = (0.5, 2.0)
"""Between these the mean wait is like the recorded one,"""
CLOSE = 0.85
"""and from this rank correlation on the queue is."""
EXPLAINED = 0.02
"""Where the order of the queue is known and no more of the waiting is unexplained, chance decides
which jobs wait: one start a minute later moves all that follow. There"""
FAIRLY_CLOSE, APART = 0.6, 0.1
"""this rank correlation is enough, if the distributions of the waits are no further apart."""

Verdict = Literal["fitted", "none"]


def verdict_of(
    test: Likeness, *, whole: float | None = None, unexplained: float | None = None
) -> Verdict:
    """Return what may be told of a site by a queue, judged by a part that it was not fitted on.

    Parameters
    ----------
    test
        How like the recorded queue the simulated one is.
    whole
        The mean simulated wait by the recorded one in the whole log, where it is known.
    unexplained
        The share of the waiting with free processors that no rule explains, where the order of the
        queue is known.

    Returns
    -------
    str
        ``fitted``: the change, to within `ERROR_BAR`; ``none``: no change.
    """
    near = is_near(test.ratio) and (whole is None or is_near(whole))
    alike = test.correlation >= FAIRLY_CLOSE and test.distance <= APART
    explained = unexplained is not None and unexplained <= EXPLAINED and alike
    return "fitted" if near and (test.correlation >= CLOSE or explained) else "none"


def is_near(ratio: float | None) -> bool:
    """Return whether a mean wait, by the recorded one, is like it."""
    return ratio is not None and RATIOS[0] <= ratio <= RATIOS[1]


CONSEQUENCES: Mapping[Verdict | None, str] = MappingProxyType(
    {"fitted": "the change", "none": "nothing", None: "not known"}
)
"""What may be told, for a table."""

ERROR_BAR = 7.0
"""How many points from the truth a reported change is at most, on nine of ten sites.

The second largest of 19 errors on sites that another simulator made (split conformal prediction:
Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005). See
docs/how-to/infer-site.md."""

WITHIN = (
    f"Its changes hold for this site to within some {ERROR_BAR:.0f} points; of one below "
    f"{ERROR_BAR:.0f} % the direction is unknown."
)
"""How far changes on such a base can be believed."""


UNKNOWN_CHANGE = "How much another scheduler would change this site's waits is unknown."


def waits_of(test: Likeness, part: str = "second half of the log") -> str:
    """Return how long jobs waited in a part of the log, recorded and simulated, as a clause."""
    if test.simulated is None:
        return f"in the {part} no job waited"
    return (
        f"in the {part} a job waits {spoken(test.simulated)} on average in "
        f"the simulation, and waited {spoken(test.recorded)} (rank correlation "
        f"{test.correlation:.2f})"
    )


def sentence_of(verdict: Verdict, test: Likeness) -> str:
    """Return what may be told of a site, and why, for somebody who decides."""
    if verdict == "none":
        return f"The simulated queue is not yours: {waits_of(test)}. {UNKNOWN_CHANGE}"
    return f"The simulated queue is near enough to yours: {waits_of(test)}. {WITHIN}"


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
