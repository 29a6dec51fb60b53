"""The time that a study has, in wall-clock seconds."""

from collections.abc import Callable
from time import monotonic

from pred_aware.study.request import StudyEffort

LEAST = 2.0
"""Seconds that are kept at least for what is still to be done."""


class Budget:
    """How much of its time a study has spent.

    Parameters
    ----------
    effort
        What it was given; no limit where shakes were asked for.
    began
        When it began, by the monotonic clock.
    """

    def __init__(self, effort: StudyEffort, began: float) -> None:
        self._began = began
        self._seconds = None if effort.shakes is not None else effort.seconds

    @property
    def spent(self) -> float:
        """Seconds since it began."""
        return monotonic() - self._began

    def until(self, kept: float) -> float | None:
        """Return the date by which to end so that seconds are left; ``None`` without a limit."""
        if self._seconds is None:
            return None
        return self._began + self._seconds - max(LEAST, kept)

    def share(self, share: float) -> float | None:
        """Return a share of its seconds; ``None`` without a limit."""
        return None if self._seconds is None else share * self._seconds


class TimeIsUp(Exception):  # noqa: N818 - no error
    """Ends what is simulated; what was made stays."""


def ends_at(until: float | None) -> Callable[[int, int], None] | None:
    """Return what ends a simulation when the time is up."""
    if until is None:
        return None

    def progress(_done: int, _of: int) -> None:
        if monotonic() >= until:
            raise TimeIsUp

    return progress
