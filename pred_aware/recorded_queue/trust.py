"""Whether a simulated queue is so much like the recorded one that its changes may be told."""

from collections.abc import Iterable, Mapping
from math import ceil, inf
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
        ``fitted``: the change; ``about``: the change of another queue, which is nearly as long and
        in which mostly the same jobs wait; both within their `error_bar`; ``none``: no change.
    """
    if not RATIOS[0] <= test.ratio <= RATIOS[1] or test.correlation < FAIR:
        return "none"
    return "fitted" if test.correlation >= CLOSE else "about"


CONSEQUENCES: Mapping[Verdict | None, str] = MappingProxyType(
    {"fitted": "the change", "about": "about", "none": "nothing", None: "not known"}
)
"""What may be told, for a table."""
COVERED = 0.9
"""Share of the told changes that are to be within the error bar."""
PLANTED: Mapping[Verdict, tuple[float, ...]] = MappingProxyType(
    {
        "fitted": (
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0000,
            0.0002,
            0.0003,
            0.0003,
            0.0007,
            0.0019,
            0.0019,
            0.0019,
            0.0027,
            0.0036,
            0.0065,
            0.0161,
            0.0199,
        ),
        "about": (
            0.0112,
            0.0190,
            0.0207,
            0.0224,
            0.0226,
            0.0540,
            0.2023,
        ),
    }
)
"""How far from the truth changes were told on planted sites, by verdict, as shares of EASY's mean
wait: the table of docs/how-to/infer-site.md."""
LEAST: Mapping[Verdict, float] = MappingProxyType({"fitted": 0.05, "about": 0.1})
"""Below this nothing is believed: errors of four logs alone are too small for a fifth."""


def error_bar(verdict: Verdict, errors: Iterable[float] = ()) -> float | None:
    """Return how far from the truth nine of ten changes are told at most by such a base.

    With as many errors of sites alike, the next one is within it as often as asked (split conformal
    prediction: Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005).

    Parameters
    ----------
    verdict
        What may be told by the base.
    errors
        Of sites with the user's own jobs, as shares of EASY's mean wait: beside those of the logs
        that were tried before.

    Returns
    -------
    float or None
        A share of EASY's mean wait; ``None`` where nothing is told.

    Examples
    --------
    >>> error_bar("none") is None
    True
    """
    if verdict == "none":
        return None
    every = sorted([*PLANTED[verdict], *errors])
    place = ceil((len(every) + 1) * COVERED)
    return max(LEAST[verdict], every[min(place, len(every)) - 1])


def points_of(verdict: Verdict) -> float:
    """Return the error bar in points, without sites of the user's own; infinite for ``none``."""
    bar = error_bar(verdict)
    return inf if bar is None else 100.0 * bar


def within(verdict: Verdict) -> str:
    """Return how far changes on such a base can be believed, in a sentence."""
    points = points_of(verdict)
    return (
        f"Its changes may be told of this site, within some {points:.0f} points; of one below "
        f"{points:.0f} % nobody knows the sign."
    )


def sentence_of(verdict: Verdict, test: Likeness) -> str:
    """Return what may be told of a site, and why, for somebody who decides."""
    beside = "in the second half of the log nobody waited"
    if test.recorded:
        beside = (
            f"in the second half of the log a job waits {spoken(test.ratio * test.recorded)} on "
            f"average in the simulation, and waited {spoken(test.recorded)} (rank correlation "
            f"{test.correlation:.2f})"
        )
    return {
        "fitted": f"The simulated queue is near enough to yours: {beside}. {within(verdict)}",
        "about": f"The simulated queue is only about yours: {beside}. {within(verdict)}",
        "none": f"The simulated queue is not yours: {beside}. By how much another scheduler "
        "would change the waits of this site can't be told.",
    }[verdict]
