"""The results of a run's jobs, as metrics and pictures use them."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload


class JobResults(Protocol):
    """The results of the jobs of a run; `pred_aware.Run` implements and documents these members."""

    name: str
    workload: "Workload | None"

    @property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran, without warm-up jobs: Batsim's numeric columns, times in seconds."""
        ...

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, including warm-up jobs."""
        ...

    def column(self, name: str, *, whole: bool = False) -> "NDArray[np.float64]":
        """Return a column of `ran`, or of `whole`."""
        ...

    @property
    def processors(self) -> int:
        """Size of the machine."""
        ...

    @property
    def scheduling_time(self) -> float | None:
        """Seconds spent in the scheduler; ``None`` if not measured."""
        ...

    @property
    def walltimes(self) -> "NDArray[np.float64]":
        """Walltimes of the jobs in `ran`, in seconds; NaN for a job without one."""
        ...

    @property
    def ids_in_workload(self) -> "pd.Index[str]":
        """The ids in the workload of the jobs in `ran`."""
        ...

    @property
    def places_in_workload(self) -> "NDArray[np.intp] | None":
        """The row of each job in `ran` in the workload's frame; -1 if it has none."""
        ...

    @property
    def numbered(self) -> "NDArray[np.intp] | None":
        """The same if it is known without looking up names; else ``None``."""
        ...

    def planned(self, column: str) -> "NDArray[np.float64] | None":
        """Return how the jobs in `ran` were planned; ``None`` if this must be read from a file."""
        ...

    @property
    def blocks(self) -> "pd.DataFrame | None":
        """The block of each job, and drained blocks; ``None`` without blocks."""
        ...

    @property
    def provenance(self) -> dict[str, Any] | None:
        """The content of the run's ``_run.json``."""
        ...

    def detail(self, field: str) -> "pd.Series[Any] | None":
        """Return a field of the workload, such as `user`, for the jobs in `ran`."""
        ...

    def content(self, kind: str) -> bytes | None:
        """Return the content of one of the run's files, unpacked; ``None`` if it does not exist."""
        ...
