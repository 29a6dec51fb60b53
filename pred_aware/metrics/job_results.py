"""The jobs of a run, as metrics and pictures see them."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload


class JobResults(Protocol):
    """What became of the jobs of a run; `pred_aware.Run` is one, and says what each of these is."""

    name: str
    workload: "Workload | None"

    @property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran and count, with Batsim's columns of numbers, times in seconds."""
        ...

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, those that only fill the machine too."""
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
        """Seconds spent in the scheduler; ``None`` where nobody measured it."""
        ...

    @property
    def walltimes(self) -> "NDArray[np.float64]":
        """Of the jobs in `ran`, in seconds; NaN where a job has none."""
        ...

    @property
    def ids_in_workload(self) -> "pd.Index[str]":
        """What the jobs in `ran` are called in the workload."""
        ...

    @property
    def places_in_workload(self) -> "NDArray[np.intp] | None":
        """Which row of the workload's frame each job in `ran` is; -1 where it has none."""
        ...

    @property
    def numbered(self) -> "NDArray[np.intp] | None":
        """The same where it is known without looking names up; else ``None``."""
        ...

    def planned(self, column: str) -> "NDArray[np.float64] | None":
        """Return how the jobs in `ran` were planned; ``None`` where a file tells that."""
        ...

    @property
    def blocks(self) -> "pd.DataFrame | None":
        """Which block each job had, and which was drained for whom; ``None`` without blocks."""
        ...

    @property
    def provenance(self) -> dict[str, Any] | None:
        """How the run was made, as its ``_run.json`` tells it."""
        ...

    def detail(self, field: str) -> "pd.Series[Any] | None":
        """Return what the workload tells of the jobs in `ran`, such as their `user`."""
        ...

    def content(self, kind: str) -> bytes | None:
        """Return what is in one of the run's files, unpacked; ``None`` where there is none."""
        ...
