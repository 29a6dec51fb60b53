"""The inspection of a log."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.inspection.columns import (
    RATIO_STEPS,
    Columns,
    WalltimeAccuracy,
    accuracy_of,
    distribution,
    read_columns,
)
from pred_aware.inspection.load import (
    Flurry,
    Hole,
    Load,
    by_hour_of_week,
    flurries,
    holes,
    load_of,
    schedule_of,
)
from pred_aware.recorded_queue.limits import Clues
from pred_aware.recorded_queue.limits import clues as clues_of
from pred_aware.recorded_queue.recorded_jobs import Labels
from pred_aware.report.clock import DAY, LogClock, make_clock, plausible_start

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workload_tools.log import Log


BUSIEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Jobs, work and typical times of a user."""

    name: str
    """Name in the log."""
    jobs: int
    """Number of jobs."""
    share_of_jobs: float
    share_of_work: float
    """Shares of all jobs, and of all processor seconds."""
    median_run_time: float
    median_walltime: float | None
    """In seconds; the walltime is ``None`` if the user never requested one."""
    median_ratio: float | None
    """Median of run time / walltime; ``None`` if the user never requested a walltime."""


def busiest_users(columns: "Columns") -> list[User]:
    """Return the users with most jobs, and the user with most work.

    Returns
    -------
    list of User
        Up to 10 users with most jobs. The user with most processor seconds is added if that user is
        not among them.
    """
    known = columns.user >= 0
    if not known.any():
        return []
    users = columns.user[known]
    count = len(columns.user_names)
    jobs = np.bincount(users, minlength=count)
    work = np.bincount(users, weights=columns.work[known], minlength=count)
    most = list(np.argsort(-jobs, kind="stable")[:BUSIEST])
    hungriest = int(work.argmax())
    if hungriest not in most:
        most.append(np.int64(hungriest))
    # if all jobs run 0 s, there is no work: avoid a division by 0
    total = float(columns.work.sum()) or 1.0
    return [_user(columns, int(user), int(jobs[user]), float(work[user]) / total) for user in most]


def _user(columns: "Columns", user: int, jobs: int, share_of_work: float) -> User:
    is_users = columns.user == user
    walltimes = columns.walltime[is_users]
    walltimes = walltimes[np.isfinite(walltimes)]
    ratios = columns.ratio[is_users]
    ratios = ratios[np.isfinite(ratios)]
    return User(
        name=columns.user_names[user],
        jobs=jobs,
        share_of_jobs=jobs / len(columns),
        share_of_work=share_of_work,
        median_run_time=float(np.median(columns.run_time[is_users])),
        median_walltime=float(np.median(walltimes)) if len(walltimes) else None,
        median_ratio=float(np.median(ratios)) if len(ratios) else None,
    )


MOST = 0.5
"""Memory limits are looked for if at least this share of jobs has a known memory request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """All results of a log's inspection."""

    path: Path
    """Path of the log."""
    columns: Columns
    """The jobs of the log."""
    clock: LogClock
    """Converts the log's seconds to dates."""
    load: Load
    """Load of the machine."""
    distributions: Mapping[str, Mapping[str, float] | None]
    """Quantiles and means of processors, run times, walltimes, waits, and seconds between
    submissions; ``None`` where the log has no values.
    """
    accuracy: WalltimeAccuracy | None
    """Run times compared with walltimes; ``None`` without walltimes."""
    users: tuple[User, ...]
    """The busiest users, by number of jobs."""
    arrivals: "NDArray[np.int64]"
    """Submissions by weekday and hour, shape (7, 24), starting on Monday at midnight."""
    holes: tuple[Hole, ...]
    flurries: tuple[Flurry, ...]
    """Periods without submissions, longest first; and flurries, largest first."""
    clues: Clues | None = None
    """What the recorded dates show about why jobs waited; ``None`` if the log has no waits."""

    @property
    def days(self) -> float:
        """Days from the first submission to the last."""
        return (self.columns.last - self.columns.first) / DAY

    def to_dict(self) -> dict[str, Any]:
        """Return all results for JSON; times are in seconds, shares from 0 to 1."""
        columns, clock = self.columns, self.clock
        return {
            "log": self.path.name,
            "jobs": len(columns),
            "records": columns.report.to_dict(),
            "period": {
                "first_submission": self._when(columns.first),
                "last_submission": self._when(columns.last),
                "days": self.days,
                "time_zone": clock.zone_name,
            },
            "machine": {
                "processors": columns.machine.processors,
                "nodes": columns.machine.nodes,
                "guessed": self.load.guessed,
            },
            "load": {
                "used": self.load.used,
                "taken": self.load.taken,
                "peak_processors": self.load.peak,
                "overfull": self.load.overfull,
                "work_beyond": self.load.beyond,
                "by_week": self.load.by_week.tolist(),
                "jobs_by_week": self.load.jobs_by_week.tolist(),
                "starts_known": self.load.starts_known,
            },
            "distributions": self.distributions,
            "accuracy": self._accuracy(),
            "users": {"count": len(columns.user_names), "busiest": [asdict(u) for u in self.users]},
            "arrivals_by_weekday_and_hour": self.arrivals.tolist(),
            "holes": [self._between(hole) for hole in self.holes],
            "flurries": [self._between(flurry) for flurry in self.flurries],
            "waiting": None if self.clues is None else asdict(self.clues),
            "known": dict(columns.known),
            "states": dict(columns.states),
            "queues": dict(columns.queues),
        }

    def _when(self, second: float) -> str | float:
        """Return the date of a second, or the second itself if the log has no dates."""
        if not self.clock.knows_dates:
            return second
        return self.clock.datetime(second).isoformat()

    def _between(self, found: Hole | Flurry) -> dict[str, Any]:
        return {
            **asdict(found),
            "begin": self._when(found.begin),
            "end": self._when(found.end),
            "begin_second": found.begin,
            "end_second": found.end,
        }

    def _accuracy(self) -> dict[str, Any] | None:
        if self.accuracy is None:
            return None
        figures = asdict(self.accuracy)
        curve = zip(RATIO_STEPS, figures.pop("below"), strict=True)
        return {**figures, "share_with_ratio_at_most": {f"{at:.2f}": share for at, share in curve}}


def inspect_log(
    log: "Log", path: Path, *, processors: int | None = None, time_zone: str | None = None
) -> Inspection:
    """Read all jobs of a log and inspect them.

    Parameters
    ----------
    log
        A log that has not been read yet.
    path
        Path of the log.
    processors
        Number of processors of the machine; replaces the size in the log.
    time_zone
        The machine's time zone, such as ``Europe/Paris``; replaces the time zone in the log.

    Raises
    ------
    PredAwareError
        The time zone is unknown.
    LogError
        The log cannot be read, or the reader keeps none of its jobs.
    """
    # report a wrong time zone before reading a long log
    make_clock(None, None, given=time_zone)
    columns = read_columns(log, path=path)
    machine = columns.machine
    if processors is not None:
        machine.processors, machine.guessed = processors, False
    start = plausible_start(machine.start_time, columns.first, columns.last)
    clock = make_clock(start, machine.time_zone, given=time_zone)
    load = load_of(columns)
    return Inspection(
        path=path,
        columns=columns,
        clock=clock,
        load=load,
        distributions={
            "processors": distribution(columns.processors),
            "run_time": distribution(columns.run_time),
            "walltime": distribution(columns.walltime),
            "wait_time": distribution(columns.wait_time),
            "interarrival_time": distribution(np.diff(columns.submit_time)),
        },
        accuracy=accuracy_of(columns),
        users=tuple(busiest_users(columns)),
        arrivals=by_hour_of_week(columns, clock),
        holes=tuple(holes(columns, clock, processors=load.processors)),
        flurries=tuple(flurries(columns)),
        clues=_clues(columns, load) if load.starts_known else None,
    )


def _clues(columns: Columns, load: Load) -> Clues:
    """Look for reasons other than too few processors why jobs waited."""
    labels = {
        kind: Labels(columns.labels[kind], names) for kind, names in columns.names.items() if names
    }
    return clues_of(schedule_of(columns, machine=load.processors), labels=labels)
