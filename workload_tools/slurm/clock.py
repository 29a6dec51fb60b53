"""Convert dates as `sacct` prints them to Unix seconds."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from workload_tools.slurm.errors import UnreadableError

NO_DATE = frozenset(("", "Unknown", "None", "N/A"))
"""Texts that `sacct` prints for a missing date."""

AMBIGUOUS = "date in an hour that a clock change repeats: first possible date used"
NEVER = "date in an hour that a clock change skips: check --time-zone"

_UNIX = re.compile(r"[0-9]{1,11}")
_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-5][0-9]):([0-5][0-9]|60)"
    r"(?: ?(Z|[+-][0-9]{2}:?[0-9]{2}))?"
)
_CLOCK_TIME = re.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2})?|Ystday .*|Tomorr .*|[A-Z][a-z]{2} [0-9].*")
_MINUTES = {f":{minute:02}": 60.0 * minute for minute in range(60)}
_SECONDS = {f":{second:02}": float(second) for second in range(61)}


class SlurmClock:
    """Converts dates in Unix seconds, or as ``2026-11-21T02:33:41`` with or without an offset.

    Parameters
    ----------
    zone
        Time zone for dates without an offset from UTC; by default UTC.

    Attributes
    ----------
    naive
        True after reading a date that had no offset and was not in Unix seconds.
    doubt
        Message about the last ambiguous or impossible date. The caller resets it to ``None``.

    Examples
    --------
    >>> clock = SlurmClock(ZoneInfo("Europe/Berlin"))
    >>> clock.read("2026-11-21T03:33:41"), clock.read("1795228421"), clock.read("Unknown")
    (1795228421.0, 1795228421.0, None)
    """

    def __init__(self, zone: ZoneInfo | None = None) -> None:
        self.zone = zone or UTC
        self.naive = False
        self.doubt: str | None = None
        self.hours: dict[str, float] = {}

    def read(self, text: str, *, after: float | None = None, field: str = "date") -> float | None:
        """Return a date in Unix seconds, or None if the text means that there is no date.

        Parameters
        ----------
        text
            The date's text.
        after
            Lower bound of the date, in Unix seconds. When clocks are set back, one hour occurs
            twice; the bound decides which of the two hours is meant.
        field
            The field's name for error messages.

        Raises
        ------
        UnreadableError
            The text is not a date.
        """
        if text[4:5] == "-":
            start = self.hours.get(text[:13])
            minutes = _MINUTES.get(text[13:16])
            seconds = _SECONDS.get(text[16:])
            if start is not None and minutes is not None and seconds is not None:
                return start + minutes + seconds
            return self._date(text, after, field)
        if text in NO_DATE:
            return None
        if _UNIX.fullmatch(text) is None:
            raise UnreadableError(field, text)
        return float(text) or None

    def _date(self, text: str, after: float | None, field: str) -> float:
        """Return a date that has an offset or whose hour is not in the cache."""
        match = _DATE.fullmatch(text)
        if match is None:
            raise UnreadableError(field, text)
        day, hour, minute, second, offset = match.groups()
        try:
            if hour == "24":
                # Python 3.14 reads hour 24 as the next midnight; earlier versions refuse it
                raise UnreadableError(field, text)
            date = datetime.fromisoformat(f"{day}T{hour}:{minute}") + timedelta(seconds=int(second))
            if offset is not None:
                moved = date.replace(tzinfo=UTC).timestamp()
                return moved - _offset_seconds(offset)
            return self._local(date, text[:13], after)
        except (ValueError, OverflowError) as error:
            raise UnreadableError(field, text) from error

    def _local(self, date: datetime, hour: str, after: float | None) -> float:
        """Return the Unix seconds of a local date."""
        self.naive = True
        first = date.replace(tzinfo=self.zone, fold=0).timestamp()
        second = date.replace(tzinfo=self.zone, fold=1).timestamp()
        if first == second:
            self._remember(hour)
            return first
        if second < first:
            self.doubt = NEVER
            return first
        self.doubt = AMBIGUOUS
        return second if after is not None and first < after else first

    def _remember(self, hour: str) -> None:
        """Cache the start of an hour in Unix seconds, if the offset is constant in this hour."""
        # use the text, because a date with second 60 is in the next hour
        start = datetime.fromisoformat(f"{hour}:00")
        moments = (start, start + timedelta(minutes=59, seconds=59))
        offsets = {
            moment.replace(tzinfo=self.zone, fold=fold).utcoffset()
            for moment in moments
            for fold in (0, 1)
        }
        if len(offsets) == 1:
            self.hours[hour] = start.replace(tzinfo=self.zone).timestamp()


def is_relative(text: str) -> bool:
    """Return True if a date has the format of ``SLURM_TIME_FORMAT=relative``, which omits the day.

    Examples
    --------
    >>> is_relative("02:33:41"), is_relative("2026-11-21T02:33:41")
    (True, False)
    """
    return _CLOCK_TIME.fullmatch(text) is not None


def _offset_seconds(offset: str) -> int:
    if offset == "Z":
        return 0
    digits = offset[1:].replace(":", "")
    seconds = 3600 * int(digits[:2]) + 60 * int(digits[2:])
    return -seconds if offset[0] == "-" else seconds
