"""The error bar of a base: how far off its told changes were on sites whose truth was known."""

from collections.abc import Iterable, Mapping
from math import ceil
from types import MappingProxyType

from pred_aware.recorded_queue.trust import Verdict

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
