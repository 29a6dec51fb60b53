"""A Batsim workload in memory, for any number of runs."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pred_aware.simulator.errors import SimulationError
from pred_aware.simulator.sources import JobSource
from workload_tools.batsim.reader import load_raw, parse_raw
from workload_tools.batsim.workload import RawWorkload
from workload_tools.changes.redated import MARKS, RedatedDetails
from workload_tools.errors import WorkloadError
from workload_tools.expected import UNREADABLE
from workload_tools.files import packed, written_whole

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.log.job_arrays import JobArrays
    from pred_aware.log.named_jobs import NamedJobs
    from workload_tools.changes.resampled import Resampler
    from workload_tools.changes.shaken import Shaker


class Workload:
    """A checked Batsim workload in memory, for any number of simulations.

    Runs do not change the workload, and it can be pickled.

    Parameters
    ----------
    raw
        The checked workload.
    path
        Path of the workload's file; ``None`` if the workload was not read from a file.
    copy_of
        The original workload, if this is a perturbed copy or a resample.

    Examples
    --------
    >>> jobs = [{"id": "1", "subtime": 0, "res": 2, "walltime": 60, "profile": "D", "user_id": 7}]
    >>> profiles = {"D": {"type": "delay", "delay": 30}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> workload.jobs  # doctest: +NORMALIZE_WHITESPACE
            submit_time  processors  walltime user  run_time
    job_id
    1               0.0           2      60.0    7      30.0
    """

    def __init__(
        self, raw: RawWorkload, path: Path | None = None, *, copy_of: "Workload | None" = None
    ) -> None:
        self.raw = raw
        self.path = path
        self._copy_of = copy_of
        self._shakers: dict[float, Shaker] = {}
        self._resampler: Resampler | None = None

    @classmethod
    def read(cls, path: str | Path) -> "Workload":
        """Read a Batsim workload, plain or gzipped; see `pred_aware.read_workload`."""
        return cls(load_raw(path), Path(path))

    @classmethod
    def of(cls, content: Any, name: str = "the workload") -> "Workload":  # noqa: ANN401 - any JSON
        """Create a workload from its JSON, as Python objects or as bytes.

        Raises
        ------
        WorkloadError
            The content is not a workload that can be simulated.
        """
        data = content if isinstance(content, bytes) else msgspec.json.encode(content)
        return cls(parse_raw(data, name))

    @property
    def name(self) -> str:
        """Name of the file, or the name given at creation."""
        return self.raw.name

    @property
    def processors(self) -> int | None:
        """Processors of the machine for which the workload was made; ``None`` if unknown."""
        return self.raw.nb_res

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the workload's uncompressed JSON, in hexadecimal digits."""
        return hashlib.sha256(self.raw.content).hexdigest()

    @cached_property
    def dates(self) -> tuple[float | None, str | None]:
        """Unix date of the workload's second 0, and its time zone; ``None`` if unknown."""
        try:
            return self.raw.details.dates
        except UNREADABLE as error:
            raise WorkloadError(
                self.raw.name, f"has a value that cannot be read: {error}"
            ) from error

    @property
    def warm_up(self) -> frozenset[str]:
        """Ids of the warm-up jobs, which fill the machine and are not measured."""
        return self.raw.details.warm_up

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """How the workload was made, such as the seed of a perturbed copy or resample."""
        found = {mark: self.raw.details.workload_field(mark) for mark in MARKS}
        return {mark: change for mark, change in found.items() if change is not None}

    def shaken(self, seed: int, max_shift: float = 600.0) -> "Workload":
        """Return a perturbed copy: each session of a user is shifted independently by some minutes.

        A mean over a log's jobs changes by some percent if the dates of submissions change
        slightly. If policies are simulated on the same perturbed copies, their differences can be
        separated from such random changes (docs/explanation/intervals.md). The same seed gives the
        same copy.

        Parameters
        ----------
        seed
            Seed of the random shifts, 0 or more.
        max_shift
            Largest shift of a session in seconds, in either direction: an integer of at least 1.

        Raises
        ------
        ShakingError
            An argument is out of range.
        RedatingError
            The workload is itself a perturbed copy or a resample.

        Examples
        --------
        >>> jobs = [{"id": n, "subtime": 5000 * n, "res": 1, "profile": "D"} for n in range(3)]
        >>> profiles = {"D": {"type": "delay", "delay": 30}}
        >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
        >>> [workload.shaken(seed).jobs["submit_time"].tolist() for seed in (1, 2)]
        [[307.0, 5541.0, 9573.0], [157.0, 4758.0, 10377.0]]
        """
        from workload_tools.changes.shaken import Shaker

        shaker = self._shakers.get(max_shift)
        if shaker is None:
            shaker = self._shakers[max_shift] = Shaker(self.raw, max_shift=max_shift)
        return Workload(shaker.shake(seed), copy_of=self)

    def resampled(self, seed: int) -> "Workload":
        """Return a resample: the workload as it could have been in another year.

        All jobs of a user are shifted by a random number of whole weeks, which differs between
        users. Weekdays and hours stay the same, but other users submit jobs in the same week. A
        policy's effects on many resamples show its possible effects in another year with the same
        users (docs/explanation/intervals.md). The same seed gives the same resample; `provenance`
        has the resample's load.

        Parameters
        ----------
        seed
            Seed of the random shifts, 0 or more.

        Raises
        ------
        ResamplingError
            The seed is out of range, or the jobs span less than two weeks.
        RedatingError
            The workload is itself a perturbed copy or a resample.

        Examples
        --------
        >>> week = 7 * 86400
        >>> jobs = [
        ...     {"id": n, "subtime": n * week + 60, "res": 1, "profile": "D", "user_id": n}
        ...     for n in range(4)
        ... ]
        >>> profiles = {"D": {"type": "delay", "delay": 30}}
        >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
        >>> dates = workload.resampled(1).jobs["submit_time"]
        >>> ((dates - 60) / week).to_dict()
        {'2': 0.0, '0': 1.0, '1': 2.0, '3': 2.0}
        """
        from workload_tools.changes.resampled import Resampler

        if self._resampler is None:
            self._resampler = Resampler(self.raw)
        return Workload(self._resampler.resample(seed), copy_of=self)

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """The jobs by their ids, with all their fields in the workload.

        Times are in seconds. `user`, `queue` and other names are texts, and missing if a job has
        none. `run_time` is the delay of the job's profile, and missing for a profile without one.
        Fields that no job has are omitted.
        """
        from pred_aware.log.job_frame import copied_frame, job_frame

        if self._redated is None:
            return job_frame(self.raw)
        copied, details = self._redated
        return copied_frame(copied.jobs, self.raw, details)

    @property
    def _redated(self) -> "tuple[Workload, RedatedDetails] | None":
        """The original workload and the new dates; ``None`` if this workload is not a copy."""
        details = self.raw.details
        if self._copy_of is None or not isinstance(details, RedatedDetails):
            return None
        return self._copy_of, details

    @cached_property
    def _named(self) -> "dict[str, NamedJobs]":
        """Fields of the jobs as integer codes, by the field's name; see `named_jobs_of`."""
        return {}

    @cached_property
    def _arrays(self) -> "JobArrays | None":
        """The jobs as arrays; see `arrays_of`."""
        from pred_aware.log.job_arrays import JobArrays

        if self._redated is not None:
            copied, details = self._redated
            jobs = arrays_of(copied)
            return None if jobs is None else jobs.redated(details.order, details.submit)
        try:
            JobSource(self.raw)
        except SimulationError:
            return None
        return JobArrays.of(self.raw)

    @cached_property
    def _known_columns(self) -> dict[str, list[Any]] | None:
        """The jobs' features that predictors see; see `known_columns_of`."""
        from pred_aware.log.known_columns import known_columns

        if self._redated is None:
            return known_columns(self.raw)
        copied, details = self._redated
        columns = known_columns_of(copied)
        return columns and {
            name: [*map(column.__getitem__, details.places)] for name, column in columns.items()
        }

    def write(self, path: str | Path) -> None:
        """Write the workload as Batsim's JSON; the file is compressed if its name ends in ``.gz``.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        with written_whole(path) as file, packed(file, path) as into:
            into.write(self.raw.content)

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.raw.jobs)

    def __repr__(self) -> str:
        """Return the name, the number of jobs and the machine's size."""
        size = "" if self.processors is None else f" for {self.processors} processors"
        return f"<Workload {self.name}: {len(self)} jobs{size}>"

    def _repr_html_(self) -> str:
        """Return the workload's name and first jobs as HTML, for notebooks."""
        from pred_aware.report.html import table_in_html

        return table_in_html(repr(self)[1:-1], self.jobs)


def arrays_of(workload: Workload) -> "JobArrays | None":
    """Return the jobs as arrays of shape (jobs,), in the workload's order; computed once.

    ``None`` if a job's run time depends on the machine, or a run's files cannot hold a job's name.
    """
    return workload._arrays  # noqa: SLF001 - private to this module


def known_columns_of(workload: Workload) -> dict[str, list[Any]] | None:
    """Return the jobs' features that predictors see, in the workload's order; computed once.

    See `pred_aware.log.known_columns.known_columns`.
    """
    return workload._known_columns  # noqa: SLF001 - private to this module


def named_jobs_of(workload: Workload, field: str) -> "NamedJobs | None":
    """Return the values of a field of the jobs, such as `user`, as codes; computed once.

    ``None`` if no job has the field.
    """
    from pred_aware.log.job_frame import in_one_column_each
    from pred_aware.log.named_jobs import NamedJobs

    redated = workload._redated  # noqa: SLF001 - private to this module
    if redated is not None and in_one_column_each(redated[1]):
        copied, details = redated
        of_all = named_jobs_of(copied, field)
        return None if of_all is None else of_all.at(details.order)
    named = workload._named  # noqa: SLF001 - private to this module
    if field not in named:
        if field not in workload.jobs:
            return None
        named[field] = NamedJobs.of(workload.jobs[field])
    return named[field]


def read_workload(path: str | Path) -> Workload:
    """Read a Batsim workload, plain or gzipped, and check that it can be simulated.

    The workload is not changed. Jobs without a walltime stay, and a scheduler that needs a walltime
    rejects these jobs. Use `pred_aware.read_log` for job logs.

    Parameters
    ----------
    path
        The JSON file.

    Raises
    ------
    WorkloadError
        The file cannot be read, is not a workload, or has a job that cannot be simulated.
    """
    return Workload.read(path)


# structs instead of dataclasses, because these are keys of large dicts and are stored in files


class Shake(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A perturbed copy of a workload, in which users' sessions start a little earlier or later."""

    seed: int
    max_shift: float
    """Largest shift of a session, in seconds."""

    def of(self, workload: Workload) -> Workload:
        """Return this perturbed copy of a workload."""
        return workload.shaken(self.seed, self.max_shift)

    def __str__(self) -> str:
        """Return the name, such as ``shake 3``."""
        return f"shake {self.seed}"


class Resample(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A resample of a workload, with its users' weeks in another order."""

    seed: int

    def of(self, workload: Workload) -> Workload:
        """Return this resample of a workload."""
        return workload.resampled(self.seed)

    def __str__(self) -> str:
        """Return the name, such as ``resample 3``."""
        return f"resample {self.seed}"


Copy = Shake | Resample
