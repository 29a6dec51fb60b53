"""Dates of a log in its machine's time zone."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pred_aware.errors import PredAwareError
from pred_aware.report.plural import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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


HOUR = 3600
DAY = 86400
WEEK = 7 * DAY
LAST_DATE = 32503680000.0
"""Unix date of the year 3000."""
_MONDAY = 4 * DAY  # second 0 of Unix dates is a Thursday


@dataclass(frozen=True, slots=True)
class LogClock:
    """Seconds of a log to dates.

    Examples
    --------
    >>> clock = make_clock(843480031.0, "Europe/Stockholm")
    >>> clock.date(0.0)
    '1996-09-23 14:00'
    """

    second_0: float | None
    """Unix date of the log's second 0; ``None`` when the log does not tell."""
    zone_name: str | None
    """The time zone that the log names, such as ``Europe/Paris``; ``None`` without one."""
    zone: tzinfo
    """That zone; UTC without one, or with one that nobody knows."""

    @property
    def knows_dates(self) -> bool:
        """Whether the log tells its dates."""
        return self.second_0 is not None

    def date(self, second: float) -> str:
        """Write a date; without dates in the log, the day and hour counted from its second 0."""
        if self.second_0 is None:
            day, rest = divmod(round(second), DAY)
            return f"day {day} {rest // HOUR:02}:{rest % HOUR // 60:02}"
        return f"{self.datetime(second):%Y-%m-%d %H:%M}"

    def period(self, first: float, last: float, *, jobs: int) -> str:
        """Say from when to when a log goes, and how many jobs it has."""
        return f"{self.date(first)} to {self.date(last)}, {counted(jobs, 'job')}"

    def days(self, since: float, until: float) -> str:
        """Say from which day to which, for what is known to a day at best.

        Examples
        --------
        >>> make_clock(843480031.0, None).days(0.0, 30 * 86400.0)
        'from 1996-09-23 to 1996-10-23'
        """
        first, last = (self.date(one).rpartition(" ")[0] for one in (since, until))
        return f"from {first} to {last}"

    def datetime(self, second: float) -> datetime:
        """Return a date in the zone; without dates in the log, as if it began in 1970."""
        return datetime.fromtimestamp((self.second_0 or 0.0) + second, self.zone)

    def hours_of_week(self, seconds: "NDArray[np.float64]") -> "NDArray[np.int64]":
        """Return the hour of the week of each second: 0 is Monday from 0:00 to 1:00."""
        import numpy as np

        dates = seconds + (self.second_0 or 0.0)
        days, places = np.unique((dates // DAY).astype(np.int64), return_inverse=True)
        offsets, moved = (
            np.array([_offsets(self.zone, day) for day in days.tolist()]).reshape(-1, 2).T
        )
        local = dates + offsets[places]
        # clocks are changed at whole quarters of an hour
        for job in np.flatnonzero(moved[places]).tolist():
            quarter = dates[job] // (HOUR // 4)
            local[job] = dates[job] + _offset(self.zone, int(quarter) * (HOUR // 4))
        hours: NDArray[np.int64] = ((local - _MONDAY) % WEEK // HOUR).astype(np.int64)
        return hours


# shakes of a log have nearly all of its days
@lru_cache(maxsize=1 << 16)
def _offsets(zone: tzinfo, day: int) -> tuple[float, bool]:
    """Return how far a zone is ahead when a day begins in UTC, and whether that is to its end."""
    begins = _offset(zone, day * DAY)
    return begins, begins != _offset(zone, (day + 1) * DAY)


def _offset(zone: tzinfo, date: int) -> float:
    # a date that no calendar has, which a log without dates may have
    offset = datetime.fromtimestamp(min(date, LAST_DATE), zone).utcoffset()
    return offset.total_seconds() if offset is not None else 0.0


def make_clock(
    second_0: float | None, zone_name: str | None, *, given: str | None = None
) -> LogClock:
    """Make a clock of what a log tells.

    Parameters
    ----------
    second_0
        Unix date of the log's second 0.
    zone_name
        The time zone that the log names.
    given
        The time zone that the user names; it comes first.

    Raises
    ------
    PredAwareError
        The user's time zone is unknown.
    """
    if given is not None:
        zone = _zone(given)
        if zone is None:
            raise PredAwareError(
                f"unknown time zone '{given}'; give a name such as Europe/Paris or UTC"
            )
        return LogClock(second_0, given, zone)
    return LogClock(second_0, zone_name, _zone(zone_name) or UTC)


def believed(start_time: float | None, first: float, last: float) -> float | None:
    """Return the date of second 0, unless it gives dates that no log can have.

    Parameters
    ----------
    start_time
        Unix date of the log's second 0, as the log tells.
    first, last
        Seconds of the first and the last submission.
    """
    if start_time is None:
        return None
    return start_time if start_time + first >= 0.0 and start_time + last < LAST_DATE else None


def _zone(name: str | None) -> tzinfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
