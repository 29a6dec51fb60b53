"""A Batsim workload with other dates: all else of its jobs stays as it is."""

import hashlib
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from workload_tools.batsim.warm_up import marked_as_warm_up
from workload_tools.batsim.workload import UNREADABLE, RawJob, RawWorkload
from workload_tools.errors import InputError, WorkloadError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

LEFT_OUT = ("wait_time", "think_time")
"""What a job's date decided on the real machine, so that it is not true of another date."""

MARKS = ("shaken", "resampled")
"""What stands beside the jobs of a copy with other dates: how it was made."""

_DECIMALS = 6


class RedatingError(InputError):
    """A copy with other dates that can't be made."""


class Redated:
    """Writes a workload with other dates, all that the copies share read once.

    The waits that the log recorded and the times since the job that one waited for (``wait_time``,
    ``think_time``) are left out, since they are of other dates. Jobs stand by their dates, those of
    one date as before.

    Parameters
    ----------
    raw
        The workload.
    marks_move
        Whether a warm-up is the first jobs of each copy, as many as are marked in the workload,
        and not the same jobs as there.

    Raises
    ------
    RedatingError
        It is such a copy itself.
    WorkloadError
        It has what can't be read.
    """

    def __init__(self, raw: RawWorkload, *, marks_move: bool = False) -> None:
        self.raw = raw
        left_out = (*LEFT_OUT, "warm_up") if marks_move else LEFT_OUT
        self.dates: NDArray[np.float64] = np.array([job.subtime for job in raw.jobs], float)
        self.of = hashlib.sha256(raw.content).hexdigest()
        try:
            self._head, self._texts = _taken_apart(raw.content, left_out)
            marked = marks_move and b'"warm_up"' in raw.content
            self._warm_up = len(marked_as_warm_up(raw.content)) if marked else 0
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"has what can't be read: {error}") from error
        for mark in MARKS:
            if mark in self._head:
                raise RedatingError(
                    raw.name, f"was {mark} already; take the workload that it was made of"
                )

    def written(
        self,
        dates: "NDArray[np.float64]",
        *,
        name: str,
        mark: str,
        told: "Mapping[str, object]",
    ) -> RawWorkload:
        """Return the workload with these dates.

        Parameters
        ----------
        dates
            In the order of the workload's jobs, in seconds; shape (jobs,).
        name
            What the copy is called.
        mark, told
            What stands beside its jobs: how it was made.
        """
        order = np.argsort(dates, kind="stable")
        by_date = list(zip(order.tolist(), dates[order].tolist(), strict=True))
        own = self.raw.jobs
        jobs = [
            RawJob(own[place].id, date, own[place].res, own[place].profile, own[place].walltime)
            for place, date in by_date
        ]
        begin = msgspec.json.encode({mark: {**told, "of": self.of}, **self._head})[:-1]
        lines = b",\n".join([
            _written(self._texts[place], date, warm_up=number < self._warm_up)
            for number, (place, date) in enumerate(by_date)
        ])  # fmt: skip
        content = b'%b,\n"jobs":[\n%b\n]}\n' % (begin, lines)
        return RawWorkload(name, self.raw.nb_res, jobs, self.raw.profiles, content)


def rounded(dates: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return dates with as many decimals as those of a log, which the sum of two doubles need not.

    Parameters
    ----------
    dates
        In seconds; shape (jobs,).
    """
    odd = np.flatnonzero(dates != np.rint(dates))
    dates[odd] = [round(date, _DECIMALS) for date in dates[odd].tolist()]
    return dates


class _Jobs(msgspec.Struct):
    jobs: list[dict[str, msgspec.Raw]]


def _taken_apart(
    content: bytes, left_out: tuple[str, ...]
) -> tuple[dict[str, msgspec.Raw], list[tuple[bytes, bytes]]]:
    """Return what stands beside the jobs, and of each job the text before its date and behind."""
    head = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    del head["jobs"]
    encode = msgspec.json.encode
    texts = []
    for job in msgspec.json.decode(content, type=_Jobs).jobs:
        identifier = bytes(job.pop("id"))
        for name in ("subtime", *left_out):
            job.pop(name, None)
        texts.append((b'{"id":%b,"subtime":' % identifier, b",%b" % encode(job)[1:]))
    return head, texts


def _written(text: tuple[bytes, bytes], date: float, *, warm_up: bool) -> bytes:
    """Write a job with its date; a whole one is written as the writer of workloads does."""
    before, behind = text
    if warm_up:
        behind = b'%b,"warm_up":true}' % behind[:-1]
    if date.is_integer():
        return b"%b%d%b" % (before, date, behind)
    return b"%b%a%b" % (before, date, behind)
