"""Dates as whole numbers, so that sums and comparisons are exact, as batsched's are."""

SCALE = 1074
"""Every double is a multiple of 2 to the power of minus this."""


def exact(seconds: float) -> int:
    """Return a double as a whole number of 2^-1074 s.

    Examples
    --------
    >>> exact(0.1) + exact(0.2) < exact(0.1 + 0.2)
    True
    """
    numerator, denominator = seconds.as_integer_ratio()
    return numerator << (SCALE + 1 - denominator.bit_length())


def in_seconds(date: int) -> float:
    """Return a whole number of 2^-1074 s as the double that is nearest to it.

    Examples
    --------
    >>> in_seconds(exact(0.1) + exact(0.2))
    0.30000000000000004
    """
    return date / (1 << SCALE)
