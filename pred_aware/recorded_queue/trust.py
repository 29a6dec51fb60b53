"""Whether a simulated queue is so much like the recorded one that its changes may be told."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pred_aware.recorded_queue.likeness import Likeness
from pred_aware.report.durations import spoken

RATIOS = (0.5, 2.0)
"""Between these the mean wait is like the recorded one,"""
CLOSE, FAIR = 0.85, 0.5
"""and from such rank correlations on a queue is close to the recorded one, or fairly so. On sites
whose truth was known, the error of the told change was 3 points above the one, 11 at most; below
0.7 it was as large as that of a machine without rules."""

Verdict = Literal["fitted", "about", "none"]


def verdict_of(test: Likeness) -> Verdict:
    """Return what may be told of a site by a queue, judged by a part that it was not fitted on.

    Returns
    -------
    str
        ``fitted``: the change; ``about``: the change within some 10 points, and no sign of one
        below 10; ``none``: no change.
    """
    if not RATIOS[0] <= test.ratio <= RATIOS[1] or test.correlation < FAIR:
        return "none"
    return "fitted" if test.correlation >= CLOSE else "about"


CONSEQUENCES: Mapping[Verdict | None, str] = MappingProxyType(
    {"fitted": "the change", "about": "about", "none": "nothing", None: "not known"}
)
"""What may be told, for a table."""
POINTS = 10.0
"""By so many points a change may be wrong on a base that is about the site's queue; the sign of a
smaller one nobody knows."""


def sentence_of(verdict: Verdict, test: Likeness) -> str:
    """Return what may be told of a site, and why, for somebody who decides."""
    beside = "in the second half of the log nobody waited"
    if test.simulated is not None:
        beside = (
            f"in the second half of the log a job waits {spoken(test.simulated)} on "
            f"average in the simulation, and waited {spoken(test.recorded)} (rank correlation "
            f"{test.correlation:.2f})"
        )
    return {
        "fitted": f"The simulated queue is near enough to yours: {beside}. Its changes hold for "
        "this site.",
        "about": f"The simulated queue is only roughly yours: {beside}. Its changes hold to within "
        f"some {POINTS:.0f} points; of one below {POINTS:.0f} % nobody knows the direction.",
        "none": f"The simulated queue is not yours: {beside}. How much another scheduler would "
        "change this site's waits cannot be said.",
    }[verdict]
