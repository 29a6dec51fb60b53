"""Dates as people write them."""

import time


def in_utc(date: float) -> str:
    """Write a Unix date; one that no calendar has, as it is.

    Examples
    --------
    >>> in_utc(1709280000.0), in_utc(1e300)
    ('2024-03-01 08:00 UTC', 'second 1e+300')
    """
    try:
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(date))
    except (OverflowError, ValueError, OSError):
        return f"second {date:g}"
