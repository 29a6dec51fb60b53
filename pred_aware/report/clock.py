"""Dates of a log in the machine's time zone."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError
from pred_aware.report.plural import counted
from workload_tools.time_zone import known_zone

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def in_utc(date: float) -> str:
    """Write a Unix time as a date. A time beyond the calendar is written in seconds.

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
"""The Unix time of the year 3000."""
_MONDAY = 4 * DAY  # second 0 of Unix dates is a Thursday


@dataclass(frozen=True, slots=True)
class LogClock:
    """Converts seconds of a log to dates.

    Examples
    --------
    >>> clock = make_clock(843480031.0, "Europe/Stockholm")
    >>> clock.date(0.0)
    '1996-09-23 14:00'
    """

    second_0: float | None
    """The Unix time of the log's second 0; ``None`` if the log does not have it."""
    zone_name: str | None
    """The log's time zone, such as ``Europe/Paris``; ``None`` if it names none."""
    zone: tzinfo
    """The time zone in use; UTC if the log's time zone is missing or unknown."""

    @property
    def knows_dates(self) -> bool:
        """Whether the log has dates."""
        return self.second_0 is not None

    def date(self, second: float) -> str:
        """Write a date. If the log has no dates, write the day and hour since its second 0."""
        if self.second_0 is None:
            day, rest = divmod(round(second), DAY)
            return f"day {day} {rest // HOUR:02}:{rest % HOUR // 60:02}"
        return f"{self.datetime(second):%Y-%m-%d %H:%M}"

    def period(self, first: float, last: float, *, jobs: int) -> str:
        """Return a text with the period of a log and its number of jobs."""
        return f"{self.date(first)} to {self.date(last)}, {counted(jobs, 'job')}"

    def days(self, since: float, until: float) -> str:
        """Return a text with the first and last day, for values that are known only by day.

        Examples
        --------
        >>> make_clock(843480031.0, None).days(0.0, 30 * 86400.0)
        'from 1996-09-23 to 1996-10-23'
        """
        first, last = (self.date(one).rpartition(" ")[0] for one in (since, until))
        return f"from {first} to {last}"

    def datetime(self, second: float) -> datetime:
        """Return a date in the zone. If the log has no dates, second 0 is the start of 1970."""
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
        # clock changes happen at full quarters of an hour
        for job in np.flatnonzero(moved[places]).tolist():
            quarter = dates[job] // (HOUR // 4)
            local[job] = dates[job] + _offset(self.zone, int(quarter) * (HOUR // 4))
        hours: NDArray[np.int64] = ((local - _MONDAY) % WEEK // HOUR).astype(np.int64)
        return hours


# perturbed copies have nearly the same days as the log, so the cache serves all of them
@lru_cache(maxsize=1 << 16)
def _offsets(zone: tzinfo, day: int) -> tuple[float, bool]:
    """Return a zone's UTC offset at the begin of a UTC day, and whether it changes on that day."""
    begins = _offset(zone, day * DAY)
    return begins, begins != _offset(zone, (day + 1) * DAY)


def _offset(zone: tzinfo, date: int) -> float:
    # a log without dates may have times beyond the calendar
    offset = datetime.fromtimestamp(min(date, LAST_DATE), zone).utcoffset()
    return offset.total_seconds() if offset is not None else 0.0


def make_clock(
    second_0: float | None, zone_name: str | None, *, given: str | None = None
) -> LogClock:
    """Make a clock from a log's start and time zone.

    Parameters
    ----------
    second_0
        The Unix time of the log's second 0.
    zone_name
        The log's time zone.
    given
        The user's time zone. It overrides the log's time zone.

    Raises
    ------
    PredAwareError
        The user's time zone is unknown.
    """
    if given is not None:
        zone = known_zone(given)
        if zone is None:
            raise PredAwareError(
                f"unknown time zone '{given}'; give a name such as Europe/Paris or UTC"
            )
        return LogClock(second_0, given, zone)
    return LogClock(second_0, zone_name, known_zone(zone_name) or UTC)


def plausible_start(start_time: float | None, first: float, last: float) -> float | None:
    """Return the date of second 0, or ``None`` if it leads to impossible dates.

    Parameters
    ----------
    start_time
        The Unix time of second 0 that the log states.
    first, last
        Seconds of the first and the last submission.
    """
    if start_time is None:
        return None
    return start_time if start_time + first >= 0.0 and start_time + last < LAST_DATE else None
