"""All that is found out about a log."""

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
from pred_aware.recorded_queue.clues import Clues
from pred_aware.recorded_queue.clues import clues as clues_of
from pred_aware.recorded_queue.labels import Labels
from pred_aware.report.clock import DAY, LogClock, believed, make_clock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workload_tools.log import Log


BUSIEST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """What a user did."""

    name: str
    """As the log has it."""
    jobs: int
    """How many."""
    share_of_jobs: float
    share_of_work: float
    """Over all jobs, and over the processor-seconds of all jobs."""
    median_run_time: float
    median_walltime: float | None
    """Seconds; the walltime is ``None`` when the user gave none."""
    median_ratio: float | None
    """Median of run time over walltime."""


def busiest_users(columns: "Columns") -> list[User]:
    """Return those who submitted most jobs, and those who used most of the machine.

    Returns
    -------
    list of User
        Up to 10 with most jobs, and whoever used more than they all, by number of jobs.
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
    # jobs that take no time do no work
    total = float(columns.work.sum()) or 1.0
    return [_user(columns, int(user), int(jobs[user]), float(work[user]) / total) for user in most]


def _user(columns: "Columns", user: int, jobs: int, share_of_work: float) -> User:
    own = columns.user == user
    walltimes = columns.walltime[own]
    walltimes = walltimes[np.isfinite(walltimes)]
    ratios = columns.ratio[own]
    ratios = ratios[np.isfinite(ratios)]
    return User(
        name=columns.user_names[user],
        jobs=jobs,
        share_of_jobs=jobs / len(columns),
        share_of_work=share_of_work,
        median_run_time=float(np.median(columns.run_time[own])),
        median_walltime=float(np.median(walltimes)) if len(walltimes) else None,
        median_ratio=float(np.median(ratios)) if len(ratios) else None,
    )


MOST = 0.5
"""Share of the jobs that must tell their memory, so that a limit of it can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A log, looked at from all sides."""

    path: Path
    """The log's file."""
    columns: Columns
    """Its jobs."""
    clock: LogClock
    """Its dates."""
    load: Load
    """How busy the machine was."""
    distributions: Mapping[str, Mapping[str, float] | None]
    """Of processors, run times, walltimes, waits, and seconds from one submission to the next."""
    accuracy: WalltimeAccuracy | None
    """How run times compare with walltimes; ``None`` without walltimes."""
    users: tuple[User, ...]
    """The busiest, by number of jobs."""
    arrivals: "NDArray[np.int64]"
    """Submissions by weekday and hour, shape (7, 24), from Monday and midnight."""
    holes: tuple[Hole, ...]
    flurries: tuple[Flurry, ...]
    """Longest, largest first."""
    clues: Clues | None = None
    """What the dates show of why jobs waited; ``None`` where the log tells no waits."""

    @property
    def days(self) -> float:
        """Days from the first submission to the last."""
        return (self.columns.last - self.columns.first) / DAY

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as they are written to JSON; times in seconds, shares from 0 to 1."""
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
        """Write a date in full, or the log's own second if there are no dates."""
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
    """Read a log to its end and look at it from all sides.

    Parameters
    ----------
    log
        Of which nothing was read yet.
    path
        Its file.
    processors
        Size of the machine, where the log does not tell or the user knows better.
    time_zone
        The machine's, such as ``Europe/Paris``, for the same reasons.

    Raises
    ------
    PredAwareError
        The time zone is unknown.
    LogError
        The log can't be read, or no job of it is kept.
    """
    # what is wrong with the option is told before a long log is read
    make_clock(None, None, given=time_zone)
    columns = read_columns(log, path=path)
    machine = columns.machine
    if processors is not None:
        machine.processors, machine.guessed = processors, False
    start = believed(machine.start_time, columns.first, columns.last)
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
    """Look for what made jobs wait."""
    labels = {
        kind: Labels(columns.labels[kind], names) for kind, names in columns.names.items() if names
    }
    return clues_of(schedule_of(columns, machine=load.processors), labels=labels)
