"""A Batsim workload resampled: its users' weeks rearranged, as another year may have been."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workload_tools.batsim.workload import UNREADABLE, RawWorkload
from workload_tools.changes.redated import Redated, RedatingError, rounded
from workload_tools.changes.shaken import users_of
from workload_tools.errors import WorkloadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEEK = 7 * 86400.0

LONG_TERM = 12
"""Users whose jobs span more weeks than this belong to the machine; others come and go."""

_FEWEST_WEEKS = 2


class ResamplingError(RedatingError):
    """A resample that can't be made."""


@dataclass(frozen=True, slots=True, eq=False)
class _Users:
    """Who moves, and how far they may."""

    of_job: "NDArray[np.int64]"
    """The place of each job's user; shape (jobs,)."""
    long_term: "NDArray[np.bool_]"
    """Whether a user is there all the time; shape (users,)."""
    first: "NDArray[np.int64]"
    weeks: "NDArray[np.int64]"
    """The week of a user's first job, and over how many weeks the jobs go; shape (users,)."""


class Resampler:
    """Makes resamples of a workload, all that they share once.

    All jobs of a user are moved together by whole weeks, those of each user by a number of weeks of
    its own. A user whose jobs span more than 12 weeks, or more than half of the workload's, is
    there all the time (a span is all weeks, counted from the first submission, that it touches; the
    workload's weeks are its whole span, rounded): the workload's weeks are a ring, on which these
    jobs are rotated. All others come and go: theirs keep their span, and begin in any week from
    which it still fits. A job without a user is a user of its own. So each job keeps its weekday
    and hour (in seconds: where clocks change between the old week and the new one, its local hour
    is another), each user the order and distances of the jobs but where the ring is closed, and the
    workload its jobs. Which users meet is left to chance, and so is how much is submitted in which
    week.

    What else the workload tells stays as `Redated` says; of a warm-up's marks as many as there are
    are given to the first jobs of the resample.

    Parameters
    ----------
    raw
        The workload, of two weeks at least.

    Raises
    ------
    ResamplingError
        It is too short.
    RedatingError
        The workload is a shake or a resample itself.
    WorkloadError
        The workload has what can't be read.

    Notes
    -----
    After N. Zakay and D. G. Feitelson, "Workload resampling for performance evaluation of parallel
    job schedulers" (ICPE 2013; Concurrency and Computation: Practice and Experience 2014). What
    users do in answer to each other and to the queue is broken (Feitelson, "Resampling with
    feedback", Euro-Par 2016): many that held back in one another's crowded weeks no longer do.
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
                f"can't be resampled: its jobs are of {span / 86400:.3g} days, and users' weeks "
                "are rearranged; take a log of two weeks or more",
            )
        try:
            of_job = users_of(raw.content)
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"has what can't be read: {error}") from error
        self._week = np.floor((dates - self._first) / WEEK).astype(np.int64)
        self._users = self._grouped(of_job)
        self._area = np.array([self._work(job.profile, job.res) for job in raw.jobs], float)

    @property
    def users(self) -> int:
        """How many users there are."""
        return len(self._users.first)

    @property
    def long_term(self) -> int:
        """How many of them are there all the time."""
        return int(self._users.long_term.sum())

    def resample(self, seed: int) -> RawWorkload:
        """Return the resample of a seed, 0 or more: always the same.

        Its name and its JSON tell the seed, how many users there are and how many of them all the
        time, over how many weeks, and the load: the work submitted over what the machine has in
        these weeks (`load`), and in the fullest of them (`fullest_week`).

        Raises
        ------
        ResamplingError
            The seed is negative.
        """
        if seed < 0:
            raise ResamplingError(
                self.raw.name, f"can't be resampled with the seed {seed}; give 0 or more"
            )
        week = self._moved(seed)
        dates = rounded(self._copies.dates + (week - self._week) * WEEK)
        told = {
            "seed": seed,
            "users": self.users,
            "long_term": self.long_term,
            "weeks": self.weeks,
            **self._load(week),
        }
        name = f"{self.raw.name}, resample {seed}"
        return self._copies.written(dates, name=name, mark="resampled", told=told)

    def _moved(self, seed: int) -> "NDArray[np.int64]":
        """Return the week of each job in a resample."""
        users = self._users
        # the raw bits of this generator are the same with every version of NumPy
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
        """Return processor-seconds; those of a job that computes depend on the machine's speed."""
        told = self.raw.profiles[profile]
        return processors * told.delay if told.type == "delay" else math.nan

    def _load(self, week: "NDArray[np.int64]") -> dict[str, float]:
        machine = (self.raw.nb_res or math.nan) * WEEK
        by_week = np.bincount(week, self._area, minlength=self.weeks) / machine
        if not np.isfinite(by_week).all():
            return {}
        told = {"load": float(by_week.mean()), "fullest_week": float(by_week.max())}
        return {name: round(value, 4) for name, value in told.items()}
