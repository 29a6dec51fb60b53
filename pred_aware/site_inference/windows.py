"""Start windows that a recorded queue shows: hours in which jobs of some walltimes do not start."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np

from pred_aware.recorded_queue.free_processors import WaitingMoments
from pred_aware.recorded_queue.limits import EXPLAINED, VIOLATED
from schedulers.site.site import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.site_inference.queue_record import QueueRecord

DAYS = ("Mon-Fri", "Sat", "Sun")
HOURS = 24
TOGETHER = ((0,), (1,), (2,), (1, 2), (0, 1, 2))
"""Which of `DAYS` a window may be for."""
NAMES = ("Mon-Fri", "Sat", "Sun", "Sat,Sun", "Mon-Sun")
MOST = 6
"""Windows at most."""
SHARE = 0.05
"""Of the job-hours that the first window explains each other one must explain as much."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of some days that are closed to the classes of walltimes from one on."""

    days: int
    """The place in `NAMES`."""
    begin: int
    length: int
    above: int
    """The first class that is stopped."""

    @property
    def cells(self) -> "tuple[slice, NDArray[np.int64]]":
        """The classes, and the hours of workdays, Saturdays and Sundays."""
        hours = (self.begin + np.arange(self.length)) % HOURS
        days = np.array(TOGETHER[self.days])
        return slice(self.above, None), (days[:, None] * HOURS + hours[None, :]).ravel()

    @property
    def closed(self) -> str:
        """The hours, as a site's file has them."""
        end = (self.begin + self.length) % HOURS
        return f"{self.begin:02d}:00-{end or HOURS:02d}:00"


def whole_hours(speaks: "NDArray[np.float64]", *, least: float) -> list[Hours]:
    """Find the windows for which most speaks, one after the other.

    Parameters
    ----------
    speaks
        How much speaks for each cell being closed, in job-hours, shape (classes, 72): below 0 where
        jobs start in it.
    least
        So much must speak for each window.

    Examples
    --------
    >>> speaks = np.full((3, 72), -1.0)
    >>> speaks[1:, 8:18] = 5.0
    >>> (found,) = whole_hours(speaks, least=10.0)
    >>> NAMES[found.days], found.closed, found.above
    ('Mon-Fri', '08:00-18:00', 1)
    """
    left = speaks.copy()
    found: list[Hours] = []
    first = 0.0
    while len(found) < MOST:
        best, gain = _best(left)
        if best is None or gain < max(least, SHARE * first):
            break
        first = first or gain
        found.append(best)
        classes, hours = best.cells
        left[classes, hours] = 0.0
    return found


def _best(speaks: "NDArray[np.float64]") -> tuple[Hours | None, float]:
    best, most = None, 0.0
    # by class: with all above it
    above = np.cumsum(speaks[::-1], axis=0)[::-1]
    for days, together in enumerate(TOGETHER):
        hours = sum(above[:, one * HOURS : (one + 1) * HOURS] for one in together)
        sums = np.cumsum(np.concatenate([np.zeros((len(speaks), 1)), hours, hours], axis=1), axis=1)
        for length in range(1, HOURS):
            gains = sums[:, length : length + HOURS] - sums[:, :HOURS]
            place = int(gains.argmax())
            if gains.flat[place] > most + 1e-9:
                most = float(gains.flat[place])
                best = Hours(days, place % HOURS, length, place // HOURS)
    return best, most


QUARTER = 900.0
"""A time zone is at one distance from UTC for so many seconds."""
WALLTIMES = 19
"""So many of the most frequent walltimes bound the classes."""
WEEK = 7 * 86400.0
LEAST_WEEKS = 2
"""In so many weeks jobs must have waited for a window."""
LEAST_HOURS = 30.0
"""Job-hours waited with free processors that must speak for each window."""
RARE = 0.1
"""A cell is closed whose rate of starts is below this share of its class's high one."""
HIGH = 0.8
"""That quantile of the rates is the high one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWindow:
    """Hours in a row, and what speaks for their being closed."""

    window: Window
    time_zone: str
    stopped: int
    """Jobs that waited in these hours though they could have started."""
    violations: int
    """Starts in these hours."""
    weeks: int
    """In how many weeks jobs waited so."""
    explained: "NDArray[np.bool_]"
    """Which of the rows of waiting jobs they explain."""
    share: float
    """Of the waiting with free processors: what they explain."""

    def __str__(self) -> str:
        """Say what speaks for them and against them."""
        return (
            f"{self.stopped:,} jobs could have started in these hours and waited "
            f"({100 * self.share:.0f} % of the waiting with free processors), "
            f"{self.violations:,} started"
        )

    @property
    def refusal(self) -> str | None:
        """Why these are no rule; ``None`` where they may be one."""
        if self.violations > VIOLATED * (self.stopped + self.violations):
            return f"more than {100 * VIOLATED:.0f} % of the opportunities break it"
        return None if self.weeks >= LEAST_WEEKS else "jobs waited so in a single week"


def windows_of(
    record: "QueueRecord", left: WaitingMoments, time_zone: str, *, until: float
) -> list[FoundWindow]:
    """Find the hours in which jobs could have started and hardly any did.

    For each class of walltimes and each hour of workdays, Saturdays and Sundays the rate is the
    number of starts by that of starts and of job-hours waited with free processors.

    Parameters
    ----------
    record
        The recorded queue; it must tell the date of its second 0.
    left
        The jobs seen waiting that could have started, without those that a limit stopped.
    time_zone
        The hours' own.
    until
        In seconds; what started later is not looked at.

    Returns
    -------
    list of FoundWindow
        Hours in a row, closed to all walltimes above one; with those that are refused.
    """
    begins, started = record.start_time, record.schedule.start_time
    assert begins is not None
    walltime = record.schedule.walltime
    bounds = _bounds(walltime[record.schedule.submit_time < until])
    classes = np.searchsorted(bounds, walltime, side="left")
    zone = UTC if time_zone == "UTC" else ZoneInfo(time_zone)
    shape = len(bounds) + 1, len(DAYS) * HOURS
    starts, waited = np.zeros(shape), np.zeros(shape)
    begun = np.flatnonzero(started < until)
    of_start = classes[begun], cells_of(started[begun], begins, zone)
    np.add.at(starts, of_start, 1.0)
    of_row = classes[left.job], cells_of(left.date, begins, zone)
    np.add.at(waited, of_row, left.step / 3600.0)
    found: list[FoundWindow] = []
    for one in whole_hours(_speaks(starts, waited), least=LEAST_HOURS):
        closed = np.zeros(shape, bool)
        closed[one.cells] = True
        explained = closed[of_row]
        if explained.mean() < EXPLAINED:
            continue
        found.append(
            FoundWindow(
                window=_stated(bounds, one),
                time_zone=time_zone,
                stopped=len(np.unique(left.job[explained])),
                violations=int(closed[of_start].sum()),
                weeks=len(np.unique(left.date[explained] // WEEK)),
                explained=explained,
                share=float(explained.mean()),
            )
        )
    return found


def _bounds(walltimes: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the most frequent walltimes: each class is above one of them, up to the next."""
    told = walltimes[np.isfinite(walltimes)].tolist()
    return np.array(sorted(value for value, _ in Counter(told).most_common(WALLTIMES)))


def cells_of(dates: "NDArray[np.float64]", start: float, zone: tzinfo) -> "NDArray[np.int64]":
    """Return the hour of workday, Saturday or Sunday of each date."""
    quarters, places = np.unique(np.floor((dates + start) / QUARTER), return_inverse=True)
    local = [datetime.fromtimestamp(quarter * QUARTER, zone) for quarter in quarters.tolist()]
    of = [max(0, date.weekday() - 4) * HOURS + date.hour for date in local]
    return np.array(of, np.int64)[places]


def _speaks(starts: "NDArray[np.float64]", waited: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return by how many job-hours more than would be just rare each cell looks closed."""
    seen = starts + waited
    rates = np.divide(starts, seen, out=np.full(seen.shape, np.nan), where=seen > 0.0)
    speaks = np.zeros(seen.shape)
    for which in np.flatnonzero((seen > 0.0).any(axis=1)):
        high = np.nanquantile(rates[which], HIGH)
        if high > 0.0:
            speaks[which] = waited[which] - starts[which] * (1.0 / (RARE * high) - 1.0)
    return speaks


def _stated(bounds: "NDArray[np.float64]", one: Hours) -> Window:
    """Return hours in a row as a window."""
    above = [0.0, *bounds.tolist()][one.above]
    return Window(days=NAMES[one.days], closed=one.closed, longer_than=above, inferred=True)
