"""Start windows and freezes: times in which some jobs, or all jobs, may not start."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import lru_cache

from schedulers.core.job import Job
from schedulers.core.machine import NEVER
from schedulers.site.calendar import Calendar, days_of, hours_of, time_of
from schedulers.site.requests import is_for
from schedulers.site.site import Date, Site, Window, texts

FORTNIGHT = 14 * 86400.0
"""A time (in seconds) in which every hour of the week occurs, even if the clock changes."""


class OpenWindow:
    """The state of a start window at a date; `look` advances the date."""

    def __init__(self, window: Window, calendar: Calendar, rule: str) -> None:
        self.rule = rule
        self._window = window
        self._calendar = calendar
        self._days = days_of(window.days)
        self._hours = None if window.closed is None else hours_of(window.closed)
        self._ended_by = 0.0 if window.ended_by is None else time_of(window.ended_by)
        self._longest = NEVER if window.at_most is None else window.at_most
        self.by_clock = self._hours is None
        """Whether the jobs that the window stops can change at any date, and not only at `next`."""
        self.closed = False
        """Whether the window is closed at the date of the last `look`."""
        self.next = -NEVER
        """The next date at which the window opens or closes, or `ended_by`, in seconds."""
        self._known = _known(
            calendar.zone, calendar.unix_start, self._days, self._hours, self._ended_by
        )

    def is_for(self, job: Job, keys: Mapping[str, str]) -> bool:
        """Return True if the window applies to a job."""
        within = self._window.longer_than < job.walltime <= self._longest
        return within and is_for(self._window.only, keys)

    def look(self, now: float) -> bool:
        """Advance to a date in seconds; return True if the window's state has changed.

        The new state depends only on the date, and not on earlier calls.
        """
        if now < self.next:
            return False
        if self.next == -NEVER:
            self._move(min(0.0, now))
        if now - self.next > FORTNIGHT:
            # `look` is not called while no job waits, so skip this time
            self._move(now)
        while self.next <= now:
            self._move(self.next)
        return True

    def _move(self, now: float) -> None:
        known = self._known.get(now)
        if known is None:
            known = self._known[now] = self._found(now)
        self.closed, self.next = known

    def _found(self, now: float) -> tuple[bool, float]:
        """Return whether the window is closed at a date, and the next date of a change."""
        calendar = self._calendar
        if self._hours is None:
            return False, calendar.next_time(now, self._days, self._ended_by)
        first, last = self._hours
        day, second = calendar.of_week(now)
        if first < last:
            closed = day in self._days and first <= second < last
        else:
            # hours over midnight belong to the day on which they begin
            before = (day - 1) % 7 in self._days and second < last
            closed = before or (day in self._days and second >= first)
        ends = self._days if first < last else frozenset((day + 1) % 7 for day in self._days)
        changes = (
            calendar.next_time(now, self._days, first), calendar.next_time(now, ends, last)
        )  # fmt: skip
        following = min(changes)
        # a change of the local clock may jump into or out of the hours
        jump = calendar.next_clock_change(now, following)
        return closed, following if jump is None else jump

    def stops(self, job: Job, now: float) -> bool:
        """Return ``True`` if the window stops a job that it applies to, at the last `look`."""
        if self._hours is not None:
            return self.closed
        return now + job.walltime > self.next


@lru_cache(maxsize=256)
def _known(*_what: object) -> dict[float, tuple[bool, float]]:
    """Return the known states of a window by date. All runs of a site share them.

    A state is whether the window is closed from the date on, and the next date of a change.
    """
    return {}


def can_ever_start(job: Job, given: Iterable[OpenWindow], now: float) -> bool:
    """Return ``True`` if there is a date in the next 14 days at which no window stops a job."""
    windows = [copy(window) for window in given]
    date = now
    while date < now + FORTNIGHT:
        for window in windows:
            window.look(date)
        if not any(window.stops(job, date) for window in windows):
            return True
        date = min(window.next for window in windows)
    return False


class Freezes:
    """Times in which no job starts, on all partitions or on some of them."""

    def __init__(self, site: Site, seconds: Callable[[Date], float]) -> None:
        found = [
            (seconds(one.begin), seconds(one.end), texts(one.partitions)) for one in site.freezes
        ]
        self.dates = sorted({date for begin, end, _ in found for date in (begin, end)})
        """The dates at which freezes begin or end, in seconds."""
        # for the time from each date to the next: the partitions of each freeze
        self._stopped: list[list[tuple[str, ...]]] = [[] for _ in self.dates]
        places = {date: place for place, date in enumerate(self.dates)}
        for begin, end, partitions in found:
            for place in range(places[begin], places[end]):
                self._stopped[place].append(partitions)

    def __bool__(self) -> bool:
        """Return True if the site has a freeze."""
        return bool(self.dates)

    def stop(self, partition: str, now: float) -> bool:
        """Return True if no job of a partition may start at a date, in seconds."""
        place = bisect_right(self.dates, now) - 1
        if place < 0:
            return False
        return any(not names or partition in names for names in self._stopped[place])
