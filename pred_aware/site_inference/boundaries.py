"""Times of the day by which jobs must have ended, as a recorded queue shows them."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np

from pred_aware.site_inference.whole_hours import DAYS, HOURS
from pred_aware.site_inference.windows import cells_of
from schedulers.site.site import Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from pred_aware.site_inference.queue_record import QueueRecord, Stopped

HOUR = 3600.0
WEEK = 7 * 24
"""In hours."""
LOW = 0.65
"""So many of the running jobs that EASY's own queue has there, beside what is usual, may be planned
to run over a boundary at most,"""
USUAL = 0.75
"""and so many of what is usual at other hours of such days."""
SEEN = 0.4
"""Of EASY's own queue there must be so many of what is usual, to tell."""
MOST = 4
"""Boundaries at most."""
EXEMPT = 0.8
"""Shorter jobs are let over it of which so many run over it as in EASY's own queue."""
LEAST = 20.0
"""So many jobs of EASY's own queue must run over it, to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBoundaries:
    """Boundaries, and what speaks for them."""

    windows: tuple[Window, ...]
    evidence: str
    stopped: "Callable[[QueueRecord], Stopped]"
    """Says of a queue of these walltimes whom they stop."""


def boundaries_of(
    record: "QueueRecord", own: "QueueRecord", time_zone: str, *, until: float
) -> FoundBoundaries | None:
    """Find the hours over which far fewer jobs may run, by their walltimes, than EASY lets run.

    Parameters
    ----------
    record
        The recorded queue; it must tell the date of its second 0.
    own
        EASY's queue of the same jobs, with the rules that were found before.
    time_zone
        The hours' own.
    until
        In seconds; what started later is not looked at.

    Returns
    -------
    FoundBoundaries or None
        ``None`` where there is none.
    """
    zone = UTC if time_zone == "UTC" else ZoneInfo(time_zone)
    shares = [_over(one, zone, until=until) for one in (record, own)]
    told: list[tuple[float, int, int]] = []
    for place in range(len(DAYS)):
        mine, easy = (one[place] for one in shares)
        if not mine.any() or not easy.any():
            continue
        usual = mine / np.median(mine) if np.median(mine) else np.ones(HOURS)
        of_easy = easy / np.median(easy) if np.median(easy) else np.ones(HOURS)
        ratio = np.divide(usual, of_easy, out=np.ones(HOURS), where=of_easy > 0.0)
        lowest = (ratio <= np.roll(ratio, 1)) & (ratio <= np.roll(ratio, -1))
        tells = of_easy >= SEEN
        hours = np.flatnonzero(lowest & tells & (ratio < LOW) & (usual < USUAL)).tolist()
        told += [(float(ratio[hour]), place, hour) for hour in hours]
    if not told:
        return None
    told = sorted(told)[:MOST]
    longer_than = _exempt(record, own, {(place, hour) for _, place, hour in told}, zone, until)
    windows = tuple(
        Window(
            days=DAYS[place], ended_by=f"{hour:02d}:00", longer_than=longer_than,
            at_most=_longest(told), inferred=True,
        )
        for _, place, hour in sorted(told, key=lambda one: one[1:])
    )  # fmt: skip
    told_of = ", ".join(
        f"{DAYS[place]} {hour:02d}:00 ({100 * ratio:.0f} % as many)" for ratio, place, hour in told
    )
    start = record.start_time
    assert start is not None

    def stopped(queue: "QueueRecord") -> "Stopped":
        walltime = queue.walltime
        bounds = {(place, hour) for _, place, hour in told}

        def rule(jobs: "NDArray[np.int64]", dates: "NDArray[np.float64]") -> "NDArray[np.bool_]":
            left = _until_next(dates, bounds, start, zone)
            asked = walltime[jobs]
            of_it = (asked > longer_than) & (asked <= _longest(told))
            found: NDArray[np.bool_] = of_it & (asked > left)
            return found

        return rule

    return FoundBoundaries(
        windows=windows,
        evidence=f"far fewer jobs than in EASY's own queue may run over {told_of}",
        stopped=stopped,
    )


def _over(
    record: "QueueRecord", zone: tzinfo, *, until: float, most: float = np.inf
) -> "NDArray[np.float64]":
    """Return how many jobs of at most this walltime may run over each full hour, shape (3, 24)."""
    schedule, walltime = record.schedule, record.walltime
    which = (schedule.start_time < until) & np.isfinite(walltime) & (walltime <= most)
    start, end = schedule.start_time[which], (schedule.start_time + walltime)[which]
    assert record.start_time is not None
    hours, stands_for = _hours(np.concatenate([start, end]), record.start_time, until)
    # who begins or must have ended at a full hour does not run over it
    change = np.zeros(len(hours) + 1)
    np.add.at(change, np.searchsorted(hours, start, side="right"), 1.0)
    np.add.at(change, np.searchsorted(hours, end, side="left"), -1.0)
    of = cells_of(hours, record.start_time, zone)
    cells = len(DAYS) * HOURS
    number = np.maximum(np.bincount(of, stands_for, cells), 1.0)
    over = np.bincount(of, np.cumsum(change)[:-1] * stands_for, cells) / number
    return over.reshape(len(DAYS), HOURS)


def _hours(
    dates: "NDArray[np.float64]", start: float, until: float
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return the full hours of the clock, in seconds, and how many each of them stands for.

    Between two dates further apart than a week, each hour of the first week stands for those of
    all whole weeks: so the number of hours goes with the number of jobs.

    Examples
    --------
    >>> hours, stands_for = _hours(np.array([0.0, 1e12]), 0.0, 2e12)
    >>> len(hours) < 1000, float(stands_for.sum()) == 2e12 // 3600
    (True, True)
    """
    number = max(int(np.ceil((until + start % HOUR) / HOUR)) - 1, 0)
    places = np.floor((np.clip(dates, 0.0, until) + start % HOUR) / HOUR).astype(np.int64)
    edges = np.unique(np.concatenate([[0], places[places < number], [number]]))
    length = np.diff(edges)
    weeks = np.maximum((length - 1) // WEEK - 1, 0)
    kept = length - weeks * WEEK
    stretch = np.repeat(np.arange(len(kept)), kept)
    at = np.arange(len(stretch)) - np.repeat(np.cumsum(kept) - kept, kept)
    # an edge's own hour, in which jobs begin or end, stands for itself
    repeated = (at > 0) & (at <= WEEK)
    place = edges[:-1][stretch] + at + np.where(at > WEEK, (weeks * WEEK)[stretch], 0)
    stands_for = 1.0 + np.where(repeated, weeks[stretch], 0)
    return (place + 1) * HOUR - start % HOUR, stands_for


def _exempt(
    record: "QueueRecord",
    own: "QueueRecord",
    bounds: set[tuple[int, int]],
    zone: tzinfo,
    until: float,
) -> float:
    """Return the longest walltime up to which jobs are let over the boundaries, in seconds."""
    known = record.walltime[np.isfinite(record.walltime)]
    exempt = 0.0
    for most in np.unique(np.quantile(known, np.linspace(0.05, 0.8, 16), method="lower")).tolist():
        sides = []
        for queue in (record, own):
            shares = _over(queue, zone, until=until, most=most)
            sides.append(sum(shares[place, hour] for place, hour in bounds))
        weeks = until / (7.0 * 86400.0)
        if sides[1] * weeks >= LEAST and sides[0] >= EXEMPT * sides[1]:
            exempt = most
        elif sides[1] * weeks >= LEAST:
            break
    return exempt


def _longest(told: list[tuple[float, int, int]]) -> float:
    """Return the longest time between two boundaries, in seconds: longer jobs are let over them."""
    of_days = {0: range(5), 1: (5,), 2: (6,)}
    hours = sorted(24 * day + hour for _, place, hour in told for day in of_days[place])
    gaps = np.diff([*hours, hours[0] + 7 * 24])
    return float(gaps.max()) * HOUR


def _until_next(
    dates: "NDArray[np.float64]", bounds: set[tuple[int, int]], start: float, zone: tzinfo
) -> "NDArray[np.float64]":
    """Return the seconds up to the next boundary, to a quarter of an hour."""
    ahead = np.full(len(dates), np.inf)
    wanted = np.zeros(len(DAYS) * HOURS, bool)
    wanted[[place * HOURS + hour for place, hour in bounds]] = True
    for hours in range(1, 24 * 4):
        later = np.floor((dates + start) / HOUR) * HOUR - start + hours * HOUR
        is_one = wanted[cells_of(later, start, zone)] & ~np.isfinite(ahead)
        ahead[is_one] = (later - dates)[is_one]
    return ahead
