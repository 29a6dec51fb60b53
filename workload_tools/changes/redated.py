"""Make copies of a Batsim workload with other submission dates."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, overload

import msgspec
import numpy as np

from workload_tools.batsim.workload import (
    WORKLOAD_PREFIX,
    RawJob,
    RawWorkload,
    columns_of,
    ids_of,
)
from workload_tools.errors import InputError, WorkloadError
from workload_tools.expected import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

LEFT_OUT = ("wait_time", "think_time")
"""Fields that depend on the recorded dates, so that copies omit them."""

MARKS = ("shaken", "resampled")
"""Names of workload fields that record how a copy was made."""
_COPIES = {"shaken": "perturbed copy", "resampled": "resample"}

_HELD = "eligible_time"
_DECIMALS = 6


class RedatingError(InputError):
    """A copy with other submission dates cannot be made."""


class Redated:
    """Makes copies of a workload with other submission dates. It parses the workload only once.

    Copies omit ``wait_time`` and ``think_time``, because these depend on the recorded dates. A job
    with ``eligible_time`` stays ineligible for as long after its submission as before. Jobs are
    sorted by their new dates; jobs of the same date keep their order.

    Parameters
    ----------
    marks_move
        If True, the first jobs of each copy are marked as warm-up; their number is the number of
        marked jobs in the workload. If False, the marks stay on the same jobs.

    Raises
    ------
    RedatingError
        The workload is already a copy with other dates.
    WorkloadError
        The workload cannot be read.
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
            """Number of jobs that are marked as warm-up at the start of each copy."""
        except UNREADABLE as error:
            raise WorkloadError(raw.name, f"cannot be read: {error}") from error
        for mark in MARKS:
            if mark in self.head:
                raise RedatingError(
                    raw.name, f"is already a {_COPIES[mark]}; give the original workload"
                )

    def _take_apart(self, left_out: tuple[str, ...]) -> None:
        """Split the JSON into the workload's fields and, for each job, the text around its date."""
        content, encode = self.raw.content, msgspec.json.encode
        self.head = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        del self.head["jobs"]
        self.texts: list[tuple[bytes, bytes]] = []
        self.held: dict[int, float] = {}
        """For each job position, the seconds from submission until the job is eligible."""
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
        # most jobs have the same fields, so each different set of field names is stored only once
        self.names, self.kinds = [*kinds], np.array(found, np.intp)

    @cached_property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """Return the names that users chose freely; see `RawWorkload.free_names`."""
        return self.raw.free_names

    def written(
        self,
        dates: "NDArray[np.float64]",
        *,
        name: str,
        mark: str,
        provenance: "Mapping[str, object]",
    ) -> RawWorkload:
        """Return the workload with the given dates.

        Parameters
        ----------
        dates
            Submission times in seconds, in the order of the workload's jobs; shape (jobs,).
        name
            The copy's name.
        mark, provenance
            Name and value of the workload field that records how the copy was made.
        """
        order = np.argsort(dates, kind="stable")
        copy = RedatedDetails(self, order, dates[order], head={mark: {**provenance, "of": self.of}})
        jobs = RedatedJobs(self.raw.jobs, copy)
        return RawWorkload(name, self.raw.nb_res, jobs, self.raw.profiles, copy)


class RedatedJobs(Sequence[RawJob]):
    """The jobs of a workload with other dates, as a sequence.

    Access to a single job creates only this job. A slice creates all jobs.

    Parameters
    ----------
    jobs
        The original jobs, in their order.
    copy
        The dates and positions of the jobs.
    """

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # as of a list

    def __init__(self, jobs: Sequence[RawJob], copy: "RedatedDetails") -> None:
        self._jobs = jobs
        self._copy = copy

    @cached_property
    def _raw_jobs(self) -> list[RawJob]:
        return [*self]

    @overload
    def __getitem__(self, place: int) -> RawJob: ...
    @overload
    def __getitem__(self, place: slice) -> list[RawJob]: ...
    def __getitem__(self, place: int | slice) -> RawJob | list[RawJob]:
        """Return one job or a list of jobs."""
        if isinstance(place, slice) or "_raw_jobs" in self.__dict__:
            return self._raw_jobs[place]
        # most callers need only a few jobs
        job = self._jobs[self._copy.places[place]]
        return RawJob(job.id, self._copy.submitted[place], job.res, job.profile, job.walltime)

    def __iter__(self) -> Iterator[RawJob]:
        """Yield the jobs."""
        if "_raw_jobs" in self.__dict__:
            yield from self._raw_jobs
            return
        jobs = self._jobs
        for place, date in zip(self._copy.places, self._copy.submitted, strict=True):
            job = jobs[place]
            yield RawJob(job.id, date, job.res, job.profile, job.walltime)

    def __eq__(self, other: object) -> bool:
        """Return True if `other` is a list of equal jobs in the same order."""
        return [*self] == [*other] if isinstance(other, list | RedatedJobs) else NotImplemented

    @property
    def ids(self) -> list[str]:
        """Return the ids of the jobs, without the workload's name."""
        originals = ids_of(self._jobs)
        return [originals[place] for place in self._copy.places]

    @property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """Return the names of jobs and profiles, which are the same in all copies."""
        return self._copy.free_names

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self._copy.order)


class RedatedDetails:
    """The `Details` of a workload with other dates.

    Parameters
    ----------
    of
        The original workload.
    order
        For each job of the copy, its position in the original workload; shape (jobs,).
    dates
        The new submission times in seconds, sorted; shape (jobs,).
    head
        Fields of the copy that the original workload lacks.
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
        """Number of jobs at the start of the copy that are marked as warm-up."""
        self._of = of
        self._head = head

    @cached_property
    def places(self) -> list[int]:
        """Return `order` as a list, for access to single jobs."""
        places: list[int] = self.order.tolist()
        return places

    @cached_property
    def submitted(self) -> list[float]:
        """Return `submit` as a list."""
        dates: list[float] = self.submit.tolist()
        return dates

    @cached_property
    def content(self) -> bytes:
        """Return the copy as JSON."""
        begin = msgspec.json.encode({**self._head, **self._of.head})[:-1]
        lines = b",\n".join(map(self._line, range(len(self.places))))
        return b'%b,\n"jobs":[\n%b\n]}\n' % (begin, lines)

    @cached_property
    def warm_up(self) -> frozenset[str]:
        """Return the ids of the warm-up jobs, which only fill the machine."""
        of = self._of
        if not of.marks_move:
            return of.raw.details.warm_up
        first = (of.raw.jobs[place].id for place in self.places[: self.marked])
        return frozenset(str(name).removeprefix(WORKLOAD_PREFIX) for name in first)

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the jobs' fields, in the order of their first use."""
        of = self._of
        kinds = of.kinds[self.order]
        marked = {(*of.names[kind], "warm_up"): None for kind in kinds[: self.marked].tolist()}
        others, first = np.unique(kinds[self.marked :], return_index=True)
        by_place = [of.names[kind] for kind in others[np.argsort(first)].tolist()]
        return [*dict.fromkeys(chain.from_iterable((*marked, *by_place)))]

    @property
    def all_names(self) -> "dict[str, None]":
        """Return the names of all fields of the original workload's jobs."""
        return dict.fromkeys(chain.from_iterable(self._of.names))

    @property
    def free_names(self) -> "Mapping[str, Collection[str]]":
        """Return the names of jobs and profiles, as in the original workload."""
        return self._of.free_names

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of the job at a position."""
        fields: dict[str, Any] = msgspec.json.decode(self._line(place))
        return fields

    def values(self, name: str) -> frozenset[Any]:
        """Return the distinct values of a field, given by Batsim's name."""
        return self._of.raw.details.values(name)

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of every job."""
        return [*map(self.job_fields, range(len(self.places)))]

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return the named fields (by default all) of all jobs as columns."""
        if names and {*names}.isdisjoint(self.names):
            return {}
        found = columns_of(self.rows())
        return {name: found[name] for name in found if not names or name in names}

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return a field of the workload itself."""
        if name in self._head:
            return self._head[name]
        return msgspec.json.decode(self._of.head.get(name, b"null"))

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """Return the Unix date of second 0, and the time zone."""
        return self._of.raw.details.dates

    def _line(self, place: int) -> bytes:
        """Return the job at a position as JSON."""
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
    """Return a date as JSON; a date in whole seconds is an integer."""
    return b"%d" % date if date.is_integer() else b"%a" % date


def rounded(dates: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Round dates to 6 decimals, to remove floating-point errors of additions.

    Parameters
    ----------
    dates
        Dates in seconds; shape (jobs,). The array is changed in place.
    """
    odd = np.flatnonzero(dates != np.rint(dates))
    dates[odd] = [round(date, _DECIMALS) for date in dates[odd].tolist()]
    return dates


class _Jobs(msgspec.Struct):
    jobs: list[dict[str, msgspec.Raw]]
