"""A model of a job log, with users who repeat their jobs and round their walltimes up.

The model is for demonstrations and examples. For conclusions about a machine, use the machine's own
log. The model has no users who react to the queue, dependencies, memory, maintenance or differences
between months.

- A user has 1 + Poisson(2) applications. A fifth of them use 1 processor, the others a power of two
  up to half of the machine. A fifth of these powers is multiplied by 0.75, 1.25 or 1.5.
- The typical run time of an application is lognormal (median 35 min, sigma 1.4). The run time of a
  job is the typical run time times a lognormal factor (sigma 0.05 to 0.6, by application).
- A session is 1 + Pareto(1.1) jobs of one application. Pauses between them are up to 3 s in 40 %
  of the sessions, otherwise lognormal (median 4 min).
- Queues follow the walltime: short up to 1 h, normal up to 8 h, then long.

For sizes see Lublin and Feitelson, JPDC 63(11), 2003; for walltimes Tsafrir, Etsion and Feitelson,
JSSPP 2005.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINUTE = 60
HOUR = 3600
DAY = 86400
# common walltimes in seconds: 5, 10, 15, 30 min, 1, 2, 4, 6, 8, 12 and 24 h
WALLTIMES = np.array([5, 10, 15, 30, 60, 120, 240, 360, 480, 720, 1440]) * MINUTE
LONGEST = int(WALLTIMES[-1])
# submissions in each hour of the day, relative to the mean hour
HOURS = np.array(
    [
        *(0.30, 0.22, 0.18, 0.15, 0.15, 0.18, 0.25, 0.45, 0.90, 1.50, 1.85, 1.90),
        *(1.60, 1.75, 2.00, 2.00, 1.90, 1.65, 1.25, 0.95, 0.80, 0.70, 0.55, 0.40),
    ]
)
# submissions on each day of the week from Monday, relative to the mean day
DAYS = np.array([1.05, 1.15, 1.15, 1.10, 0.95, 0.40, 0.35])


@dataclass(frozen=True, slots=True, kw_only=True)
class LogModel:
    """The parameters of the log model."""

    jobs: int = 5000
    """Number of submitted jobs."""
    processors: int = 256
    """Number of processors of the machine."""
    load: float = 0.85
    """Processor seconds of the jobs, divided by the machine's processor seconds from the first to
    the last submission.
    """
    users: int = 60
    """Number of users."""
    activity_exponent: float = 0.8
    """The user of rank k starts sessions in proportion to k to the power of minus this (Zipf)."""
    mean_applications: float = 3.0
    """Mean number of applications of a user."""
    habits: tuple[float, float, float] = (0.4, 0.4, 0.2)
    """Shares of users who request a little more time than needed (1.1 to 2 times), who request much
    more (2 to 10 times), and who always request the longest walltime.
    """
    same_again: float = 0.7
    """Probability that a session runs the same application as the user's previous session."""
    failures: float = 0.06
    """Share of jobs that fail within their first minutes."""

    def __post_init__(self) -> None:
        """Raise an error if the parameters do not define a log."""
        for name in ("jobs", "processors", "users"):
            if getattr(self, name) < 1:
                raise PredAwareError(f"{name} of the log model must be at least 1")
        if self.load <= 0:
            raise PredAwareError(f"load of the log model is {self.load}; it must be above 0")


@dataclass(frozen=True, slots=True)
class ModelJob:
    """A job of the model; times are in seconds, names are numbers from 1, status is as in SWF."""

    submit_time: int
    run_time: int
    processors: int
    walltime: int
    status: int
    user: int
    group: int
    application: int
    queue: int


@dataclass(frozen=True, slots=True)
class _Application:
    """Jobs that a user runs repeatedly, with one size, one walltime, and similar run times."""

    number: int
    processors: int
    typical_run_time: float
    spread: float
    walltime: int


@dataclass(frozen=True, slots=True)
class _ModelUser:
    number: int
    group: int
    applications: tuple[_Application, ...]


@dataclass(frozen=True, slots=True)
class _Session:
    """Jobs of one user and application; submissions are relative to the session's start."""

    user: _ModelUser
    application: _Application
    offsets: "NDArray[np.float64]"
    run_times: "NDArray[np.int64]"
    failed: "NDArray[np.bool_]"


def model_log(model: LogModel, rng: np.random.Generator) -> list[ModelJob]:
    """Return the jobs of a log, by submission time in seconds since midnight of a Monday.

    The model first draws sessions. The work of their jobs and the requested load determine the
    length of the log. Then the model distributes the sessions over the hours and days of this time.

    Parameters
    ----------
    model
        The parameters of the model.
    rng
        Random generator; the same state gives the same log.

    Examples
    --------
    >>> jobs = model_log(LogModel(jobs=100), np.random.default_rng(1))
    >>> len(jobs), all(job.run_time <= job.walltime for job in jobs)
    (100, True)
    """
    users = _users(model, rng)
    sessions = _sessions(model, users, rng)
    work = sum(s.application.processors * int(s.run_times.sum()) for s in sessions)
    starts = _session_starts(len(sessions), work / (model.processors * model.load), rng)
    jobs = [
        ModelJob(
            submit_time=int(start + offset),
            run_time=int(run_time),
            processors=session.application.processors,
            walltime=session.application.walltime,
            status=0 if failed or run_time >= session.application.walltime else 1,
            user=session.user.number,
            group=session.user.group,
            application=session.application.number,
            queue=_queue(session.application.walltime),
        )
        for start, session in zip(starts, sessions, strict=True)
        for offset, run_time, failed in zip(
            session.offsets, session.run_times, session.failed, strict=True
        )
    ]
    return sorted(jobs, key=lambda job: job.submit_time)


def _users(model: LogModel, rng: np.random.Generator) -> list[_ModelUser]:
    groups = max(1, model.users // 4)
    users = []
    application_number = 0
    for number in range(1, model.users + 1):
        habit = rng.choice(3, p=model.habits)
        applications = []
        for _ in range(1 + rng.poisson(max(0.0, model.mean_applications - 1))):
            application_number += 1
            applications.append(_application(application_number, habit, model.processors, rng))
        users.append(_ModelUser(number, int(rng.integers(1, groups + 1)), tuple(applications)))
    return users


def _application(number: int, habit: int, machine: int, rng: np.random.Generator) -> _Application:
    typical = float(np.clip(rng.lognormal(math.log(35 * MINUTE), 1.4), 20, 10 * HOUR))
    spread = float(rng.uniform(0.05, 0.6))
    factor = (rng.uniform(1.1, 2.0), rng.uniform(2.0, 10.0), math.inf)[habit]
    wanted = min(float(LONGEST), typical * factor)
    return _Application(
        number=number,
        processors=_size(machine, rng),
        typical_run_time=typical,
        spread=spread,
        walltime=int(WALLTIMES[np.searchsorted(WALLTIMES, wanted)]),
    )


def _size(machine: int, rng: np.random.Generator) -> int:
    """Draw a size: often one processor, usually a power of two up to half of the machine."""
    if rng.random() < 0.2:  # noqa: PLR2004 - the share of applications that are not parallel
        return 1
    most = max(1.0, math.log2(machine) - 1)
    size = 2.0 ** round(rng.triangular(0, 0.6 * most, most))
    if rng.random() < 0.2:  # noqa: PLR2004 - the share that asks for another number
        size *= float(rng.choice([0.75, 1.25, 1.5]))
    return int(np.clip(round(size), 1, machine))


def _sessions(model: LogModel, users: list[_ModelUser], rng: np.random.Generator) -> list[_Session]:
    activity = np.arange(1, len(users) + 1) ** -model.activity_exponent
    activity /= activity.sum()
    before: dict[int, _Application] = {}
    sessions = []
    left = model.jobs
    while left:
        user = users[rng.choice(len(users), p=activity)]
        application = before.get(user.number)
        if application is None or rng.random() >= model.same_again:
            application = user.applications[rng.integers(len(user.applications))]
        before[user.number] = application
        # most sessions have one or two jobs, some have dozens
        count = min(left, 60, 1 + int(rng.pareto(1.1)))
        left -= count
        sessions.append(_session(user, application, count, failures=model.failures, rng=rng))
    return sessions


def _session(
    user: _ModelUser,
    application: _Application,
    count: int,
    *,
    failures: float,
    rng: np.random.Generator,
) -> _Session:
    at_once = rng.random() < 0.4  # noqa: PLR2004 - the share of sessions submitted by a script
    pauses = (
        rng.uniform(0, 3, count) if at_once else rng.lognormal(math.log(4 * MINUTE), 1.2, count)
    )
    pauses[0] = 0
    lengths = application.typical_run_time * rng.lognormal(0, application.spread, count)
    failed = rng.random(count) < failures
    lengths = np.where(failed, np.minimum(lengths, rng.uniform(2, 2 * MINUTE, count)), lengths)
    run_times = np.clip(np.round(lengths), 1, application.walltime).astype(np.int64)
    return _Session(user, application, np.cumsum(pauses), run_times, failed)


def _session_starts(count: int, span: float, rng: np.random.Generator) -> "NDArray[np.float64]":
    """Distribute sessions over the time from 0 to `span`, by hour and day."""
    hours = np.arange(max(1, math.ceil(span / HOUR)))
    intensity = HOURS[hours % 24] * DAYS[hours // 24 % 7]
    chosen = rng.choice(hours, size=count, p=intensity / intensity.sum())
    return HOUR * (chosen + rng.random(count))


def _queue(walltime: int) -> int:
    """Return the queue of a job: 1 (short) up to 1 h, 2 (normal) up to 8 h, 3 (long) above."""
    return 1 if walltime <= HOUR else 2 if walltime <= 8 * HOUR else 3
