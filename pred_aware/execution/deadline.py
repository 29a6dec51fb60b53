"""Time limits of simulations and replays."""

from collections.abc import Callable
from time import monotonic


class TimeIsUp(Exception):  # noqa: N818 - not an error
    """Ends a simulation or replay at its time limit; the caller keeps finished results."""


def ends_at(until: float | None) -> Callable[[int, int], None] | None:
    """Return a `progress` function that ends a simulation at a date.

    Parameters
    ----------
    until
        The date in seconds of `time.monotonic`; ``None`` for no limit.
    """
    if until is None:
        return None

    def progress(_done: int, _of: int) -> None:
        if monotonic() >= until:
            raise TimeIsUp

    return progress
