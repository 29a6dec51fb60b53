"""Resample a Batsim workload: move the jobs of each user by a random number of whole weeks."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workload_tools.batsim.workload import RawWorkload
from workload_tools.changes.redated import Redated, RedatingError, rounded
from workload_tools.changes.shaken import users_of
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEEK = 7 * 86400.0

LONG_TERM = 12
"""Users whose jobs span more weeks than this are permanent; the other users are temporary."""

_FEWEST_WEEKS = 2


class ResamplingError(RedatingError):
    """A workload cannot be resampled."""


@dataclass(frozen=True, slots=True, eq=False)
class _Users:
    """The users of a workload, and the weeks in which they submitted jobs."""

    of_job: "NDArray[np.int64]"
    """Index of each job's user; shape (jobs,)."""
    long_term: "NDArray[np.bool_]"
    """True for a permanent user; shape (users,)."""
    first: "NDArray[np.int64]"
    weeks: "NDArray[np.int64]"
    """Week of each user's first job, and number of weeks that the jobs span; shape (users,)."""


class Resampler:
    """Makes resamples of a workload. It parses the workload only once.

    All jobs of a user move together by whole weeks. The number of weeks is drawn for each user. A
    user is permanent if the jobs span more than 12 weeks, or more than half of the workload's
    weeks. The jobs of a permanent user are rotated: jobs that move beyond the last week continue in
    the first week. Other users are temporary. Their jobs begin in a random week, chosen so that all
    jobs stay within the workload's weeks. (Weeks are counted from the first submission. A user's
    span contains each week between the first and the last job. The workload's span is rounded to
    whole weeks.) Each job without a user moves separately.

    Each job keeps its weekday and its time of day, but its local hour changes if daylight saving
    time began or ended between the two weeks. The jobs of a user keep their order and distances,
    except where a rotation continues in the first week. Jobs are neither added nor removed. Chance
    decides which users are active in the same week, and how much work each week contains.

    Other fields are copied as in `Redated`. Warm-up marks move to the first jobs of the resample;
    their number stays the same.

    Parameters
    ----------
    raw
        The workload; its jobs must span at least two weeks.

    Raises
    ------
    ResamplingError
        The workload spans less than two weeks.
    RedatingError
        The workload is already a perturbed copy or a resample.
    WorkloadError
        The workload cannot be read.

    Notes
    -----
    After N. Zakay and D. G. Feitelson, "Workload resampling for performance evaluation of parallel
    job schedulers" (ICPE 2013; Concurrency and Computation: Practice and Experience 2014).
    Resampling removes feedback (Feitelson, "Resampling with feedback", Euro-Par 2016). In the log,
    users submitted less while the machine was crowded. In a resample, they do not react to load.
    """

    def __init__(self, raw: RawWorkload) -> None:
        self.raw = raw
        self._copies = Redated(raw, marks_move=True)
        dates = self._copies.dates
        self._first = float(dates.min(initial=np.inf))
        span = float(dates.max(initial=self._first)) - self._first if len(dates) else 0.0
        self.weeks = round(span / WEEK)
        if self.weeks < _FEWEST_WEEKS:
            raise ResamplingError(
                raw.name,
                f"cannot be resampled: its jobs span {span / 86400:.3g} days, but resampling "
                "moves jobs by whole weeks; give a log of two weeks or more",
            )
        try:
            of_job = users_of(raw.content)
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"cannot be read: {error}") from error
        self._week = np.floor((dates - self._first) / WEEK).astype(np.int64)
        self._users = self._grouped(of_job)
        self._area = np.array([self._work(job.profile, job.res) for job in raw.jobs], float)

    @property
    def users(self) -> int:
        """Number of users; each job without a user counts as one."""
        return len(self._users.first)

    @property
    def long_term(self) -> int:
        """Return the number of permanent users."""
        return int(self._users.long_term.sum())

    def resample(self, seed: int) -> RawWorkload:
        """Return the resample for a seed of at least 0. The same seed gives the same resample.

        The JSON of the resample contains the seed, the numbers of users and permanent users, and
        the number of weeks. It also contains the load (submitted work / capacity of the machine)
        over all weeks (`load`) and in the week with the highest load (`fullest_week`).

        Raises
        ------
        ResamplingError
            The seed is negative.
        """
        if seed < 0:
            raise ResamplingError(
                self.raw.name, f"cannot be resampled with the seed {seed}; give 0 or more"
            )
        week = self._moved(seed)
        dates = rounded(self._copies.dates + (week - self._week) * WEEK)
        provenance = {
            "seed": seed,
            "users": self.users,
            "long_term": self.long_term,
            "weeks": self.weeks,
            **self._load(week),
        }
        name = f"{self.raw.name}, resample {seed}"
        return self._copies.written(dates, name=name, mark="resampled", provenance=provenance)

    def _moved(self, seed: int) -> "NDArray[np.int64]":
        """Return the week of each job in the resample for a seed."""
        users = self._users
        # the raw bits of this generator are the same in every version of NumPy
        bits = np.random.PCG64(seed).random_raw(self.users)
        share = (bits >> np.uint64(11)) * 2.0**-53
        places = np.where(users.long_term, self.weeks, self.weeks - users.weeks + 1)
        drawn = np.floor(share * places).astype(np.int64)
        move = np.where(users.long_term, drawn, drawn - users.first)
        moved: NDArray[np.int64] = (self._week + move[users.of_job]) % self.weeks
        return moved

    def _grouped(self, of_job: "NDArray[np.int64]") -> _Users:
        count = int(of_job.max(initial=-1)) + 1
        first, last = np.full(count, np.iinfo(np.int64).max), np.zeros(count, np.int64)
        np.minimum.at(first, of_job, self._week)
        np.maximum.at(last, of_job, self._week)
        weeks = last - first + 1
        return _Users(of_job, weeks > min(LONG_TERM, self.weeks / 2.0), first, weeks)

    def _work(self, profile: str, processors: int) -> float:
        """Return a job's processor-seconds; NaN if the processors' speed decides the run time."""
        profile_values = self.raw.profiles[profile]
        return processors * profile_values.delay if profile_values.type == "delay" else math.nan

    def _load(self, week: "NDArray[np.int64]") -> dict[str, float]:
        machine = (self.raw.nb_res or math.nan) * WEEK
        by_week = np.bincount(week, self._area, minlength=self.weeks) / machine
        if not np.isfinite(by_week).all():
            return {}
        loads = {"load": float(by_week.mean()), "fullest_week": float(by_week.max())}
        return {name: round(value, 4) for name, value in loads.items()}
