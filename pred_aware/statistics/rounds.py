"""The number of perturbed copies: rounds are added until the requested precision is reached."""

from collections.abc import Iterable

from pred_aware.statistics.intervals import Difference

LEAST = 10
"""Fewest perturbed copies; fewer do not show their variation well enough."""

ROUND = 5
"""Number of copies added at a time."""


def shakes_wanted(
    differences: Iterable[Difference], *, precision: float, most: int, least: int = LEAST
) -> int:
    """Return the number of perturbed copies to make before the next check of the differences.

    The current number suffices if each difference is known to the precision or has no value (more
    copies cannot change that), or if the maximum is reached.

    Parameters
    ----------
    differences
        The differences, over the same perturbed copies; empty before the first simulation.
    precision
        Largest half-width of each interval: 0.01 is 1 % of the baseline's mean.
    most, least
        Largest and smallest number of perturbed copies.

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
