"""Find hours in which, in a recorded queue, jobs above some walltime do not start."""

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
"""The combinations of `DAYS` for which windows are looked for, as indices."""
NAMES = ("Mon-Fri", "Sat", "Sun", "Sat,Sun", "Mon-Sun")
MOST = 6
"""The maximum number of windows."""
SHARE = 0.05
"""Each further window needs evidence of at least this share of the first window's evidence."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of some days in which jobs of some class of walltimes and above do not start."""

    days: int
    """The days, as an index into `NAMES`."""
    begin: int
    length: int
    above: int
    """The lowest class of walltimes whose jobs do not start in these hours."""

    @property
    def cells(self) -> "tuple[slice, NDArray[np.int64]]":
        """The classes of walltimes whose jobs do not start, and the indices of the closed hours."""
        hours = (self.begin + np.arange(self.length)) % HOURS
        days = np.array(TOGETHER[self.days])
        return slice(self.above, None), (days[:, None] * HOURS + hours[None, :]).ravel()

    @property
    def closed(self) -> str:
        """The hours in the format of a site's file, such as ``08:00-18:00``."""
        end = (self.begin + self.length) % HOURS
        return f"{self.begin:02d}:00-{end or HOURS:02d}:00"


def whole_hours(speaks: "NDArray[np.float64]", *, least: float) -> list[Hours]:
    """Return the windows with the most evidence, the strongest first.

    Parameters
    ----------
    speaks
        Evidence in job-hours that each hour is closed to each class of walltimes, shape (classes,
        72). It is negative for hours in which jobs started.
    least
        The minimum evidence for a window in job-hours.

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
    # the sum of the evidence for each class and all classes above
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
"""Length of an interval in seconds; within it, a time zone's offset from UTC does not change."""
WALLTIMES = 19
"""The number of most frequent walltimes, which are the limits between the classes of walltimes."""
WEEK = 7 * 86400.0
LEAST_WEEKS = 2
"""A window is accepted only if jobs waited in it in at least this many weeks."""
LEAST_HOURS = 30.0
"""A window needs evidence of at least this many job-hours of waiting with free processors."""
RARE = 0.1
"""An hour looks closed to a class of walltimes if the rate of starts in this hour is below this
share of the class's high rate.
"""
HIGH = 0.8
"""The high rate of a class is this quantile of its rates of starts in all hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWindow:
    """A window of consecutive hours and the evidence that it is closed."""

    window: Window
    time_zone: str
    stopped: int
    """Number of jobs that waited in the window although they could have started."""
    violations: int
    """Number of starts in the window."""
    weeks: int
    """Number of weeks in which such jobs waited."""
    explained: "NDArray[np.bool_]"
    """For each row of waiting jobs, whether the window explains the waiting."""
    share: float
    """The share of the waiting with free processors that the window explains."""

    def __str__(self) -> str:
        """Return the evidence in words."""
        return (
            f"{self.stopped:,} jobs could have started in these hours but waited "
            f"({100 * self.share:.0f} % of the waiting with free processors), "
            f"and {self.violations:,} jobs started in these hours"
        )

    @property
    def refusal(self) -> str | None:
        """The reason for refusing the window; ``None`` if the window is accepted."""
        if self.violations > VIOLATED * (self.stopped + self.violations):
            return f"more than {100 * VIOLATED:.0f} % of these jobs started against the rule"
        return None if self.weeks >= LEAST_WEEKS else "jobs waited in these hours in only one week"


def windows_of(
    record: "QueueRecord", left: WaitingMoments, time_zone: str, *, until: float
) -> list[FoundWindow]:
    """Find the hours in which jobs could have started, but hardly any job started.

    Each class of walltimes has a rate of starts for each hour of workdays, Saturdays and Sundays:
    starts / (starts + job-hours of waiting with free processors).

    Parameters
    ----------
    record
        The recorded queue, whose `start_time` must be known.
    left
        The rows of jobs that could have started and whose waiting no limit explains.
    time_zone
        The time zone of the hours.
    until
        Date in seconds; later starts are ignored.

    Returns
    -------
    list of FoundWindow
        Windows in which no walltime above a bound starts; `refusal` says which windows to refuse,
        and why.
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
    for one in whole_hours(_closure_evidence(starts, waited), least=LEAST_HOURS):
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
    """Return the limits of the classes of walltimes in seconds: the most frequent walltimes."""
    known = walltimes[np.isfinite(walltimes)].tolist()
    return np.array(sorted(value for value, _ in Counter(known).most_common(WALLTIMES)))


def cells_of(dates: "NDArray[np.float64]", start: float, zone: tzinfo) -> "NDArray[np.int64]":
    """Return for each date the index of its hour: workdays 0-23, Saturdays 24-47, Sundays 48-71."""
    quarters, places = np.unique(np.floor((dates + start) / QUARTER), return_inverse=True)
    local = [datetime.fromtimestamp(quarter * QUARTER, zone) for quarter in quarters.tolist()]
    of = [max(0, date.weekday() - 4) * HOURS + date.hour for date in local]
    return np.array(of, np.int64)[places]


def _closure_evidence(
    starts: "NDArray[np.float64]", waited: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return evidence, in job-hours, that each hour is closed to each class of walltimes."""
    seen = starts + waited
    rates = np.divide(starts, seen, out=np.full(seen.shape, np.nan), where=seen > 0.0)
    speaks = np.zeros(seen.shape)
    for which in np.flatnonzero((seen > 0.0).any(axis=1)):
        high = np.nanquantile(rates[which], HIGH)
        if high > 0.0:
            speaks[which] = waited[which] - starts[which] * (1.0 / (RARE * high) - 1.0)
    return speaks


def _stated(bounds: "NDArray[np.float64]", hours: Hours) -> Window:
    """Return closed hours as a window of a site."""
    above = [0.0, *bounds.tolist()][hours.above]
    return Window(days=NAMES[hours.days], closed=hours.closed, longer_than=above, inferred=True)
