"""A checked Batsim workload in memory: jobs and profiles under Batsim's names."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE, in_words
from workload_tools.printable import in_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LATEST = 2.0**53 / 1e3
"""The latest date in seconds; a double cannot represent the milliseconds of later dates."""

TOO_LATE = f"at most {LATEST:g} s, because later dates lose milliseconds"

MOST_PROCESSORS = 2**31 - 1
"""The largest number of processors that Batsim can count."""

WORKLOAD_PREFIX = "w0!"
"""Batsim's name of the first workload, with "!". The ids of jobs may begin with this prefix."""


class RawJob(msgspec.Struct, gc=False):
    """The fields of a job that Batsim itself reads, under Batsim's names.

    `subtime` and `walltime` are in seconds; a `walltime` of -1 means that the job has no walltime.
    """

    id: str | int
    subtime: float
    res: int
    profile: str
    walltime: float | None = -1.0


class RawProfile(msgspec.Struct, gc=False):
    """A profile: what a job does while it runs.

    Three types can be simulated. ``delay`` lasts `delay` seconds. ``composed`` runs the delay
    profiles that `seq` names one after another, `repeat` times. ``parallel_homogeneous`` computes
    `cpu` floating-point operations on each processor, without communication. `ret` is the job's
    exit code.
    """

    type: str
    delay: float = -1.0
    ret: int = 0
    cpu: Any = None
    com: Any = None
    seq: Any = None
    repeat: Any = 1

    def why_not(self) -> str | None:
        """Return the reason why the profile cannot be simulated, or None if it can."""
        if self.type == "delay":
            if 0.0 <= self.delay <= LATEST:
                return None
            return f"needs a delay of 0 s or more, and {TOO_LATE}"
        if self.type == "composed":
            return "must be composed of one or more delay profiles, repeated at least once"
        if self.type != "parallel_homogeneous":
            return (
                f"has the type '{self.type}'. This simulator supports only delay profiles, "
                "compositions of delays, and parallel_homogeneous profiles without communication; "
                "the real Batsim supports the others"
            )
        return self._why_not_computing()

    def _why_not_computing(self) -> str | None:
        if not isinstance(self.cpu, int | float) or not 0.0 <= self.cpu <= sys.float_info.max:
            return (
                f"has the cpu {in_json(self.cpu)}; it must be a number of operations of at least 0"
            )
        if self.com != 0:
            return (
                f"communicates (com is {in_json(self.com)}). This simulator supports only a com "
                "of 0; the real Batsim supports the others"
            )
        return None

    @property
    def operations(self) -> float:
        """Floating-point operations that each processor computes; 0 for a delay."""
        return float(self.cpu) if self.type == "parallel_homogeneous" else 0.0


def resolve(profiles: dict[str, RawProfile], known: Mapping[str, RawProfile] | None = None) -> None:
    """Replace each composition of delays in place by one delay of the same total length.

    Other compositions stay unchanged; they cannot be simulated.

    Parameters
    ----------
    profiles
        Profiles by name.
    known
        Further profiles that a composition may use.

    Examples
    --------
    >>> profiles = {"a": RawProfile("delay", 2.0), "b": RawProfile("composed", seq=["a", "a"])}
    >>> resolve(profiles)
    >>> profiles["b"].type, profiles["b"].delay
    ('delay', 4.0)
    """
    parts = profiles if known is None else {**known, **profiles}

    def delay_of(profile: RawProfile, within: tuple[RawProfile, ...]) -> RawProfile | None:
        if profile.type != "composed":
            return profile if profile.type == "delay" and profile.why_not() is None else None
        seq, repeat = profile.seq, profile.repeat
        if not seq or not isinstance(seq, list) or not isinstance(repeat, int) or repeat < 1:
            return None
        once = 0.0
        for name in seq:
            part = parts.get(name) if isinstance(name, str) else None
            if part is None or any(part is outer for outer in (*within, profile)):
                return None
            part = delay_of(part, (*within, profile))
            if part is None:
                return None
            once += part.delay
            if part.ret:
                # the first part that fails ends the job
                return RawProfile("delay", once, part.ret)
        return RawProfile("delay", once * repeat, profile.ret)

    for name, profile in profiles.items():
        if profile.type == "composed":
            profiles[name] = delay_of(profile, ()) or profile


class RawArrays(NamedTuple):
    """The data of jobs that a simulation needs: arrays with one value per job, times in s."""

    submit: "NDArray[np.float64]"
    processors: "NDArray[np.int64]"
    walltime: "NDArray[np.float64]"
    """-1 for a job without a walltime."""
    delay: "NDArray[np.float64]"
    """Run time; NaN if the job computes, because the processors' speed then decides."""
    failing: "NDArray[np.bool_]"
    """True if the job's profile ends with an exit code other than 0."""


def profile_name(processors: int, run_time: float) -> str:
    """Return the profile's name for a job size and a run time in seconds, as in paper 001.

    Examples
    --------
    >>> profile_name(4, 90)
    'D_4_90'
    """
    return f"D_{processors}_{run_time}"


NO_COLUMNS = frozenset({"id", "profile", "time_limit"})
"""Fields that `Details.columns` omits, because other fields have the same information."""


class Details(Protocol):
    """All fields of a workload and its jobs, including fields that `RawJob` lacks."""

    @property
    def content(self) -> bytes:
        """Return the workload as JSON."""
        ...

    @property
    def warm_up(self) -> frozenset[str]:
        """Return the ids of the warm-up jobs, which only fill the machine."""
        ...

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """Return the Unix date of second 0 and the time zone; None if unknown.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            The fields cannot be read (these exceptions are in `UNREADABLE`).
        """
        ...

    def values(self, name: str) -> frozenset[Any]:
        """Return the distinct values of a field, given by Batsim's name; empty if no job has it."""
        ...

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of every job; see `job_fields`."""
        ...

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return one list of values per field, with None for jobs that lack the field.

        The fields of `NO_COLUMNS` are left out. If `names` are given, only these fields are
        returned. Fields are in the order of their first use. A user name that is a number in
        `rows` may be a text here.
        """
        ...

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return a field of the workload itself, such as `held`; None if it is missing.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            The field cannot be read (these exceptions are in `UNREADABLE`).
        """
        ...

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of the job at a position, as in the JSON.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            The job cannot be read (these exceptions are in `UNREADABLE`).
        """
        ...


@dataclass(frozen=True, slots=True)
class RawWorkload:
    """A checked Batsim workload."""

    name: str
    """The file name without its folder."""
    nb_res: int | None
    """The machine size in processors that the file states, or None."""
    jobs: Sequence[RawJob]
    """The jobs in the order of the file; each `id` is a unique text."""
    profiles: Mapping[str, RawProfile]
    """Profiles by name. Each profile that a job uses can be simulated."""
    details: Details = field(compare=False)
    known: RawArrays | None = field(default=None, compare=False)
    """The data of the jobs as arrays, if already computed."""

    @property
    def content(self) -> bytes:
        """Return the file's content as JSON."""
        return self.details.content

    @property
    def arrays(self) -> RawArrays:
        """Return the data of the jobs as arrays."""
        return arrays_of(self.jobs, self.profiles) if self.known is None else self.known

    @property
    def ids(self) -> list[str]:
        """Return the ids of the jobs, without the workload's name."""
        return ids_of(self.jobs)

    @property
    def free_names(self) -> Mapping[str, Collection[str]]:
        """Return the names that users chose freely: those of jobs and those of profiles."""
        names: Mapping[str, Collection[str]] | None = getattr(self.jobs, "free_names", None)
        if names is not None:
            return names
        return {"job": self.ids, "profile": [job.profile for job in self.jobs]}

    def profile_objects(self) -> dict[str, Any]:
        """Return the profiles as in the file, in the form of version 4."""
        try:
            from workload_tools.batsim.versions import to_version_4

            content = to_version_4(self.content)
            return dict(msgspec.json.decode(content, type=_Profiles).profiles)
        except UNREADABLE as error:
            raise WorkloadError(
                self.name, f"its profiles cannot be sent to a scheduler: {in_words(error)}"
            ) from error


def ids_of(jobs: Sequence[RawJob]) -> list[str]:
    """Return the ids of jobs, without the workload's name."""
    ids: list[str] | None = getattr(jobs, "ids", None)
    if ids is not None:
        return ids
    return [str(job.id).removeprefix(WORKLOAD_PREFIX) for job in jobs]


def arrays_of(jobs: Sequence[RawJob], profiles: Mapping[str, RawProfile]) -> RawArrays:
    """Return the data of jobs as arrays."""
    import numpy as np

    delays = {name: one.delay if one.type == "delay" else np.nan for name, one in profiles.items()}
    failing = {name for name, one in profiles.items() if one.ret}
    names = [job.profile for job in jobs]
    return RawArrays(
        # adding 0.0 converts -0.0 to 0.0
        np.array([job.subtime for job in jobs], np.float64) + 0.0,
        np.array([job.res for job in jobs], np.int64),
        np.array([job.walltime for job in jobs], np.float64),
        np.array([delays[name] for name in names], np.float64),
        np.array(
            [name in failing for name in names] if failing else np.zeros(len(names)), np.bool_
        ),
    )


def columns_of(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the fields of rows as columns, as in `Details.columns`."""
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [row.get(name) for row in rows] for name in names if name not in NO_COLUMNS}


def columns_in(content: bytes, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the named fields of a workload's JSON as columns, as in `Details.columns`."""
    of_job: Any = msgspec.defstruct("_Fields", [(name, Any, None) for name in names], gc=False)
    file: Any = msgspec.defstruct("_File", [("jobs", list[of_job])])
    jobs = msgspec.json.decode(content, type=file).jobs
    columns = {name: [getattr(job, name) for job in jobs] for name in names}
    return {name: found for name, found in columns.items() if found.count(None) < len(found)}


class _Profiles(msgspec.Struct):
    profiles: dict[str, dict[str, Any]]
