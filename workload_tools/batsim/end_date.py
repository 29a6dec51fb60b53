"""The end date that Batsim reports for a job."""

import math

EPSILON = 1e-5
"""Run time in Batsim of a job that took no time, in seconds."""


def end_date(start: float, now: float) -> float:
    """Return the end date of a job, in seconds.

    A job without run time ends a little after its start.

    Examples
    --------
    >>> end_date(5.0, 8.0), end_date(5.0, 5.0)
    (8.0, 5.00001)
    """
    if now > start:
        return now
    # far in the future, doubles are coarser than EPSILON
    return max(start + EPSILON, math.nextafter(start, math.inf))
