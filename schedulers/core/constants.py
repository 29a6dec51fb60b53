"""What stays Python's where the rest of the core is compiled."""

NEVER = float("inf")
"""A date that never comes, and a run time of which nothing is known; in seconds."""

HEAD, QUEUE, BACKFILLED = "head", "queue", "backfilled"
"""The ways in which a job is started; see `Job.started_as`."""


def whole_times(part: float, duration: float) -> float:
    """Return how many whole times a part is in a duration: C would round the quotient first.

    Examples
    --------
    >>> whole_times(1.1, 5.5)
    4.0
    """
    return duration // part


def shifted(mask: int, places: int) -> int:
    """Return a bit mask moved to the left: C would lose what is beyond 63 bits."""
    return mask << places
