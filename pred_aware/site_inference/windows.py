"""Start windows that a recorded queue shows: hours in which jobs of some walltimes do not start."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np

from pred_aware.site_inference.queue_record import QueueRecord, Stopped
from pred_aware.site_inference.whole_hours import DAYS, HOURS, NAMES, Hours, whole_hours
from schedulers.site.site import Window

if TYPE_CHECKING:
    from numpy.typing import NDArray


VIOLATED = 0.02
"""A rule that a larger share of its opportunities breaks is none."""
STEP = 900.0
"""Seconds between two looks at who waits with room."""
WALLTIMES = 19
"""So many of the most frequent walltimes bound the classes."""
LEAST_HOURS = 30.0
"""Job-hours waited with room that a closed cell must have seen."""
RARE = 0.4
"""A cell is closed whose rate of starts is below this share of its class's high one."""
HIGH = 0.8
"""That quantile of the rates is the high one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWindows:
    """Start windows, and what speaks for them."""

    windows: tuple[Window, ...]
    time_zone: str
    closed: float
    """Share of the cells (classes of walltimes by hours of workdays, Saturdays, Sundays)."""
    waited: int
    """How many jobs waited in them with free processors."""
    started: int
    """How many jobs started in them."""
    stopped: "Callable[[QueueRecord], Stopped]"
    """Says of a queue of these walltimes whom they stop."""

    @property
    def evidence(self) -> str:
        """What speaks for them, and against."""
        return (
            f"{self.waited} jobs waited in these hours with free processors, {self.started} "
            "started in them"
        )

    @property
    def refusal(self) -> str | None:
        """Why these are no rule; ``None`` where they may be one."""
        if self.started <= VIOLATED * (self.waited + self.started):
            return None
        return f"more than {100 * VIOLATED:.0f} % of the jobs that could break it do"


def windows_of(
    record: "QueueRecord", time_zone: str, *, until: float, rules: tuple[Stopped, ...] = ()
) -> FoundWindows | None:
    """Find the hours in which jobs waited with room and hardly any started.

    For each class of walltimes and each hour of workdays, Saturdays and Sundays the rate is the
    number of starts by that of starts and of job-hours waited with room.

    Parameters
    ----------
    record
        The recorded queue; it must tell the date of its second 0.
    time_zone
        The hours' own.
    until
        In seconds; what was submitted or happened later is not looked at.
    rules
        Found before: while one of them stops a job, it does not wait for a window.

    Returns
    -------
    FoundWindows or None
        Hours in a row, closed to all walltimes above one; ``None`` where there are none.
    """
    schedule = record.schedule
    submitted, started = schedule.submit_time, schedule.start_time
    asked = np.flatnonzero(submitted < until)[record.begin :]
    bounds = _bounds(record.walltime[asked])
    classes = np.searchsorted(bounds, record.walltime, side="left")
    begins = record.start_time
    assert begins is not None
    zone = UTC if time_zone == "UTC" else ZoneInfo(time_zone)
    shape = len(bounds) + 1, len(DAYS) * HOURS
    starts, waited = np.zeros(shape), np.zeros(shape)
    begun = asked[started[asked] < until]
    cell_of_start = cells_of(started[begun], begins, zone)
    np.add.at(starts, (classes[begun], cell_of_start), 1.0)
    first = np.ceil(submitted / STEP).astype(int)
    last = np.ceil(np.minimum(started, until) / STEP).astype(int)
    looked = np.maximum(last[asked] - first[asked], 0)
    job = np.repeat(asked, looked)
    look = np.arange(len(job)) - np.repeat(np.cumsum(looked) - looked - first[asked], looked)
    # between two jobs that wait there may be years
    numbers, look = np.unique(look, return_inverse=True)
    looks = numbers * STEP
    cell_of_look = cells_of(looks, begins, zone)
    stands = schedule.free_at(looks)[look] >= schedule.processors[job]
    job, look = job[stands], look[stands]
    for rule in rules:
        stands = ~rule(job, looks[look])
        job, look = job[stands], look[stands]
    np.add.at(waited, (classes[job], cell_of_look[look]), STEP / 3600.0)
    hours = whole_hours(_speaks(starts, waited), least=LEAST_HOURS)
    if not hours:
        return None
    closed = np.zeros(shape, bool)
    for one in hours:
        closed[one.cells] = True

    def stopped(queue: "QueueRecord") -> Stopped:
        of = np.searchsorted(bounds, queue.walltime, side="left")
        return lambda jobs, dates: closed[of[jobs], cells_of(dates, begins, zone)]

    return FoundWindows(
        windows=tuple(_stated(bounds, hours)),
        time_zone=time_zone,
        closed=float(closed.mean()),
        waited=len(np.unique(job[closed[classes[job], cell_of_look[look]]])),
        started=int(closed[classes[begun], cell_of_start].sum()),
        stopped=stopped,
    )


def _bounds(walltimes: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the most frequent walltimes: each class is above one of them, up to the next."""
    told = walltimes[np.isfinite(walltimes)].tolist()
    return np.array(sorted(value for value, _ in Counter(told).most_common(WALLTIMES)))


def cells_of(dates: "NDArray[np.float64]", start: float, zone: tzinfo) -> "NDArray[np.int64]":
    """Return the hour of workday, Saturday or Sunday of each date."""
    # a zone is at one distance from UTC within a quarter of an hour
    quarters, places = np.unique(np.floor((dates + start) / STEP), return_inverse=True)
    local = [datetime.fromtimestamp(quarter * STEP, zone) for quarter in quarters.tolist()]
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


def _stated(bounds: "NDArray[np.float64]", hours: list[Hours]) -> Iterator[Window]:
    """Yield hours in a row as windows."""
    above = [0.0, *bounds.tolist()]
    for one in hours:
        yield Window(
            days=NAMES[one.days], closed=one.closed, longer_than=above[one.above], inferred=True
        )
