"""The results of a run's jobs in columns, from which measures and DataFrames are computed."""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pred_aware.log.workload import Workload
from pred_aware.runs.contents import RunContents
from pred_aware.runs.jobs_table import (
    NUMBERS,
    number_of_arrays,
    read_table,
    table_of,
    table_of_arrays,
)
from pred_aware.runs.rounding import reachable, rounded_as_in_csv
from pred_aware.simulator.tracing import STATE_NAMES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

KILLED = ("COMPLETED_WALLTIME_REACHED", "COMPLETED_KILLED")


class RunColumns:
    """The jobs of a run in columns, from arrays if available, or from a table.

    Parameters
    ----------
    name, contents, workload, warm_up
        As in `pred_aware.Run`.
    """

    def __init__(
        self,
        name: str,
        contents: RunContents,
        workload: Workload | None = None,
        warm_up: Collection[str] | None = None,
    ) -> None:
        self.name = name
        self.workload = workload
        self._contents = contents
        if warm_up is None:
            warm_up = () if workload is None else workload.warm_up
        self._warm_up = frozenset(warm_up)

    @cached_property
    def _table(self) -> "pd.DataFrame":
        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            return table_of_arrays(in_arrays.outcome, self.name)
        columns = self._contents.jobs
        if columns:
            return table_of(columns, self.name)
        path = self._contents.path
        data = self._contents.read("jobs") or b""
        return read_table(data, path or self.name, may_be_empty=path is None)

    @property
    def _whole_table(self) -> "pd.DataFrame":
        """All columns of `_table`, and the columns of text."""
        columns = self._contents.jobs
        return table_of(columns, self.name, words=True) if columns else self._table

    # arrays, because pandas looks up each attribute of a series among the jobs' names

    @cached_property
    def _counts(self) -> "NDArray[np.bool_]":
        import numpy as np

        if not self._warm_up:
            in_arrays = self._contents.in_arrays
            jobs = self._table if in_arrays is None else in_arrays.outcome.over
            return np.ones(len(jobs), np.bool_)
        return ~self._table["job_id"].isin(list(self._warm_up)).to_numpy()

    @cached_property
    def _rejected(self) -> "NDArray[np.bool_]":
        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            return ~in_arrays.outcome.ran
        return (self._table["final_state"] == "REJECTED").to_numpy()

    @cached_property
    def _ran_and_counts(self) -> "NDArray[np.bool_]":
        return self._counts & ~self._rejected

    @cached_property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran, without warm-up jobs: Batsim's numeric columns, in the file's order.

        Times are in seconds. The index is ``workload_name!job_id``.
        """
        return self._table.loc[self._ran_and_counts, list(NUMBERS)]

    def column(self, name: str, *, whole: bool = False) -> "NDArray[np.float64]":
        """Return one of Batsim's numeric columns.

        Parameters
        ----------
        name
            For example ``waiting_time``.
        whole
            True to include warm-up jobs.

        Returns
        -------
        numpy.ndarray
            Shape (jobs,), in the order of `ran` or of `whole`.
        """
        found = self._of_arrays(name)
        if found is None:
            found = (self.whole if whole else self.ran)[name].to_numpy()
        return found

    def _of_arrays(self, name: str) -> "NDArray[np.float64] | None":
        """Return a column without a table, if the run is in arrays and has no warm-up jobs."""
        in_arrays = self._contents.in_arrays
        if in_arrays is None or self._warm_up or "_table" in self.__dict__:
            return None
        found, ran = number_of_arrays(in_arrays.outcome, name), in_arrays.outcome.ran
        # creating the table raises the error for the invalid date
        if name != "stretch" and not reachable(found):
            return None
        return found if ran.all() else found[ran]

    @property
    def walltimes(self) -> "NDArray[np.float64]":
        """The walltimes of the jobs in `ran`, in seconds; NaN for a job without one."""
        import numpy as np

        walltimes = self._of_arrays("requested_time")
        if walltimes is None:
            if "requested_time" not in self._table:
                return np.full(len(self.ran), np.nan)
            walltimes = self._table.loc[self._ran_and_counts, "requested_time"].to_numpy()
        # Batsim writes -1 for no walltime
        return np.where(walltimes >= 0.0, walltimes, np.nan)

    @cached_property
    def ids_in_workload(self) -> "pd.Index[str]":
        """The ids in the workload of the jobs in `ran`; with several workloads, the full names."""
        import pandas as pd

        names = self._table["workload_name"]
        several = (names != names.iloc[0]).any()
        ids = self._table.index if several else pd.Index(self._table["job_id"], dtype="str")
        found: pd.Index[str] = ids[self._ran_and_counts]
        return found

    @cached_property
    def places_in_workload(self) -> "NDArray[np.intp] | None":
        """For each job in `ran`: its row in the workload's DataFrame, or -1 if it has none.

        ``None`` if the workload is not available.
        """
        if self.workload is None:
            return None
        if (numbered := self.numbered) is not None:
            return numbered
        return self.workload.jobs.index.get_indexer(self.ids_in_workload)

    @property
    def numbered(self) -> "NDArray[np.intp] | None":
        """`places_in_workload` if the run is in arrays, else ``None``, which avoids a search."""
        in_arrays = self._contents.in_arrays
        if self.workload is None or in_arrays is None:
            return None
        return in_arrays.outcome.over[self._ran_and_counts]

    def detail(self, field: str) -> "pd.Series[Any] | None":
        """Return a field of the workload, such as `user`, for the jobs in `ran`.

        ``None`` if the workload is not available, or has the field for no job.
        """
        places = self.places_in_workload
        if self.workload is None or places is None or field not in self.workload.jobs:
            return None
        values = self.workload.jobs[field]
        if (places < 0).any():
            return values.reindex(self.ids_in_workload)
        return values.take(places)

    def planned(self, column: str) -> "NDArray[np.float64] | None":
        """Return how the jobs in `ran` were planned, if no file must be read for it.

        Parameters
        ----------
        column
            ``first_promised_start`` in seconds, NaN if there is none, or ``started_as``: 0 for
            head, 1 for queue, 2 for backfilled.
        """
        import numpy as np

        in_arrays = self._contents.in_arrays
        if in_arrays is None:
            return None
        if column == "started_as":
            return in_arrays.outcome.planned(column)[self._ran_and_counts]
        promised = in_arrays.outcome.planned("first_promise")[self._ran_and_counts]
        return rounded_as_in_csv(np.where(promised < 0.0, np.nan, promised))

    @cached_property
    def warm_up(self) -> "pd.DataFrame | None":
        """The warm-up jobs that ran, which only fill the machine; ``None`` if there are none."""
        if not self._warm_up:
            return None
        return self._table.loc[~self._counts & ~self._rejected, list(NUMBERS)]

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, including warm-up jobs."""
        if self.warm_up is None:
            return self.ran
        import pandas as pd

        return pd.concat([self.warm_up, self.ran])

    @property
    def ids_of_whole(self) -> "pd.Index[str]":
        """The ids of the jobs in `whole`, if there is only one workload."""
        import numpy as np
        import pandas as pd

        ids: pd.Index[str]
        if self._warm_up or self.workload is None or self.numbered is None:
            ids = self.whole.index.str.partition("!").get_level_values(2)
        else:
            # this is faster than a table of all jobs
            ids = pd.Index(np.array(self.workload.raw.ids)[self.numbered])
        return ids

    @property
    def never_ran(self) -> "pd.Index[str]":
        """The full names of the jobs that never ran, without warm-up jobs."""
        return self._table.index[self._counts & self._rejected]

    @property
    def killed(self) -> int:
        """Number of jobs that were killed, without warm-up jobs."""
        import numpy as np

        in_arrays = self._contents.in_arrays
        if in_arrays is not None:
            killed = np.isin(STATE_NAMES, KILLED)[in_arrays.outcome.states]
        else:
            killed = self._table["final_state"].isin(KILLED).to_numpy()
        return int((killed & self._counts).sum())

    @property
    def machine_processors(self) -> int | None:
        """Size of the machine, from the schedule file; ``None`` without one."""
        size = self._contents.schedule_figure("nb_computing_machines")
        return None if size is None else int(size)

    @property
    def scheduling_time(self) -> float | None:
        """Seconds spent in the scheduler; ``None`` if not measured."""
        return self._contents.schedule_figure("scheduling_time") or None

    @cached_property
    def processors(self) -> int:
        """Size of the machine; without a schedule file the largest number of processors in use."""
        return self.machine_processors or _most_in_use(self.whole)


def counts_of(run: RunColumns) -> dict[str, int]:
    """Return how many of a run's jobs ran, never ran and were killed, without warm-up jobs."""
    counts, rejected = run._counts, run._rejected  # noqa: SLF001 - a class of this module
    return {
        "jobs": int((counts & ~rejected).sum()),
        "rejected": int((counts & rejected).sum()),
        "killed": run.killed,
    }


def _most_in_use(jobs: "pd.DataFrame") -> int:
    from pred_aware.metrics.timelines import in_use

    start, end, sizes = (
        jobs[column].to_numpy()
        for column in ("starting_time", "finish_time", "requested_number_of_resources")
    )
    return int(in_use(start, end, sizes)[1].max(initial=0))
