"""Make perturbed copies of a Batsim workload (input shaking): sessions begin earlier or later."""

from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.batsim.fields import text_of
from workload_tools.batsim.workload import RawWorkload
from workload_tools.changes.redated import Redated, RedatingError, rounded
from workload_tools.changes.twin.dealing import PAUSE, sessions_of
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE
from workload_tools.job import Job

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Submitted(msgspec.Struct, gc=False):
    """A job's submission time in seconds and its user, if known."""

    subtime: float
    user_id: str | int | float | None = None
    user: str | int | float | None = None

    @property
    def by(self) -> str | None:
        """Return the user's name, or None if unknown."""
        user = self.user if self.user_id is None else self.user_id
        return None if user is None else text_of(user)


class _Users(msgspec.Struct):
    jobs: list[Submitted]


def submitted(content: bytes) -> list[Submitted]:
    """Return the submission time and user of each job.

    Raises
    ------
    msgspec.DecodeError
        The text is not a workload.
    """
    return msgspec.json.decode(content, type=_Users).jobs


def users_of(content: bytes) -> "NDArray[np.int64]":
    """Return the index of each job's user. Each job without a user gets a separate index.

    Raises
    ------
    msgspec.DecodeError
        The text is not a workload.
    """
    numbers: dict[str | int, int] = {}
    of_job = [
        numbers.setdefault(place if job.by is None else job.by, len(numbers))
        for place, job in enumerate(submitted(content))
    ]
    return np.array(of_job, np.int64)


MAX_SHIFT = 600.0
"""Default of the largest shift of a session, in seconds."""

LONGEST_SHIFT = 3650 * 86400.0
"""Upper limit of the option `max_shift`, in seconds."""


class ShakingError(RedatingError):
    """A perturbed copy cannot be made."""


class Shaker:
    """Makes perturbed copies of a workload. It parses the workload only once.

    A session is a series of a user's jobs without a pause of more than 20 minutes between
    submissions. Each session moves as a whole by a random number of whole seconds, uniform between
    `max_shift` earlier and `max_shift` later, but never before the workload's first date. Each job
    without a user is a session of its own. Other fields are copied as in `Redated`. Warm-up marks
    stay on the same jobs.

    Parameters
    ----------
    max_shift
        Largest shift of a session in whole seconds, from 1 s to ten years.

    Raises
    ------
    ShakingError
        `max_shift` is out of range.
    RedatingError
        The workload is already a perturbed copy or a resample.
    WorkloadError
        The workload cannot be read.

    Notes
    -----
    After D. Tsafrir, K. Ouaknine and D. G. Feitelson, "Reducing performance evaluation sensitivity
    and variability by input shaking" (MASCOTS 2007). This class moves whole sessions instead of
    single jobs, so that jobs that were submitted together stay together.
    """

    def __init__(self, raw: RawWorkload, *, max_shift: float = MAX_SHIFT) -> None:
        if not (1.0 <= max_shift <= LONGEST_SHIFT and float(max_shift).is_integer()):
            raise ShakingError(
                raw.name,
                f"cannot be perturbed by {max_shift:g} s: give whole seconds, from 1 to ten years",
            )
        self.raw = raw
        self.max_shift = int(max_shift)
        self._copies = Redated(raw)
        self._dates = self._copies.dates
        self._first = float(self._dates.min(initial=np.inf))
        try:
            self._session = _sessions(raw.content)
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"cannot be read: {error}") from error
        starts = np.full(self.sessions, np.inf)
        np.minimum.at(starts, self._session, self._dates)
        # no session may begin before the workload's first submission
        self._earlier = np.floor(np.minimum(starts - self._first, self.max_shift))

    @property
    def sessions(self) -> int:
        """Number of sessions in the workload."""
        return int(self._session.max(initial=-1)) + 1

    def shake(self, seed: int) -> RawWorkload:
        """Return the perturbed copy for a seed of at least 0. The same seed gives the same copy.

        The JSON of the copy contains the seed and the largest shift.

        Raises
        ------
        ShakingError
            The seed is negative.
        """
        if seed < 0:
            raise ShakingError(
                self.raw.name, f"cannot be perturbed with the seed {seed}; give 0 or more"
            )
        # the key "reach" keeps its old name, so that written workloads do not change
        provenance = {"seed": seed, "reach": self.max_shift, "sessions": self.sessions}
        name = f"{self.raw.name}, shake {seed}"
        return self._copies.written(
            self._moved(seed), name=name, mark="shaken", provenance=provenance
        )

    def _moved(self, seed: int) -> "NDArray[np.float64]":
        """Return the jobs' dates in a perturbed copy, in the workload's order."""
        # the raw bits of this generator are the same in every version of NumPy
        bits = np.random.PCG64(seed).random_raw(self.sessions)
        share = (bits >> np.uint64(11)) * 2.0**-53
        shift = np.floor(share * (self._earlier + self.max_shift + 1.0)) - self._earlier
        dates = self._dates + shift[self._session]
        moved: NDArray[np.float64] = np.maximum(rounded(dates), self._first)
        return moved


def _sessions(content: bytes) -> "NDArray[np.int64]":
    """Return the session number of each job."""
    jobs = [
        # each job without a user gets a user of its own
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
