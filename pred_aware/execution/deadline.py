"""The date at which the time for something is up."""

from collections.abc import Callable
from time import monotonic


class TimeIsUp(Exception):  # noqa: N818 - no error
    """Ends what is simulated or replayed; what was made stays."""


def ends_at(until: float | None) -> Callable[[int, int], None] | None:
    """Return what ends a simulation, as its `progress`, when the time is up.

    Parameters
    ----------
    until
        The date, by the monotonic clock; ``None``: it may take as long as it takes.
    """
    if until is None:
        return None

    def progress(_done: int, _of: int) -> None:
        if monotonic() >= until:
            raise TimeIsUp

    return progress
