"""Resamples of a Batsim workload: the weeks of its users are rearranged, as in another year."""

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
"""Users whose jobs span more weeks than this are permanent users; others are temporary."""

_FEWEST_WEEKS = 2


class ResamplingError(RedatingError):
    """An error about a resample."""


@dataclass(frozen=True, slots=True, eq=False)
class _Users:
    """The users, and how far their jobs may move."""

    of_job: "NDArray[np.int64]"
    """Index of each job's user; shape (jobs,)."""
    long_term: "NDArray[np.bool_]"
    """True for a permanent user; shape (users,)."""
    first: "NDArray[np.int64]"
    weeks: "NDArray[np.int64]"
    """Week of a user's first job, and number of weeks that the user's jobs span; shape (users,)."""


class Resampler:
    """Makes resamples of a workload, and computes the shared parts only once.

    All jobs of a user move together by a number of whole weeks that is drawn for this user. A user
    whose jobs span more than 12 weeks, or more than half of the workload's weeks, is permanent:
    these jobs are rotated around the workload's weeks. All other users are temporary: their jobs
    keep their span, and begin in any week in which the span fits. (A span consists of all weeks
    that it touches, counted from the first submission. The workload's number of weeks is its whole
    span, rounded.) A job without a user counts as a user of its own.

    Each job keeps its weekday and its time of day in seconds; its local hour changes if clocks
    changed between the two weeks. Each user keeps the order and distances of the jobs, except at
    the end of the rotation. The workload keeps its jobs. Chance decides which users meet, and how
    much is submitted in a week.

    Other fields are kept as in `Redated`. Warm-up marks move to the first jobs of the resample, as
    many as in the workload.

    Parameters
    ----------
    raw
        The workload, of at least two weeks.

    Raises
    ------
    ResamplingError
        The workload is too short.
    RedatingError
        The workload is already a perturbed copy or a resample.
    WorkloadError
        The workload cannot be read.

    Notes
    -----
    After N. Zakay and D. G. Feitelson, "Workload resampling for performance evaluation of parallel
    job schedulers" (ICPE 2013; Concurrency and Computation: Practice and Experience 2014).
    Resampling breaks the feedback of users to each other and to the queue (Feitelson, "Resampling
    with feedback", Euro-Par 2016): users who submitted less while the machine was crowded no longer
    do so.
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
                "rearranges "
                "weeks; give a log of two weeks or more",
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
        """Number of users."""
        return len(self._users.first)

    @property
    def long_term(self) -> int:
        """Return the number of permanent users."""
        return int(self._users.long_term.sum())

    def resample(self, seed: int) -> RawWorkload:
        """Return the resample for a seed of at least 0. The same seed gives the same resample.

        Its name and its JSON contain the seed, the numbers of users and permanent users, the number
        of weeks, and the load: the submitted work divided by the machine's capacity, over all weeks
        (`load`) and in the fullest week (`fullest_week`).

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
        """Return the week of each job in a resample."""
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
        """Return a job's processor-seconds; NaN if they depend on the processors' speed."""
        profile_values = self.raw.profiles[profile]
        return processors * profile_values.delay if profile_values.type == "delay" else math.nan

    def _load(self, week: "NDArray[np.int64]") -> dict[str, float]:
        machine = (self.raw.nb_res or math.nan) * WEEK
        by_week = np.bincount(week, self._area, minlength=self.weeks) / machine
        if not np.isfinite(by_week).all():
            return {}
        loads = {"load": float(by_week.mean()), "fullest_week": float(by_week.max())}
        return {name: round(value, 4) for name, value in loads.items()}
