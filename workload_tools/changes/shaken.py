"""A Batsim workload shaken: its users' sessions a little earlier or later."""

from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.batsim.fields import text_of
from workload_tools.batsim.workload import UNREADABLE, RawWorkload
from workload_tools.changes.redated import Redated, RedatingError, rounded
from workload_tools.changes.twin.dealing import PAUSE, sessions_of
from workload_tools.errors import WorkloadError
from workload_tools.job import Job

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Submitted(msgspec.Struct, gc=False):
    """When a job was submitted, in seconds, and by whom, if that is told."""

    subtime: float
    user_id: str | int | float | None = None
    user: str | int | float | None = None

    @property
    def by(self) -> str | None:
        """The user's name."""
        user = self.user if self.user_id is None else self.user_id
        return None if user is None else text_of(user)


class _Users(msgspec.Struct):
    jobs: list[Submitted]


def submitted(content: bytes) -> list[Submitted]:
    """Return when and by whom each job was submitted.

    Raises
    ------
    msgspec.DecodeError
        It is not a workload.
    """
    return msgspec.json.decode(content, type=_Users).jobs


def users_of(content: bytes) -> "NDArray[np.int64]":
    """Return the number of each job's user, by their first jobs; a job without one has its own.

    Raises
    ------
    msgspec.DecodeError
        It is not a workload.
    """
    numbers: dict[str | int, int] = {}
    of_job = [
        numbers.setdefault(place if job.by is None else job.by, len(numbers))
        for place, job in enumerate(submitted(content))
    ]
    return np.array(of_job, np.int64)


MAX_SHIFT = 600.0
"""By how many seconds a session begins at most earlier or later."""

LONGEST_SHIFT = 3650 * 86400.0
"""Seconds: beyond it, dates are of no log."""


class ShakingError(RedatingError):
    """A shake that can't be made."""


class Shaker:
    """Makes shakes of a workload, all that they share once.

    Each session of a user, jobs one after the other without a pause of more than 20 minutes, is
    moved as a whole by a number of seconds of its own, uniform from `max_shift` earlier to as much
    later, but to no date before the workload's first. A job without a user is a session of its own.
    What else the workload tells stays as `Redated` says, also the marks of a warm-up.

    Parameters
    ----------
    max_shift
        In whole seconds, from 1 to ten years.

    Raises
    ------
    ShakingError
        The number makes no sense.
    RedatingError
        The workload is a shake or a resample itself.
    WorkloadError
        The workload has what can't be read.

    Notes
    -----
    After D. Tsafrir, K. Ouaknine and D. G. Feitelson, "Reducing performance evaluation sensitivity
    and variability by input shaking" (MASCOTS 2007); by sessions, so that jobs that were submitted
    together stay together.
    """

    def __init__(self, raw: RawWorkload, *, max_shift: float = MAX_SHIFT) -> None:
        if not (1.0 <= max_shift <= LONGEST_SHIFT and float(max_shift).is_integer()):
            raise ShakingError(
                raw.name,
                f"can't be shaken by {max_shift:g} s: give whole seconds, from 1 to ten years",
            )
        self.raw = raw
        self.max_shift = int(max_shift)
        self._copies = Redated(raw)
        self._dates = self._copies.dates
        self._first = float(self._dates.min(initial=np.inf))
        try:
            self._session = _sessions(raw.content)
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"has what can't be read: {error}") from error
        starts = np.full(self.sessions, np.inf)
        np.minimum.at(starts, self._session, self._dates)
        # no session may begin before the workload does
        self._earlier = np.floor(np.minimum(starts - self._first, self.max_shift))

    @property
    def sessions(self) -> int:
        """How many sessions there are."""
        return int(self._session.max(initial=-1)) + 1

    def shake(self, seed: int) -> RawWorkload:
        """Return the shake of a seed, 0 or more: always the same.

        Its name and its JSON tell the seed and the largest shift.

        Raises
        ------
        ShakingError
            The seed is negative.
        """
        if seed < 0:
            raise ShakingError(
                self.raw.name, f"can't be shaken with the seed {seed}; give 0 or more"
            )
        # the key is older than the name of the parameter, and workloads stay as they were
        told = {"seed": seed, "reach": self.max_shift, "sessions": self.sessions}
        name = f"{self.raw.name}, shake {seed}"
        return self._copies.written(self._moved(seed), name=name, mark="shaken", told=told)

    def _moved(self, seed: int) -> "NDArray[np.float64]":
        """Return the jobs' dates in a shake, in the order of the workload."""
        # the raw bits of this generator are the same with every version of NumPy
        bits = np.random.PCG64(seed).random_raw(self.sessions)
        share = (bits >> np.uint64(11)) * 2.0**-53
        shift = np.floor(share * (self._earlier + self.max_shift + 1.0)) - self._earlier
        dates = self._dates + shift[self._session]
        moved: NDArray[np.float64] = np.maximum(rounded(dates), self._first)
        return moved


def _sessions(content: bytes) -> "NDArray[np.int64]":
    """Return the number of each job's session."""
    jobs = [
        # of a job without a user, its place stands for one of its own
        Job(
            id=str(place), submit_time=job.subtime, processors=1, run_time=0.0,
            user=f"{place}" if job.by is None else f" {job.by}",
        )
        for place, job in enumerate(submitted(content))
    ]  # fmt: skip
    jobs.sort(key=lambda job: job.submit_time)
    found = np.zeros(len(jobs), np.int64)
    sessions = chain.from_iterable(sessions_of(jobs, pause=PAUSE).values())
    for number, session in enumerate(sessions):
        found[[int(job.id) for job in session.jobs]] = number
    return found
