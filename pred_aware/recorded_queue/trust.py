"""Whether a simulated queue is so much like the recorded one that its changes may be told."""

from collections.abc import Iterable, Mapping
from math import ceil
from types import MappingProxyType
from typing import Literal

from pred_aware.recorded_queue.likeness import Likeness
from pred_aware.report.durations import spoken

RATIOS = (0.5, 2.0)
"""Between these the mean wait is like the recorded one,"""
CLOSE, FAIR = 0.85, 0.5
"""and from such rank correlations on a queue is close to the recorded one, or fairly so: see
`ERRORS`."""

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
Ground = Literal["rules", "bare"]
"""What a change is told by: ``rules`` with which the queue is near enough to the recorded one;
``bare``: a machine without rules, or with rules that leave much, though its queue is near."""

COVERED = 0.9
"""Share of the told changes that are to be within the error bar."""
ERRORS: Mapping[Ground, tuple[float, ...]] = MappingProxyType(
    {
        "rules": (
            *(0.0,) * 33, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.3, 0.5, 0.5, 0.6, 0.6,
            0.9, 1.0, 1.2, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.3, 2.7, 2.9, 3.2, 4.0,
            4.9, 5.3, 11.4, 11.8, 11.8, 21.5, 24.5,
        ),
        "bare": (
            0.0, 0.4, 0.5, 0.9, 1.5, 1.6, 1.9, 2.5, 3.6, 3.7, 5.2, 5.9, 6.3, 7.8,
            11.8, 12.1, 14.1, 14.3, 14.7, 15.6, 17.8, 18.2, 19.1, 20.1, 22.3, 22.4,
            23.4, 25.2, 26.5, 28.0, 28.5, 28.9, 29.1, 30.7, 37.8, 38.3, 39.1,
        ),
    }
)  # fmt: skip
"""How far from the truth changes were told, in points of the baseline's mean wait, on sites that
were drawn: the tables of docs/how-to/infer-site.md."""
LEAST = 5.0
"""Points below which nothing is believed: errors of a few sites are too small for others."""


def ground_of(verdict: Verdict, *, rules: bool) -> Ground | None:
    """Return what a change is told by; ``None`` where none is.

    Parameters
    ----------
    verdict
        What may be told by the queue.
    rules
        Whether the machine has any.
    """
    if verdict == "none":
        return None
    return "rules" if rules and verdict == "fitted" else "bare"


def error_bar(ground: Ground, errors: Iterable[float] = ()) -> float:
    """Return how many points from the truth nine of ten changes are told at most.

    With as many errors of sites alike, the next one is within it as often as asked (split conformal
    prediction: Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005).

    Parameters
    ----------
    ground
        What the change is told by.
    errors
        Of sites with the user's own jobs, in points: beside those of the logs that were tried
        before.

    Examples
    --------
    >>> error_bar("rules"), error_bar("bare"), error_bar("bare", [0.5] * 20)
    (5.3, 37.8, 29.1)
    """
    every = sorted([*ERRORS[ground], *errors])
    place = ceil((len(every) + 1) * COVERED)
    return max(LEAST, every[min(place, len(every)) - 1])


def within(ground: Ground) -> str:
    """Return how far changes on such a base can be believed, in a sentence."""
    points = error_bar(ground)
    its = "But no rules make it so, and its" if ground == "bare" else "Its"
    return (
        f"{its} changes hold for this site to within some {points:.0f} points; of one below "
        f"{points:.0f} % nobody knows the direction."
    )


def sentence_of(verdict: Verdict, test: Likeness, ground: Ground | None) -> str:
    """Return what may be told of a site, and why, for somebody who decides."""
    beside = "in the second half of the log nobody waited"
    if test.simulated is not None:
        beside = (
            f"in the second half of the log a job waits {spoken(test.simulated)} on "
            f"average in the simulation, and waited {spoken(test.recorded)} (rank correlation "
            f"{test.correlation:.2f})"
        )
    if ground is None:
        return (
            f"The simulated queue is not yours: {beside}. How much another scheduler would "
            "change this site's waits cannot be said."
        )
    near = "near enough to" if verdict == "fitted" else "only roughly"
    return f"The simulated queue is {near} yours: {beside}. {within(ground)}"
