"""Constants and arithmetic that must stay Python when the core is compiled."""

NEVER = float("inf")
"""A date that never comes, or an unknown run time, in seconds."""

HEAD, QUEUE, BACKFILLED = "head", "queue", "backfilled"
"""The ways in which a job is started; see `Job.started_as`."""


def whole_times(part: float, duration: float) -> float:
    """Return how often a part fits wholly into a duration. C would round the quotient first.

    Examples
    --------
    >>> whole_times(1.1, 5.5)
    4.0
    """
    return duration // part


def shifted(mask: int, places: int) -> int:
    """Return a bit mask shifted to the left. C would lose bits beyond the 63rd."""
    return mask << places
