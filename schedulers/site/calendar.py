"""The calendar of a site: dates as seconds of the workload, and hours of the week."""

import math
import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from schedulers.core.machine import NEVER
from schedulers.site.site import Date, SiteError
from workload_tools.batsim.workload import LATEST

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_TIME = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)")
_DURATION = re.compile(r"(?:(\d+)-)?(\d+):([0-5]\d)(?::([0-5]\d))?")
DAY = 86400.0
_LAST = datetime(9999, 12, 20, tzinfo=UTC).timestamp()
"""The last Unix second used. Calculations also need the next ten days, which Python supports."""
_FIRST_YEAR, _LAST_YEAR = 1900, 9999


def zone_named(name: str | None) -> tzinfo:
    """Return a time zone by its IANA name. Without a name, return UTC.

    Raises
    ------
    SiteError
        The zone does not exist.
    """
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SiteError(f"time_zone is '{name}', which is not an IANA name of a zone") from error


def days_of(text: str) -> frozenset[int]:
    """Return the days of the week (Monday is 0) in text such as ``Mon-Fri`` or ``Sat,Sun``.

    Raises
    ------
    SiteError
        The text is not in this form.

    Examples
    --------
    >>> sorted(days_of("Sat-Mon")), sorted(days_of("Tue,Fri"))
    ([0, 5, 6], [1, 4])
    """
    found: set[int] = set()
    for part in text.split(","):
        ends = [end.strip().capitalize() for end in part.split("-")]
        if len(ends) > 2 or any(end not in DAYS for end in ends):  # noqa: PLR2004 - a range
            raise SiteError(f"days is '{text}'; give days such as Mon-Fri or Sat,Sun")
        first, last = DAYS.index(ends[0]), DAYS.index(ends[-1])
        found |= {day % 7 for day in range(first, last + 1 if last >= first else last + 8)}
    return frozenset(found)


def time_of(text: str) -> float:
    """Return a time of the day in seconds, or raise a `SiteError`.

    Examples
    --------
    >>> time_of("08:30"), time_of("24:00")
    (30600.0, 86400.0)
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or (seconds := int(match[1]) * 3600.0 + int(match[2]) * 60.0) > DAY:
        raise SiteError(f"'{text}' is not a time of day such as 08:30")
    return seconds


def duration_of(text: str) -> float:
    """Return a duration ``D-HH:MM:SS``, ``HH:MM:SS`` or ``HH:MM`` in seconds.

    Raises
    ------
    SiteError
        The text is not in one of these forms.

    Examples
    --------
    >>> duration_of("1-00:00:30"), duration_of("36:00")
    (86430.0, 129600.0)
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise SiteError(f"'{text}'; it must be a duration such as 24:00:00, or seconds")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60.0 + seconds


class Calendar:
    """Converts a site's dates to seconds of the workload.

    The time zone is an IANA name, or ``None`` for UTC. `start` is the calendar date of the
    workload's second 0. If `start` is ``None``, calendar dates are an error.

    Examples
    --------
    >>> calendar = Calendar("Europe/Stockholm", datetime(1996, 9, 23, 12))
    >>> calendar.seconds(datetime(1996, 9, 23, 17)), calendar.seconds(60.0)
    (18000.0, 60.0)
    """

    def __init__(self, time_zone: str | None, start: datetime | None) -> None:
        self.zone = zone_named(time_zone)
        self.unix_start = None if start is None else self._unix(start)
        """The Unix date of the workload's second 0; ``None`` if it is unknown."""

    def _unix(self, date: datetime) -> float:
        if not _FIRST_YEAR <= date.year <= _LAST_YEAR:
            raise SiteError(f"{date} is not between the years {_FIRST_YEAR} and {_LAST_YEAR}")
        aware = date if date.tzinfo is not None else date.replace(tzinfo=self.zone)
        return aware.timestamp()

    def ordinal(self, date: Date) -> float:
        """Return a number by which calendar dates, or dates in seconds, can be compared."""
        return self._unix(date) if isinstance(date, datetime) else date

    def seconds(self, date: Date) -> float:
        """Return a date in seconds of the workload, or infinity if no job can be so late.

        Raises
        ------
        SiteError
            The date is a calendar date and the start of the workload is unknown, or the year is not
            in 1900 to 9999.
        """
        if not isinstance(date, datetime):
            return float(date) if abs(date) <= LATEST else math.copysign(math.inf, date)
        return self._unix(date) - self._known_start()

    def _known_start(self) -> float:
        if self.unix_start is None:
            raise SiteError(
                "the site has dates or hours, but the workload does not say when it begins: "
                "add a line such as start = 2026-01-31T00:00:00 to the site's file"
            )
        return self.unix_start

    def day(self, now: float) -> date:
        """Return the calendar day of a date in seconds."""
        return datetime.fromtimestamp(min(self._known_start() + now, _LAST), self.zone).date()

    def of_week(self, now: float) -> tuple[int, float]:
        """Return the day of the week (Monday 0) and the second of the day at a date in seconds."""
        local = datetime.fromtimestamp(min(self._known_start() + now, _LAST), self.zone)
        second = local.hour * 3600.0 + local.minute * 60.0 + local.second
        return local.weekday(), second + local.microsecond / 1e6

    def next_time(self, now: float, days: frozenset[int], second: float) -> float:
        """Return the first date after now that has this time of day on one of these days.

        `second` is the time of day. `now` and the result are in seconds of the workload. Return
        `NEVER` if there is no such date before the calendar ends in the year 9999.
        """
        start = self._known_start()
        if start + now > _LAST:
            return NEVER
        local = datetime.fromtimestamp(start + now, self.zone)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        for ahead in range(9):
            day = midnight + timedelta(days=ahead)
            if day.weekday() in days:
                # use the local clock, because a day can have 23 or 25 hours
                for date in self._dates_of(day + timedelta(seconds=second)):
                    if date - start > now:
                        return date - start
        return NEVER

    def _dates_of(self, wall: datetime) -> list[float]:
        """Return the dates at which the local clock shows a time, ascending, in Unix seconds.

        A time in the hour that is repeated in autumn has two dates. For a time in the hour that is
        skipped in spring, return the date of the clock change.
        """
        first, second = wall.replace(fold=0).timestamp(), wall.replace(fold=1).timestamp()
        if first > second:
            return [self._change_between(second, first)]
        return [first] if first == second else [first, second]

    def next_clock_change(self, now: float, until: float) -> float | None:
        """Return the date between `now` and `until` at which the local clock changes, or ``None``.

        Dates are in seconds. The interval must be so short that it has at most one change.
        """
        start = self._known_start()
        if until == NEVER or self._offset(start + now) == self._offset(start + until):
            return None
        return self._change_between(start + now, start + until) - start

    def _offset(self, unix: float) -> timedelta | None:
        return datetime.fromtimestamp(min(unix, _LAST), self.zone).utcoffset()

    def _change_between(self, first: float, last: float) -> float:
        """Return the first Unix second that has the same offset from UTC as `last`."""
        before, after = math.floor(first), math.ceil(last)
        offset = self._offset(after)
        while after - before > 1:
            middle = (before + after) // 2
            if self._offset(middle) == offset:
                after = middle
            else:
                before = middle
        return float(after)


def hours_of(text: str) -> tuple[float, float]:
    """Return begin and end of the hours ``HH:MM-HH:MM``, in seconds of the day.

    If the hours include midnight, the end is smaller than the begin.

    Raises
    ------
    SiteError
        The text is not in this form.
    """
    ends = text.split("-")
    if len(ends) != 2:  # noqa: PLR2004 - from and until
        raise SiteError(f"closed is '{text}'; it must be hours such as 08:00-17:00")
    first, last = map(time_of, ends)
    if first == last:
        raise SiteError(f"closed is '{text}'; begin and end must differ")
    return first, last
