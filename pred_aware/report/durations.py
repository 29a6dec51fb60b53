"""Write durations for people."""

MINUTE = 60.0
HOUR = 3600.0
DAY = 86400.0
_SAME = 1e-6
"""Durations that differ by less than this, in seconds, are equal. Files contain six decimals."""


def timespan(seconds: float) -> str:
    """Write a duration in its two largest units.

    From one minute on, the rounding error is at most one percent, so readers can compute with the
    text. Days are therefore used only from two days on, and for exactly one day.

    Examples
    --------
    >>> [timespan(seconds) for seconds in (0.0042, 0.4, 59.7, 754, 4980, 152000, -754)]
    ['4.2 ms', '0.4 s', '60 s', '12 min 34 s', '1 h 23 min', '42 h 13 min', '-12 min 34 s']
    >>> [timespan(seconds) for seconds in (86400, 187000, 1e6, 6e6, 1e7)]
    ['1 d', '2 d 4 h', '11 d 14 h', '69 d', '116 d']
    """
    if seconds < 0:
        return f"-{timespan(-seconds)}"
    if 0 < seconds < 0.1:  # noqa: PLR2004 - tenths of a second would be too coarse
        return f"{1000 * seconds:.2g} ms"
    if seconds < 10:  # noqa: PLR2004 - below 10 s, tenths matter
        return f"{seconds:.1f} s"
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    for unit, name, part, part_name in (
        (MINUTE, "min", 1.0, "s"),
        (HOUR, "h", MINUTE, "min"),
        (DAY, "d", HOUR, "h"),
    ):
        limit = {"min": HOUR, "h": 2 * DAY if seconds % DAY else DAY, "d": 50 * DAY}[name]
        whole, rest = divmod(round(seconds / part), round(unit / part))
        if seconds < limit:
            return f"{whole} {name} {rest} {part_name}" if rest else f"{whole} {name}"
    return f"{seconds / DAY:.0f} d"


def signed(seconds: float) -> str:
    """Write a difference of durations with its sign.

    Examples
    --------
    >>> [signed(seconds) for seconds in (-4980.0, 30.0, 0.0)]
    ['-1 h 23 min', '+30 s', 'the same']
    """
    if abs(seconds) < _SAME:
        return "the same"
    return f"{'+' if seconds > 0.0 else '-'}{timespan(abs(seconds))}"
