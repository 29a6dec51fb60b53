"""The jobs of a log that are in columns, as a workload that is simulated."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import starmap

import numpy as np

from workload_tools.batsim.fields import NUMBERS
from workload_tools.batsim.workload import (
    LATEST,
    MOST_PROCESSORS,
    LazyJobs,
    RawArrays,
    RawJob,
    RawProfile,
    profile_name,
)
from workload_tools.batsim.writer import whole
from workload_tools.job import Job
from workload_tools.job_columns import Column, JobColumns


def in_columns(jobs: Sequence[Job]) -> "tuple[JobsInColumns, ProfilesInColumns] | None":
    """Return jobs with their profiles; ``None`` where they have to be looked at one by one."""
    if not (isinstance(jobs, JobColumns) and _surely_fine(jobs)):
        return None
    found = JobsInColumns(jobs)
    return found, ProfilesInColumns(found)


def _surely_fine(jobs: JobColumns) -> bool:
    """Say whether every job can be simulated, looking at all at once."""
    columns = jobs.columns
    ids, sizes = columns["id"], columns["processors"]
    found = [columns[name] for name in NUMBERS if name in columns]
    return (
        ids.kind is str
        and _all_differ(ids)
        and sizes.kind is int
        and _all_between(1, sizes, MOST_PROCESSORS)
        and all(column.kind is float and not np.isinf(column.values).any() for column in found)
        and _all_between(0.0, columns["submit_time"], LATEST)
        and _all_between(0.0, columns["run_time"], LATEST)
        and ("walltime" not in columns or not (columns["walltime"].values <= 0.0).any())
    )


def _all_differ(column: Column) -> bool:
    rising = np.sort(column.values)
    return bool((rising[1:] > rising[:-1]).all())


def _all_between(least: float, column: Column, most: float) -> bool:
    return bool(((column.values >= least) & (column.values <= most)).all())


class JobsInColumns(LazyJobs):
    """Jobs of a log under Batsim's names.

    Parameters
    ----------
    jobs
        Those that can surely be simulated.
    """

    def __init__(self, jobs: JobColumns) -> None:
        self._jobs = jobs

    own_profiles: frozenset[str] = frozenset()
    """See `RawWorkload.own_profiles`."""

    @property
    def ids(self) -> list[str]:
        """Their ids."""
        return self._jobs.listed("id")

    @property
    def arrays(self) -> RawArrays:
        """What is simulated of them."""
        columns, walltime = self._jobs.columns, self._jobs.column("walltime")
        return RawArrays(
            columns["submit_time"].values,
            columns["processors"].values,
            np.where(walltime.known(), walltime.values, -1.0).astype(np.float64),
            columns["run_time"].values,
            np.zeros(len(self), np.bool_),
        )

    def make(self) -> Iterator[RawJob]:
        """Make the jobs one by one."""
        told = self.arrays
        names = (name for name, _ in self.profiles())
        submit, sizes, walltime = (told[column].tolist() for column in range(3))
        return starmap(RawJob, zip(self.ids, submit, sizes, names, walltime, strict=True))

    def profiles(self) -> Iterator[tuple[str, float]]:
        """Yield the name of the profile of each, and how long it takes, in seconds."""
        told = self.arrays
        for processors, delay in zip(told.processors.tolist(), told.delay.tolist(), strict=True):
            yield profile_name(processors, whole(delay)), delay

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self._jobs)


class ProfilesInColumns(Mapping[str, RawProfile]):
    """The profiles of such jobs, which are made when one is asked for."""

    def __init__(self, jobs: JobsInColumns) -> None:
        self._jobs = jobs

    @cached_property
    def _made(self) -> dict[str, RawProfile]:
        delays = dict(self._jobs.profiles())
        return {name: RawProfile("delay", delay) for name, delay in delays.items()}

    def __getitem__(self, name: str) -> RawProfile:
        """Return a profile."""
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._made)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._made)
