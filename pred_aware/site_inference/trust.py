"""Whether a simulated queue is so much like the recorded one that its changes may be told."""

from typing import Literal

from pred_aware.site_inference.likeness import Likeness

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
