"""Submissions of a log: by hour and weekday, holes, and flurries of one user."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.inspection.load import busy_seconds, starts_known
from pred_aware.report.clock import DAY, HOUR, WEEK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.inspection.columns import Columns
    from pred_aware.report.clock import LogClock

HOLE_LENGTH = DAY
"""Shortest time without a submission that may be a hole, in seconds."""
HOLE_JOBS = 20.0
"""Fewest jobs that are usual in these hours of the week, for a hole."""
FLURRY_FACTOR = 5.0
"""A user's day is part of a flurry if it has more than this factor times the jobs of all others on
a median day.
"""
FLURRY_JOBS = 100
"""Fewest jobs of such a day."""
FLURRY_PAUSE = 7
"""Largest gap between the days of one flurry, in days."""

HOURS_OF_WEEK = 168


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A period without submissions, although there usually are some."""

    begin: float
    end: float
    """Seconds of the log: the submissions before and after."""
    usual_jobs: float
    """Average number of submissions in these hours of the week."""
    busy: float | None
    """Share of the machine's processors that were busy meanwhile; ``None`` if the log does not
    contain the jobs' starts.
    """

    @property
    def length(self) -> float:
        """Length in seconds."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Flurry:
    """Days on which one user submitted far more jobs than all others usually do together."""

    user: str
    """The user's name."""
    begin: float
    end: float
    """Seconds of the log: the user's first and last submission in the flurry."""
    jobs: int
    """Number of the user's submissions between them."""
    share: float
    """Their share of all jobs in the log."""
    most_alike: float
    """Share of the most frequent combination of size and walltime among them."""


def by_hour_of_week(columns: "Columns", clock: "LogClock") -> "NDArray[np.int64]":
    """Count submissions by weekday and hour, shape (7, 24), starting on Monday at midnight."""
    hours = clock.hours_of_week(columns.submit_time)
    return np.bincount(hours, minlength=HOURS_OF_WEEK).reshape(7, 24)


def holes(columns: "Columns", clock: "LogClock", *, processors: int) -> list[Hole]:
    """Find the holes, longest first.

    A hole is a day or more without a submission, in hours of the week in which at least 20 jobs are
    submitted on average.

    Parameters
    ----------
    columns
        The log.
    clock
        The log's dates.
    processors
        Size of the machine.
    """
    lengths = np.diff(columns.submit_time)
    places = np.flatnonzero(lengths >= HOLE_LENGTH)
    if not len(places):
        return []
    weeks = max((columns.last - columns.first) / WEEK, 1.0)
    usual = by_hour_of_week(columns, clock).ravel() / weeks
    known = starts_known(columns)
    found = []
    for place in places:
        begin, end = float(columns.submit_time[place]), float(columns.submit_time[place + 1])
        middles = np.arange(begin + HOUR / 2, end, HOUR)
        jobs = float(usual[clock.hours_of_week(middles)].sum())
        if jobs < HOLE_JOBS:
            continue
        busy = float(busy_seconds(columns, np.array([begin, end]))[0]) / (
            processors * (end - begin)
        )
        found.append(Hole(begin=begin, end=end, usual_jobs=jobs, busy=busy if known else None))
    return sorted(found, key=lambda hole: -hole.length)


def flurries(columns: "Columns") -> list[Flurry]:
    """Find the flurries, largest first.

    A flurry consists of days (24 h, counted from the first submission) on which one user submits at
    least 100 jobs, and more than 5 times what all other users together submit on a median day. Days
    of one user that are at most 7 days apart belong to the same flurry.

    Notes
    -----
    The term is from D. G. Feitelson and D. Tsafrir, "Workload sanitation for performance
    evaluation" (ISPASS 2006). The archive's flurries were found by eye, these by the rule above.
    """
    days = ((columns.submit_time - columns.first) // DAY).astype(np.int64)
    day_count = int(days[-1]) + 1
    all_jobs = np.bincount(days, minlength=day_count)
    found = []
    for user in _who_may_have_one(columns.user, days, day_count):
        own = columns.user == user
        own_jobs = np.bincount(days[own], minlength=day_count)
        usual = float(np.median(all_jobs - own_jobs))
        many = np.flatnonzero(own_jobs > max(FLURRY_JOBS - 1, FLURRY_FACTOR * usual))
        pieces = np.split(many, np.flatnonzero(np.diff(many) > FLURRY_PAUSE) + 1)
        for piece in pieces:
            if len(piece):
                there = own & (days >= piece[0]) & (days <= piece[-1])
                found.append(_flurry(columns, there, columns.user_names[user]))
    return sorted(found, key=lambda flurry: -flurry.jobs)


def _who_may_have_one(
    users: "NDArray[np.int32]", days: "NDArray[np.int64]", day_count: int
) -> list[int]:
    """Return the users who submitted enough jobs on one day."""
    pairs, counts = np.unique(users.astype(np.int64) * day_count + days, return_counts=True)
    busy_users = np.unique(pairs[counts >= FLURRY_JOBS] // day_count)
    return [int(user) for user in busy_users if user >= 0]


def _flurry(columns: "Columns", there: "NDArray[np.bool_]", user: str) -> Flurry:
    dates = columns.submit_time[there]
    kinds = np.stack([columns.processors[there], np.nan_to_num(columns.walltime[there])])
    alike = np.unique(kinds, axis=1, return_counts=True)[1]
    return Flurry(
        user=user,
        begin=float(dates[0]),
        end=float(dates[-1]),
        jobs=len(dates),
        share=len(dates) / len(columns),
        most_alike=float(alike.max()) / len(dates),
    )
