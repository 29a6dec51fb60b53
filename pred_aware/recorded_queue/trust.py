"""Whether a simulated queue is so much like the recorded one that its changes may be told."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pred_aware.recorded_queue.likeness import Likeness
from pred_aware.report.durations import spoken

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


def verdict_of(test: Likeness, *, unexplained: float | None = None) -> Verdict:
    """Return what may be told of a site by a queue, judged by a part that it was not fitted on.

    Parameters
    ----------
    test
        How like the recorded queue the simulated one is.
    unexplained
        The share of the waiting with free processors that no rule explains, where the order of the
        queue is known.

    Returns
    -------
    str
        ``fitted``: the change, to within `ERROR_BAR`; ``none``: no change.
    """
    near = is_near(test.ratio)
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


def waits_of(test: Likeness, note: str = "") -> str:
    """Return how long jobs waited in the second half, recorded and simulated, as a clause."""
    if test.simulated is None:
        return "in the second half of the log no job waited"
    return (
        f"in the second half of the log{note} a job waits {spoken(test.simulated)} on average in "
        f"the simulation, and waited {spoken(test.recorded)} (rank correlation "
        f"{test.correlation:.2f})"
    )


def sentence_of(verdict: Verdict, test: Likeness) -> str:
    """Return what may be told of a site, and why, for somebody who decides."""
    if verdict == "none":
        return (
            f"The simulated queue is not yours: {waits_of(test)}. How much another scheduler would "
            "change this site's waits cannot be said."
        )
    return f"The simulated queue is near enough to yours: {waits_of(test)}. {WITHIN}"
