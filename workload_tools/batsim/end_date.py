"""The end date that Batsim reports for a job."""

import math

EPSILON = 1e-5
"""Run time, in seconds, that Batsim gives a job whose run time is 0."""


def end_date(start: float, now: float) -> float:
    """Return the end date of a job, in seconds.

    A job whose run time is 0 ends `EPSILON` seconds after its start.

    Examples
    --------
    >>> end_date(5.0, 8.0), end_date(5.0, 5.0)
    (8.0, 5.00001)
    """
    if now > start:
        return now
    # at late dates, the next larger double is more than EPSILON away
    return max(start + EPSILON, math.nextafter(start, math.inf))
