"""A Batsim workload with other dates: all else of its jobs stays as it is."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, overload

import msgspec
import numpy as np

from workload_tools.batsim.workload import (
    UNREADABLE,
    WORKLOAD_PREFIX,
    RawJob,
    RawWorkload,
    columns_of,
    ids_of,
)
from workload_tools.errors import InputError, WorkloadError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

LEFT_OUT = ("wait_time", "think_time")
"""What a job's date decided on the real machine, so that it is not true of another date."""

MARKS = ("shaken", "resampled")
"""What stands beside the jobs of a copy with other dates: how it was made."""

_HELD = "eligible_time"
_DECIMALS = 6


class RedatingError(InputError):
    """A copy with other dates that can't be made."""


class Redated:
    """Writes a workload with other dates, all that the copies share read once.

    The waits that the log recorded and the times since the job that one waited for (``wait_time``,
    ``think_time``) are left out, since they are of other dates. A job that could run only some time
    after its submission (``eligible_time``) still can as much later. Jobs stand by their dates,
    those of one date as before.

    Parameters
    ----------
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
        self.dates: NDArray[np.float64] = raw.arrays.submit
        self.of = hashlib.sha256(raw.content).hexdigest()
        self.marks_move = marks_move
        try:
            self._take_apart(left_out)
            self.warm_up = len(raw.details.warm_up) if marks_move else 0
            """How many jobs of a copy are marked: its first."""
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"has what can't be read: {error}") from error
        for mark in MARKS:
            if mark in self.head:
                raise RedatingError(
                    raw.name, f"was {mark} already; take the workload that it was made of"
                )

    def _take_apart(self, left_out: tuple[str, ...]) -> None:
        """Take what stands beside the jobs, and of each job the text before its date and behind."""
        content, encode = self.raw.content, msgspec.json.encode
        self.head = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        del self.head["jobs"]
        self.texts: list[tuple[bytes, bytes]] = []
        self.held: dict[int, float] = {}
        """For how many seconds after its submission a job could not run, by its place."""
        kinds: dict[tuple[str, ...], int] = {}
        found: list[int] = []
        for job in msgspec.json.decode(content, type=_Jobs).jobs:
            identifier = bytes(job.pop("id"))
            for name in ("subtime", *left_out):
                job.pop(name, None)
            held = job.pop(_HELD, None)
            self.texts.append((b'{"id":%b,"subtime":' % identifier, b",%b" % encode(job)[1:]))
            names = ("id", "subtime", *job)
            if held is not None:
                place = len(found)
                self.held[place] = msgspec.json.decode(held, type=float) - float(self.dates[place])
                names = (*names, _HELD)
            found.append(kinds.setdefault(names, len(kinds)))
        # few jobs have other fields than all others
        self.names, self.kinds = [*kinds], np.array(found, np.intp)

    @cached_property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """The names of the jobs and their profiles, as `RawWorkload.free_names`."""
        return self.raw.free_names

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
        copy = RedatedDetails(self, order, dates[order], head={mark: {**told, "of": self.of}})
        jobs = RedatedJobs(self.raw.jobs, copy)
        return RawWorkload(name, self.raw.nb_res, jobs, self.raw.profiles, copy)


class RedatedJobs(Sequence[RawJob]):
    """The jobs of a workload with other dates, which behave as a list of them.

    All of them are made when a slice, or more than one of them, is needed.

    Parameters
    ----------
    own
        The jobs with their own dates, in their own order.
    copy
        The dates, and where the jobs stand.
    """

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # as of a list

    def __init__(self, own: Sequence[RawJob], copy: "RedatedDetails") -> None:
        self._own = own
        self._copy = copy

    @cached_property
    def _made(self) -> list[RawJob]:
        return [*self]

    @overload
    def __getitem__(self, place: int) -> RawJob: ...
    @overload
    def __getitem__(self, place: slice) -> list[RawJob]: ...
    def __getitem__(self, place: int | slice) -> RawJob | list[RawJob]:
        """Return a job, or some."""
        if isinstance(place, slice) or "_made" in self.__dict__:
            return self._made[place]
        # mostly a few are asked for, one of each kind
        job = self._own[self._copy.places[place]]
        return RawJob(job.id, self._copy.submitted[place], job.res, job.profile, job.walltime)

    def __iter__(self) -> Iterator[RawJob]:
        """Yield the jobs."""
        if "_made" in self.__dict__:
            yield from self._made
            return
        own = self._own
        for place, date in zip(self._copy.places, self._copy.submitted, strict=True):
            job = own[place]
            yield RawJob(job.id, date, job.res, job.profile, job.walltime)

    def __eq__(self, other: object) -> bool:
        """Say whether these are the same jobs."""
        return [*self] == [*other] if isinstance(other, list | RedatedJobs) else NotImplemented

    @property
    def ids(self) -> list[str]:
        """Their ids, without the name of the workload."""
        own = ids_of(self._own)
        return [own[place] for place in self._copy.places]

    @property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """The names of the jobs and their profiles, which no date changes."""
        return self._copy.free_names

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self._copy.order)


class RedatedDetails:
    """The details of a workload with other dates.

    Parameters
    ----------
    of
        The workload, taken apart.
    order
        The places of its jobs in that workload, by their new dates; shape (jobs,).
    dates
        These, in seconds; shape (jobs,).
    head
        What stands beside the jobs, but for what stands there in that workload, too.
    """

    def __init__(
        self,
        of: Redated,
        order: "NDArray[np.intp]",
        dates: "NDArray[np.float64]",
        *,
        head: "Mapping[str, object]",
    ) -> None:
        self.order = order
        self.submit = dates
        self.marked = of.warm_up
        """So many of its first jobs are marked as warm-up."""
        self._of = of
        self._head = head

    @cached_property
    def places(self) -> list[int]:
        """`order`, for jobs one by one."""
        places: list[int] = self.order.tolist()
        return places

    @cached_property
    def submitted(self) -> list[float]:
        """`submit`, likewise."""
        dates: list[float] = self.submit.tolist()
        return dates

    @cached_property
    def content(self) -> bytes:
        """The copy as JSON."""
        begin = msgspec.json.encode({**self._head, **self._of.head})[:-1]
        lines = b",\n".join(map(self._line, range(len(self.places))))
        return b'%b,\n"jobs":[\n%b\n]}\n' % (begin, lines)

    @cached_property
    def warm_up(self) -> frozenset[str]:
        """The ids of the jobs that only fill the machine."""
        of = self._of
        if not of.marks_move:
            return of.raw.details.warm_up
        first = (of.raw.jobs[place].id for place in self.places[: self.marked])
        return frozenset(str(name).removeprefix(WORKLOAD_PREFIX) for name in first)

    @cached_property
    def names(self) -> list[str]:
        """The fields that jobs have, in the order in which they come first."""
        of = self._of
        kinds = of.kinds[self.order]
        marked = {(*of.names[kind], "warm_up"): None for kind in kinds[: self.marked].tolist()}
        others, first = np.unique(kinds[self.marked :], return_index=True)
        by_place = [of.names[kind] for kind in others[np.argsort(first)].tolist()]
        return [*dict.fromkeys(chain.from_iterable((*marked, *by_place)))]

    @property
    def all_names(self) -> "dict[str, None]":
        """The fields that jobs of the workload have, whether they are in the copy or not."""
        return dict.fromkeys(chain.from_iterable(self._of.names))

    @property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """As the workload has them."""
        return self._of.free_names

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of a job."""
        fields: dict[str, Any] = msgspec.json.decode(self._line(place))
        return fields

    def values(self, name: str) -> frozenset[Any]:
        """Return what jobs have in a field, by Batsim's name."""
        return self._of.raw.details.values(name)

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of all jobs."""
        return [*map(self.job_fields, range(len(self.places)))]

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return the fields of all jobs, or some of them, one by one."""
        if names and {*names}.isdisjoint(self.names):
            return {}
        found = columns_of(self.rows())
        return {name: found[name] for name in found if not names or name in names}

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return what stands beside the jobs under a name."""
        if name in self._head:
            return self._head[name]
        return msgspec.json.decode(self._of.head.get(name, b"null"))

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """The Unix date of second 0 and the time zone."""
        return self._of.raw.details.dates

    def _line(self, place: int) -> bytes:
        """Write a job."""
        before, behind = self._of.texts[self.places[place]]
        date = self.submitted[place]
        held = self._of.held.get(self.places[place])
        if held is not None:
            eligible = _number(round(date + held, _DECIMALS))
            behind = b'%b,"%b":%b}' % (behind[:-1], _HELD.encode(), eligible)
        if place < self.marked:
            behind = b'%b,"warm_up":true}' % behind[:-1]
        return b"%b%b%b" % (before, _number(date), behind)


def _number(date: float) -> bytes:
    """Write a date; a whole one as the writer of workloads does."""
    return b"%d" % date if date.is_integer() else b"%a" % date


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
