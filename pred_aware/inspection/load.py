"""The load of a log's machine."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.schedule import MachineSchedule
from pred_aware.report.clock import DAY, HOUR, WEEK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.inspection.columns import Columns
    from pred_aware.report.clock import LogClock


NEARLY_ALL = 0.95
"""The machine's state is known if at least this share of jobs has a known wait."""
FULL = 0.6
"""If at least this share of processors is busy, the machine may be full, because its memory may be
full."""
CEILING = 1.2
"""Submissions look like starts if `Load.ceiling` is at most this value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The jobs' use of the machine, as shares of the whole machine."""

    processors: int
    """Size of the machine from the log or the user; otherwise the most processors busy at once."""
    guessed: bool
    """True if neither the log nor the user gives the size; `processors` is then the minimum for the
    jobs."""
    used: float
    """Processor seconds that the jobs used on the real machine, divided by the machine's processor
    seconds from the first submission to the last end.
    """
    taken: float
    """As `used`, but with the processors that jobs request in a simulation; these may differ from
    the processors on the real machine.
    """
    peak: int
    """Most processors busy at once on the real machine."""
    overfull: float
    """Share of the time in which more processors are busy than the machine has."""
    beyond: float
    """Share of the processor seconds that are used above the machine's size."""
    hardly_more: int
    """Number of busy processors that is exceeded during a thousandth of the time."""
    ceiling: float
    """`hardly_more` divided by the number of busy processors that is exceeded during a twentieth of
    the time; infinite if this number is 0. The ratio is near 1 on a full machine.
    """
    by_week: "NDArray[np.float64]"
    """Share of busy processors in each week from the first submission; the last week ends with the
    last submission.
    """
    jobs_by_week: "NDArray[np.int64]"
    """Number of submissions in each week."""
    starts_known: bool
    """True if the log has the starts of at least 95 % of the jobs. A job without a known start
    counts as started at its submission.
    """
    waits_told: bool
    """True if at least one job has a wait above 0."""

    @property
    def only_starts(self) -> bool:
        """True if the log has no waits, and its dates look like starts on a full machine."""
        full = self.hardly_more >= FULL * self.processors
        return full and self.looks_like_starts and not self.waits_told

    @property
    def looks_like_starts(self) -> bool:
        """True if the log's submission dates look like starts of jobs.

        Running jobs never need more processors than the machine has, but jobs that start when they
        are submitted sometimes need far more. If the dates are starts, the busiest thousandth of
        the time is therefore hardly busier than the busiest twentieth. In a test with eight public
        logs, their submissions were replaced by starts. `CEILING` recognised 7 of these 8 logs, and
        84 of their 98 months. It wrongly reported none of the original logs, and 1 of their months.
        """
        return self.ceiling <= CEILING


def load_of(columns: "Columns") -> Load:
    """Compute the load of the machine."""
    dated = schedule_of(columns, machine=0)
    peak = round(dated.most_busy)
    # if all jobs run 0 s, no processor is ever busy
    processors = columns.machine.processors or peak or int(columns.processors.max())
    span = max(float(columns.end_time.max()) - columns.first, 1.0)
    overfull, beyond = replace(dated, machine=processors).beyond()
    often, hardly_more = dated.busy_quantiles((0.95, 0.999))
    edges = week_edges(columns)
    busy = busy_seconds(columns, edges)
    lengths = np.diff(edges)
    return Load(
        processors=processors,
        guessed=columns.machine.processors is None or columns.machine.guessed,
        used=float(columns.work.sum()) / (processors * span),
        taken=float((columns.run_time * columns.processors).sum()) / (processors * span),
        peak=peak,
        overfull=overfull,
        beyond=beyond,
        hardly_more=round(hardly_more),
        ceiling=hardly_more / often if often > 0.0 else np.inf,
        by_week=busy / (processors * lengths),
        jobs_by_week=np.histogram(columns.submit_time, edges)[0].astype(np.int64),
        starts_known=starts_known(columns),
        waits_told=bool(np.nan_to_num(columns.wait_time).any()),
    )


def week_edges(columns: "Columns") -> "NDArray[np.float64]":
    """Return the edges of the weeks in seconds, from the first submission to the last."""
    edges = np.arange(columns.first, max(columns.last, columns.first + 1.0), WEEK)
    # a last piece of less than a day would look like an idle or extreme week
    if len(edges) > 1 and columns.last - edges[-1] < WEEK / 7:
        edges = edges[:-1]
    return np.append(edges, max(columns.last, columns.first + 1.0))


def busy_seconds(columns: "Columns", edges: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the processor seconds that jobs used on the real machine between successive dates.

    Parameters
    ----------
    columns
        The log.
    edges
        Dates in seconds, ascending, shape (pieces + 1,).

    Returns
    -------
    ndarray
        Shape (pieces,).
    """
    until = _used_until(columns.start_time, columns.allocated, edges) - _used_until(
        columns.end_time, columns.allocated, edges
    )
    return np.diff(until)


def _used_until(
    dates: "NDArray[np.float64]", processors: "NDArray[np.int64]", edges: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return the processor seconds up to each edge, if processors are used from each date on."""
    order = np.argsort(dates)
    sizes = processors[order].astype(np.float64)
    # use seconds since the first date, because sums of Unix dates would lose digits
    sorted_dates = dates[order] - edges[0]
    taken = np.concatenate([[0.0], np.cumsum(sizes)])
    moments = np.concatenate([[0.0], np.cumsum(sizes * sorted_dates)])
    before = np.searchsorted(sorted_dates, edges - edges[0], side="right")
    used: NDArray[np.float64] = taken[before] * (edges - edges[0]) - moments[before]
    return used


def starts_known(columns: "Columns") -> bool:
    """Return True if the log has the starts of nearly all jobs."""
    return bool(np.isfinite(columns.wait_time).mean() >= NEARLY_ALL)


def schedule_of(columns: "Columns", *, machine: int) -> MachineSchedule:
    """Return the jobs' dates on the real machine, with its number of processors."""
    return MachineSchedule(
        submit_time=columns.submit_time,
        start_time=columns.start_time,
        end_time=columns.end_time,
        processors=columns.allocated.astype(np.float64),
        walltime=np.where(columns.walltime >= 0.0, columns.walltime, np.inf),
        machine=machine,
    )


HOLE_LENGTH = DAY
"""A period without submissions may be a hole if it lasts at least this many seconds."""
HOLE_JOBS = 20.0
"""Such a period is a hole if at least this many jobs are usually submitted in these hours of the
week."""
FLURRY_FACTOR = 5.0
"""A user's day belongs to a flurry if the user submits more than this factor times the jobs that
all other users together submit on a median day.
"""
FLURRY_JOBS = 100
"""The minimum number of a user's jobs on a day that belongs to a flurry."""
FLURRY_PAUSE = 7
"""Largest gap between the days of one flurry, in days."""

HOURS_OF_WEEK = 168


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A period without submissions, in hours of the week that usually have some."""

    begin: float
    end: float
    """Dates of the last submission before the hole and the first after it, in seconds of the
    log."""
    usual_jobs: float
    """Average number of submissions in these hours of the week."""
    busy: float | None
    """Share of the machine's processors that were busy in this period; ``None`` if the log does not
    contain the jobs' starts.
    """

    @property
    def length(self) -> float:
        """Length in seconds."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Flurry:
    """Days on which one user submits far more jobs than all others together on a usual day."""

    user: str
    """The user's name."""
    begin: float
    end: float
    """The user's first and last submission in the flurry, in seconds of the log."""
    jobs: int
    """Number of jobs that the user submitted in the flurry."""
    share: float
    """Share of the flurry's jobs among all jobs of the log."""
    most_alike: float
    """Share of the flurry's jobs that have its most frequent combination of size and walltime."""


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
    evaluation" (ISPASS 2006). The Parallel Workloads Archive lists flurries that people found by
    eye; this function uses the rule above.
    """
    days = ((columns.submit_time - columns.first) // DAY).astype(np.int64)
    day_count = int(days[-1]) + 1
    all_jobs = np.bincount(days, minlength=day_count)
    found = []
    for user in _busy_users(columns.user, days, day_count):
        is_users = columns.user == user
        own_jobs = np.bincount(days[is_users], minlength=day_count)
        usual = float(np.median(all_jobs - own_jobs))
        many = np.flatnonzero(own_jobs > max(FLURRY_JOBS - 1, FLURRY_FACTOR * usual))
        pieces = np.split(many, np.flatnonzero(np.diff(many) > FLURRY_PAUSE) + 1)
        for piece in pieces:
            if len(piece):
                there = is_users & (days >= piece[0]) & (days <= piece[-1])
                found.append(_flurry(columns, there, columns.user_names[user]))
    return sorted(found, key=lambda flurry: -flurry.jobs)


def _busy_users(users: "NDArray[np.int32]", days: "NDArray[np.int64]", day_count: int) -> list[int]:
    """Return the users who submitted at least `FLURRY_JOBS` jobs on one day."""
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
