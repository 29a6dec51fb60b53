"""A Batsim workload shaken: its users' sessions a little earlier or later."""

import hashlib
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.batsim.fields import text_of
from workload_tools.batsim.workload import UNREADABLE, RawJob, RawWorkload
from workload_tools.changes.twin.sessions import PAUSE, sessions_of
from workload_tools.errors import InputError, WorkloadError
from workload_tools.job import Job

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 600.0
"""By how many seconds a session begins at most earlier or later."""

LONGEST_REACH = 3650 * 86400.0
"""Seconds: beyond it, dates are of no log."""

LEFT_OUT = ("wait_time", "think_time")
"""What a job's date decided on the real machine, so that it is not true of another date."""

MARK = "shaken"
"""What stands beside the jobs of a shake: how it was made."""

_DECIMALS = 6


class ShakingError(InputError):
    """A shake that can't be made."""


class Shaker:
    """Makes shakes of a workload, all that they share once.

    Each session of a user, jobs one after the other without a pause of more than 20 minutes, is
    moved as a whole by a number of seconds of its own, uniform from `reach` earlier to `reach`
    later, but to no date before the workload's first. A job without a user is a session of its own.
    What else the workload tells stays as it is, also the marks of a warm-up; the waits that the log
    recorded and the times since the job that one waited for (``wait_time``, ``think_time``) are
    left out, since they are of other dates. Jobs stand by their dates, those of one date as before.

    Parameters
    ----------
    raw
        The workload.
    reach
        In whole seconds, from 1 to ten years.

    Raises
    ------
    ShakingError
        The reach makes no sense, or the workload is a shake itself.
    WorkloadError
        The workload has what can't be read.

    Notes
    -----
    After D. Tsafrir, K. Ouaknine and D. G. Feitelson, "Reducing performance evaluation sensitivity
    and variability by input shaking" (MASCOTS 2007); by sessions, so that jobs that were submitted
    together stay together.
    """

    def __init__(self, raw: RawWorkload, *, reach: float = REACH) -> None:
        if not (1.0 <= reach <= LONGEST_REACH and float(reach).is_integer()):
            raise ShakingError(
                raw.name,
                f"can't be shaken by {reach:g} s: give whole seconds, from 1 to ten years",
            )
        self.raw = raw
        self.reach = int(reach)
        self._of = hashlib.sha256(raw.content).hexdigest()
        self._dates = np.array([job.subtime for job in raw.jobs], float)
        self._first = float(self._dates.min(initial=np.inf))
        try:
            self._head, self._texts = _taken_apart(raw.content)
            self._session = _sessions(raw.content)
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"has what can't be read: {error}") from error
        if MARK in self._head:
            raise ShakingError(raw.name, "was shaken already; shake what it was made of")
        starts = np.full(self.sessions, np.inf)
        np.minimum.at(starts, self._session, self._dates)
        # no session may begin before the workload does
        self._earlier = np.floor(np.minimum(starts - self._first, self.reach))

    @property
    def sessions(self) -> int:
        """How many sessions there are."""
        return int(self._session.max(initial=-1)) + 1

    def shake(self, seed: int) -> RawWorkload:
        """Return the shake of a seed, 0 or more: always the same.

        Its name and its JSON tell the seed and the reach.

        Raises
        ------
        ShakingError
            The seed is negative.
        """
        if seed < 0:
            raise ShakingError(
                self.raw.name, f"can't be shaken with the seed {seed}; give 0 or more"
            )
        dates = self._moved(seed)
        order = np.argsort(dates, kind="stable")
        by_date = list(zip(order.tolist(), dates[order].tolist(), strict=True))
        own = self.raw.jobs
        jobs = [
            RawJob(own[place].id, date, own[place].res, own[place].profile, own[place].walltime)
            for place, date in by_date
        ]
        told = {"seed": seed, "reach": self.reach, "sessions": self.sessions, "of": self._of}
        begin = msgspec.json.encode({MARK: told, **self._head})[:-1]
        lines = b",\n".join([_written(self._texts[place], date) for place, date in by_date])
        content = b'%b,\n"jobs":[\n%b\n]}\n' % (begin, lines)
        name = f"{self.raw.name}, shake {seed}"
        return RawWorkload(name, self.raw.nb_res, jobs, self.raw.profiles, content)

    def _moved(self, seed: int) -> "NDArray[np.float64]":
        """Return the jobs' dates in a shake, in the order of the workload."""
        # the raw bits of this generator are the same with every version of NumPy
        bits = np.random.PCG64(seed).random_raw(self.sessions)
        share = (bits >> np.uint64(11)) * 2.0**-53
        shift = np.floor(share * (self._earlier + self.reach + 1.0)) - self._earlier
        dates = self._dates + shift[self._session]
        # a date of a few decimals keeps them, which the sum of two doubles need not
        odd = np.flatnonzero(dates != np.rint(dates))
        dates[odd] = [round(date, _DECIMALS) for date in dates[odd].tolist()]
        moved: NDArray[np.float64] = np.maximum(dates, self._first)
        return moved


class _Submitted(msgspec.Struct, gc=False):
    subtime: float
    user_id: str | int | float | None = None
    user: str | int | float | None = None


class _Users(msgspec.Struct):
    jobs: list[_Submitted]


class _Jobs(msgspec.Struct):
    jobs: list[dict[str, msgspec.Raw]]


def _sessions(content: bytes) -> "NDArray[np.int64]":
    """Return the number of each job's session."""
    named = (
        (place, job.subtime, job.user if job.user_id is None else job.user_id)
        for place, job in enumerate(msgspec.json.decode(content, type=_Users).jobs)
    )
    jobs = [
        # of a job without a user, its place stands for one of its own
        Job(
            id=str(place), submit_time=date, processors=1, run_time=0.0,
            user=f"{place}" if user is None else f" {text_of(user)}",
        )
        for place, date, user in named
    ]  # fmt: skip
    jobs.sort(key=lambda job: job.submit_time)
    found = np.zeros(len(jobs), np.int64)
    sessions = chain.from_iterable(sessions_of(jobs, pause=PAUSE).values())
    for number, session in enumerate(sessions):
        found[[int(job.id) for job in session.jobs]] = number
    return found


def _taken_apart(content: bytes) -> tuple[dict[str, msgspec.Raw], list[tuple[bytes, bytes]]]:
    """Return what stands beside the jobs, and of each job the text before its date and behind."""
    head = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    del head["jobs"]
    encode = msgspec.json.encode
    texts = []
    for job in msgspec.json.decode(content, type=_Jobs).jobs:
        identifier = bytes(job.pop("id"))
        for name in ("subtime", *LEFT_OUT):
            job.pop(name, None)
        texts.append((b'{"id":%b,"subtime":' % identifier, b",%b" % encode(job)[1:]))
    return head, texts


def _written(text: tuple[bytes, bytes], date: float) -> bytes:
    """Write a job with its date; a whole one is written as the writer of workloads does."""
    before, behind = text
    if date.is_integer():
        return b"%b%d%b" % (before, date, behind)
    return b"%b%a%b" % (before, date, behind)
