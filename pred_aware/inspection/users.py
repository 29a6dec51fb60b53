"""Users of a log, by jobs and processor time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pred_aware.inspection.columns import Columns

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
