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
    """The names of a workload's jobs as columns of a table, which are created on first use."""

    def __init__(self, jobs: Sequence[RawJob]) -> None:
        self._jobs = jobs

    @cached_property
    def short(self) -> "ExtensionArray":
        """Names as in the workload, such as ``15``; shape (jobs,)."""
        import pandas as pd

        return pd.array(ids_of(self._jobs), "str")

    @cached_property
    def full(self) -> "pd.Index[str]":
        """Names with the workload's prefix, such as ``w0!15``; shape (jobs,)."""
        import pandas as pd

        return pd.Index(WORKLOAD_PREFIX + pd.Series(self.short), dtype="str")

    @cached_property
    def listed(self) -> list[str]:
        """The full names as a list."""
        return [WORKLOAD_PREFIX + name for name in ids_of(self._jobs)]


@dataclass(frozen=True, slots=True, eq=False)
class JobArrays:
    """The jobs of a workload with only delay profiles, as arrays in the workload's order."""

    submit: Floats
    """Submission dates, in seconds like all times here."""
    processors: Integers
    walltime: Floats
    """Requested processors, and walltimes; the walltime is infinite if the job has none."""
    delay: Floats
    """Run time of each job if the simulator does not kill the job."""
    failing: NDArray[np.bool_]
    """True if the job's profile ends with an error."""
    names: JobNames
    places: NDArray[np.intp]
    """Index of each job's name in `names`; copies with other dates use the same `names`."""

    @classmethod
    def of(cls, raw: RawWorkload) -> "JobArrays | None":
        """Return a workload's arrays; ``None`` if a job's run time depends on the machine's speed.

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
        arrays = raw.arrays
        if np.isnan(arrays.delay).any():
            return None
        walltime = np.where(arrays.walltime < 0.0, np.inf, arrays.walltime)
        names, places = JobNames(raw.jobs), np.arange(len(raw.jobs))
        return cls(
            arrays.submit, arrays.processors, walltime, arrays.delay, arrays.failing, names, places
        )

    def redated(self, order: NDArray[np.intp], submit: ArrayLike) -> "JobArrays":
        """Return the same jobs in another order, with new submission dates in seconds."""
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
        """Names with the workload's prefix, in the workload's order."""
        return [*map(self.names.listed.__getitem__, self.places.tolist())]

    @property
    def duration(self) -> Floats:
        """Seconds for which each job holds its processors: the smaller of delay and walltime."""
        return np.minimum(self.delay, self.walltime)

    @property
    def killed(self) -> NDArray[np.bool_]:
        """True for jobs killed at their walltime, also if they need exactly their walltime."""
        return self.delay >= self.walltime
