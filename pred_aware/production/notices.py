"""Notices for the operator: failures, and whether they are over."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pred_aware.report.plural import counted

AGAIN = 60.0
"""Seconds between two log lines about a continuing failure."""


@dataclass(slots=True)
class _Noted:
    at: float = -math.inf
    untold: int = 0
    last: str = ""


class Failures:
    """Failures by operation; the log gets at most one line a minute for each operation.

    Examples
    --------
    >>> failures = Failures()
    >>> failures.add("feed", "no folder", date=1e9, now=0.0)
    'feed: no folder'
    >>> failures.add("feed", "no folder", date=1e9 + 5, now=5.0)
    >>> failures.due(now=60.0)
    ['feed: 1 more failure, the last: no folder']
    >>> failures.works("feed")
    >>> failures.failing, failures.last, failures.last_date
    ([], 'no folder', 1000000005.0)
    """

    def __init__(self) -> None:
        self.last: str | None = None
        self.last_date: float | None = None
        self._failing: set[str] = set()
        self._told: dict[str, _Noted] = {}

    @property
    def failing(self) -> list[str]:
        """Operations that failed and have not succeeded since."""
        return sorted(self._failing)

    def add(self, what: str, message: str, *, date: float, now: float) -> str | None:
        """Record a failure; return a line for the log, if one is due.

        Parameters
        ----------
        what
            The operation.
        message
            The error.
        date, now
            A Unix date, and seconds of a monotonic clock.
        """
        self.last, self.last_date = message, date
        self._failing.add(what)
        told = self._told.setdefault(what, _Noted())
        if now - told.at < AGAIN:
            told.untold += 1
            told.last = message
            return None
        told.at = now
        return f"{what}: {message}"

    def works(self, what: str) -> None:
        """Record that an operation succeeded."""
        self._failing.discard(what)

    def due(self, *, now: float) -> list[str]:
        """Return lines for the log about failures since the last line."""
        lines = []
        for what, told in self._told.items():
            if told.untold and now - told.at >= AGAIN:
                lines.append(
                    f"{what}: {counted(told.untold, 'more failure')}, the last: {told.last}"
                )
                told.at, told.untold = now, 0
        return lines


def in_a_day(counts: Mapping[str, int], outlived: float | None) -> str:
    """Return a summary of a day, for the log.

    Parameters
    ----------
    counts
        The day's counts.
    outlived
        Share of recent jobs that ran longer than their estimates.

    Examples
    --------
    >>> in_a_day({"ended": 5321, "estimates": 7200}, 0.09)
    'in a day: 5,321 jobs, 7,200 estimates, 0 failures; 9 % of the last jobs outlived theirs'
    """
    done = ", ".join(
        counted(counts.get(name, 0), word)
        for name, word in (("ended", "job"), ("estimates", "estimate"), ("failed", "failure"))
    )
    share = "" if outlived is None else f"; {100 * outlived:.0f} % of the last jobs outlived theirs"
    return f"in a day: {done}{share}"
