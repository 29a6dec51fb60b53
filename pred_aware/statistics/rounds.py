"""The number of shakes: a round more until all is known to the precision asked for."""

from collections.abc import Iterable

from pred_aware.statistics.intervals import Difference

LEAST = 10
"""Fewer shakes tell too little of how much they differ to stop at them."""

ROUND = 5
"""So many are added at a time."""


def shakes_wanted(
    differences: Iterable[Difference], *, precision: float, most: int, least: int = LEAST
) -> int:
    """Return how many shakes to have made before the differences are looked at again.

    As many as there are is enough if each difference is known to the precision, or has no value,
    which no further shake gives it, or there may be no more.

    Parameters
    ----------
    differences
        Those that are to be known, over the same shakes; none where nothing was simulated yet.
    precision
        How far the interval of each may reach from its value: 0.01 is 1 % of the baseline's mean.
    most, least
        Bounds on the number of shakes.

    Examples
    --------
    >>> from pred_aware.statistics import paired_difference
    >>> shakes_wanted([], precision=0.01, most=40)
    10
    >>> found = paired_difference([100.0, 104.0] * 5, [90.0, 97.0] * 5)
    >>> shakes_wanted([found], precision=0.01, most=40)
    15
    >>> shakes_wanted([found], precision=0.02, most=40)
    10
    """
    known = [*differences]
    there = max((one.shakes for one in known), default=0)
    if there < least:
        return min(least, most)
    if there >= most or all(one.value is None or one.known_to(precision) for one in known):
        return there
    return min(there + ROUND, most)
