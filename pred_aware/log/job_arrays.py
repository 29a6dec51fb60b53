"""The jobs of a workload as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workload_tools.batsim.workload import WORKLOAD_PREFIX, RawJob, RawWorkload, ids_of

if TYPE_CHECKING:
    import pandas as pd
    from pandas.api.extensions import ExtensionArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class JobNames:
    """The names of a workload's jobs, as columns of a table, made when they are asked for."""

    def __init__(self, jobs: Sequence[RawJob]) -> None:
        self._jobs = jobs

    @cached_property
    def short(self) -> "ExtensionArray":
        """The names in the workload; shape (jobs,)."""
        import pandas as pd

        return pd.array(ids_of(self._jobs), "str")

    @cached_property
    def full(self) -> "pd.Index[str]":
        """The names with that of the workload; shape (jobs,)."""
        import pandas as pd

        return pd.Index(WORKLOAD_PREFIX + pd.Series(self.short), dtype="str")

    @cached_property
    def listed(self) -> list[str]:
        """The full names as a list."""
        return [WORKLOAD_PREFIX + name for name in ids_of(self._jobs)]


@dataclass(frozen=True, slots=True, eq=False)
class JobArrays:
    """The jobs of a workload, each of which sleeps; shape (jobs,), in the order of the workload."""

    submit: Floats
    """In seconds, as all else."""
    processors: Integers
    walltime: Floats
    """Infinite where there is none."""
    delay: Floats
    """What a job takes if nobody kills it."""
    failing: NDArray[np.bool_]
    """Whether its profile ends with an error."""
    names: JobNames
    places: NDArray[np.intp]
    """Where the names of each job stand among these; a copy with other dates has them once."""

    @classmethod
    def of(cls, raw: RawWorkload) -> "JobArrays | None":
        """Return a workload's; ``None`` where a job computes, since that takes a machine's speed.

        Examples
        --------
        >>> from workload_tools.batsim.reader import parse_raw
        >>> raw = parse_raw(
        ...     b'{"nb_res":4,"jobs":[{"id":1,"subtime":5,"res":2,"profile":"D"}],'
        ...     b'"profiles":{"D":{"type":"delay","delay":30}}}', "a workload",
        ... )
        >>> JobArrays.of(raw).delay
        array([30.])
        """
        told = raw.arrays
        if np.isnan(told.delay).any():
            return None
        walltime = np.where(told.walltime < 0.0, np.inf, told.walltime)
        names, places = JobNames(raw.jobs), np.arange(len(raw.jobs))
        return cls(told.submit, told.processors, walltime, told.delay, told.failing, names, places)

    def redated(self, order: NDArray[np.intp], submit: ArrayLike) -> "JobArrays":
        """Return the same jobs in another order, with their dates there."""
        return JobArrays(
            np.asarray(submit, np.float64),
            self.processors[order],
            self.walltime[order],
            self.delay[order],
            self.failing[order],
            self.names,
            self.places[order],
        )

    @property
    def full_names(self) -> list[str]:
        """The names with that of the workload, in the order of the workload."""
        return [*map(self.names.listed.__getitem__, self.places.tolist())]

    @property
    def duration(self) -> Floats:
        """How long each job holds its processors: its walltime, where that comes first."""
        return np.minimum(self.delay, self.walltime)

    @property
    def killed(self) -> NDArray[np.bool_]:
        """Whether a job is killed at its walltime, also where it would end then."""
        return self.delay >= self.walltime
