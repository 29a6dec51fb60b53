"""A Batsim workload as it is simulated: jobs and profiles under Batsim's names, checked."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from workload_tools.errors import WorkloadError
from workload_tools.expected import in_words
from workload_tools.printable import in_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LATEST = 2.0**53 / 1e3
"""Up to this date, in seconds, a double tells milliseconds apart."""

TOO_LATE = f"at most {LATEST:g} s, up to which a double tells milliseconds apart"

MOST_PROCESSORS = 2**31 - 1
"""The largest size of a job and of a machine, as Batsim counts."""

WORKLOAD_PREFIX = "w0!"
"""Batsim's name of the first workload, with which its jobs may be named in full."""


class RawJob(msgspec.Struct, gc=False):
    """The fields of a job that Batsim itself reads, under Batsim's names.

    `subtime` and `walltime` are in seconds; a `walltime` of -1 means that there is none.
    """

    id: str | int
    subtime: float
    res: int
    profile: str
    walltime: float | None = -1.0


class RawProfile(msgspec.Struct, gc=False):
    """A profile: what a job does.

    Three types can be simulated: ``delay``, which takes `delay` seconds; ``composed``, which takes
    those that `seq` names one after another, `repeat` times, if all are delays; and
    ``parallel_homogeneous`` without communication, in which each processor computes `cpu`
    floating-point operations. `ret` is the job's exit code.
    """

    type: str
    delay: float = -1.0
    ret: int = 0
    cpu: Any = None
    com: Any = None
    seq: Any = None
    repeat: Any = 1

    def why_not(self) -> str | None:
        """Say why the profile can't be simulated, if it can't."""
        if self.type == "delay":
            if 0.0 <= self.delay <= LATEST:
                return None
            return f"needs a delay of 0 s or more, and {TOO_LATE}"
        if self.type == "composed":
            return "must be composed of one or more delay profiles, 1 time or more"
        if self.type != "parallel_homogeneous":
            return (
                f"is of the type '{self.type}'; only delay profiles, those composed of delays, and "
                "parallel_homogeneous ones that do not communicate, can be simulated here, the "
                "real Batsim knows the others"
            )
        return self._why_not_computing()

    def _why_not_computing(self) -> str | None:
        if not isinstance(self.cpu, int | float) or not 0.0 <= self.cpu <= sys.float_info.max:
            return f"has the cpu {in_json(self.cpu)}; it must be a number of operations, 0 or more"
        if self.com != 0:
            return (
                f"communicates (com is {in_json(self.com)}); only profiles with a com of 0 can "
                "be simulated, the real Batsim knows the others"
            )
        return None

    @property
    def operations(self) -> float:
        """Floating-point operations of each processor; 0 for a delay."""
        return float(self.cpu) if self.type == "parallel_homogeneous" else 0.0


def resolve(profiles: dict[str, RawProfile], known: Mapping[str, RawProfile] | None = None) -> None:
    """Put a delay of the same length in the place of each profile that is composed of delays.

    Others that are composed stay, and can't be simulated.

    Parameters
    ----------
    profiles
        By name.
    known
        What they may be composed of, if not of one another.

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
                # the first that fails ends the job
                return RawProfile("delay", once, part.ret)
        return RawProfile("delay", once * repeat, profile.ret)

    for name, profile in profiles.items():
        if profile.type == "composed":
            profiles[name] = delay_of(profile, ()) or profile


class RawArrays(NamedTuple):
    """What is simulated of jobs, as arrays of shape (jobs,); times in seconds."""

    submit: "NDArray[np.float64]"
    processors: "NDArray[np.int64]"
    walltime: "NDArray[np.float64]"
    """-1 where there is none."""
    delay: "NDArray[np.float64]"
    """How long a job takes; NaN for one that computes, since that takes a machine's speed."""
    failing: "NDArray[np.bool_]"
    """Whether its profile ends with an error."""


def profile_name(processors: int, run_time: float) -> str:
    """Return what paper 001 calls the profile of a size and a run time in seconds.

    Examples
    --------
    >>> profile_name(4, 90)
    'D_4_90'
    """
    return f"D_{processors}_{run_time}"


NO_COLUMNS = frozenset({"id", "profile", "time_limit"})
"""Fields that tell what others do."""


class Details(Protocol):
    """All that is told of a workload's jobs, beyond what is simulated."""

    @property
    def content(self) -> bytes:
        """The workload as JSON, made when it is asked for."""
        ...

    @property
    def warm_up(self) -> frozenset[str]:
        """The ids of the jobs that only fill the machine."""
        ...

    @property
    def dates(self) -> tuple[float | None, str | None]:
        """The Unix date of second 0 and the time zone, as far as they are told.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            They can't be read: `UNREADABLE`.
        """
        ...

    def values(self, name: str) -> frozenset[Any]:
        """Return what jobs have in a field, by Batsim's name; empty where no job has it."""
        ...

    def rows(self) -> list[dict[str, Any]]:
        """Return every field of all jobs, as `job_fields` does of one."""
        ...

    def columns(self, *names: str) -> dict[str, list[Any]]:
        """Return the same field by field, but for `NO_COLUMNS`; None where a job has not got it.

        In the order in which the rows have them first; those alone that are named, if any are. A
        name may be a text here and a number in the rows.
        """
        ...

    def workload_field(self, name: str) -> Any:  # noqa: ANN401 - as JSON
        """Return what stands beside the jobs under a name, such as `held`; None without it.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            It can't be read: `UNREADABLE`.
        """
        ...

    def job_fields(self, place: int) -> dict[str, Any]:
        """Return every field of a job, by its place among the jobs, as the JSON has it.

        Raises
        ------
        msgspec.DecodeError, UnicodeDecodeError, RecursionError
            It has what can't be read: `UNREADABLE`.
        """
        ...


@dataclass(frozen=True, slots=True)
class RawWorkload:
    """A checked Batsim workload."""

    name: str
    """The file's name without its folder."""
    nb_res: int | None
    """The machine size that the file states, if it does."""
    jobs: Sequence[RawJob]
    """In the order of the file; every `id` is text and unique."""
    profiles: Mapping[str, RawProfile]
    """By name; those that jobs have can be simulated."""
    details: Details = field(compare=False)
    known: RawArrays | None = field(default=None, compare=False)
    """What is simulated of the jobs, where that is in arrays beside them."""

    @property
    def content(self) -> bytes:
        """The file's content, JSON."""
        return self.details.content

    @property
    def arrays(self) -> RawArrays:
        """What is simulated of the jobs."""
        return arrays_of(self.jobs, self.profiles) if self.known is None else self.known

    @property
    def ids(self) -> list[str]:
        """The ids of the jobs, without the name of the workload."""
        return ids_of(self.jobs)

    @property
    def free_names(self) -> Mapping[str, Collection[str]]:
        """The names of jobs and their profiles, by what they name, where they may be any text."""
        own: Mapping[str, Collection[str]] | None = getattr(self.jobs, "free_names", None)
        if own is not None:
            return own
        return {"job": self.ids, "profile": [job.profile for job in self.jobs]}

    def profile_objects(self) -> dict[str, Any]:
        """Return the profiles as the file has them, in the form of version 4."""
        try:
            from workload_tools.batsim.versions import to_version_4

            content = to_version_4(self.content)
            return dict(msgspec.json.decode(content, type=_Profiles).profiles)
        except UNREADABLE as error:
            raise WorkloadError(
                self.name, f"its profiles can't be passed on: {in_words(error)}"
            ) from error


def ids_of(jobs: Sequence[RawJob]) -> list[str]:
    """Return the ids of jobs, without the name of the workload."""
    own: list[str] | None = getattr(jobs, "ids", None)
    if own is not None:
        return own
    return [str(job.id).removeprefix(WORKLOAD_PREFIX) for job in jobs]


def arrays_of(jobs: Sequence[RawJob], profiles: Mapping[str, RawProfile]) -> RawArrays:
    """Return what is simulated of jobs."""
    import numpy as np

    delays = {name: one.delay if one.type == "delay" else np.nan for name, one in profiles.items()}
    failing = {name for name, one in profiles.items() if one.ret}
    names = [job.profile for job in jobs]
    return RawArrays(
        # no date is -0.0
        np.array([job.subtime for job in jobs], np.float64) + 0.0,
        np.array([job.res for job in jobs], np.int64),
        np.array([job.walltime for job in jobs], np.float64),
        np.array([delays[name] for name in names], np.float64),
        np.array(
            [name in failing for name in names] if failing else np.zeros(len(names)), np.bool_
        ),
    )


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading JSON ends in that is damaged, of no text, of numbers too large, or too deep."""


def columns_of(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the fields of rows, as `Details.columns` does."""
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [row.get(name) for row in rows] for name in names if name not in NO_COLUMNS}


def columns_in(content: bytes, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return some fields of the jobs in a workload's JSON, as `Details.columns` does."""
    of_job: Any = msgspec.defstruct("_Fields", [(name, Any, None) for name in names], gc=False)
    file: Any = msgspec.defstruct("_File", [("jobs", list[of_job])])
    jobs = msgspec.json.decode(content, type=file).jobs
    columns = {name: [getattr(job, name) for job in jobs] for name in names}
    return {name: found for name, found in columns.items() if found.count(None) < len(found)}


class _Profiles(msgspec.Struct):
    profiles: dict[str, dict[str, Any]]
