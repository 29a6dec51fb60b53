"""When Batsim says that a job has ended."""

import math

EPSILON = 1e-5
"""Batsim's run time of a job that took none, in seconds."""


def end_date(start: float, now: float) -> float:
    """Return the date of an end at `now`, in seconds: a little later for a job that took no time.

    Examples
    --------
    >>> end_date(5.0, 8.0), end_date(5.0, 5.0)
    (8.0, 5.00001)
    """
    if now > start:
        return now
    # in the far future a double is coarser than that
    return max(start + EPSILON, math.nextafter(start, math.inf))
