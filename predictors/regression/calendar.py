"""The hour and the weekday of a submission."""

import math

from predictors.checks import require_number

CALENDAR = ("hour", "weekday")

_HOUR = 3600.0
_DAY = 86400.0
# Unix time begins on a Thursday, and weeks begin on Monday here
_FIRST_WEEKDAY = 3


class CalendarFeatures:
    """Converts dates of a simulation to hours and weekdays.

    `epoch` is date 0 of the simulation, in seconds since 1970-01-01 00:00. Give Unix time for hours
    of UTC. Give Unix time plus the zone's offset for local hours (without daylight saving time).

    Raises `OptionError`: `epoch` is not a finite number.

    Examples
    --------
    Date 0 is Monday 2024-01-01, 10:00.

    >>> calendar = CalendarFeatures(epoch=1704103200.0)
    >>> calendar.hour(0.0), calendar.weekday(0.0)
    (10, 0)
    >>> calendar.hour(15 * 3600.0), calendar.weekday(15 * 3600.0)
    (1, 1)
    """

    __slots__ = ("_epoch",)

    def __init__(self, *, epoch: float = 0.0) -> None:
        self._epoch = require_number("epoch", epoch, least=-math.inf)

    def hour(self, date: float) -> int:
        """Return the hour of the day, from 0 to 23."""
        return int((self._epoch + date) % _DAY // _HOUR)

    def weekday(self, date: float) -> int:
        """Return the day of the week, 0 for Monday to 6 for Sunday."""
        return int((self._epoch + date) // _DAY + _FIRST_WEEKDAY) % 7

    def day_share(self, date: float) -> float:
        """Return the elapsed share of the day, from 0 to 1."""
        return (self._epoch + date) % _DAY / _DAY

    def week_share(self, date: float) -> float:
        """Return the elapsed share of the week, which begins on Monday, from 0 to 1."""
        week = 7 * _DAY
        return (self._epoch + date + _FIRST_WEEKDAY * _DAY) % week / week
