"""The results of a run's jobs, as metrics and pictures use them."""

import io
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pred_aware.errors import PredAwareError
from schedulers.journal import BlockLog
from workload_tools.expected import in_words

if TYPE_CHECKING:
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
        """Real seconds that the scheduler used; ``None`` if not measured."""
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
        """For each job in `ran`: its row in the workload's data frame, or -1 without such a row."""
        ...

    @property
    def numbered(self) -> "NDArray[np.intp] | None":
        """`places_in_workload` if it is known without looking up names; else ``None``."""
        ...

    def planned(self, column: str) -> "NDArray[np.float64] | None":
        """Return a column about the plans of the jobs in `ran`; ``None`` if only a file has it."""
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


def rows_in(run: "JobResults", other: "JobResults") -> "NDArray[np.intp]":
    """Return the row in `run` of each job of `other`, without warm-up jobs.

    Parameters
    ----------
    run
        The run whose rows are returned, as rows of `pred_aware.Run.ran`.
    other
        The run with the jobs, also in the order of its `ran`.

    Returns
    -------
    numpy.ndarray
        Shape (jobs of `other`,); -1 for jobs that are not in the run.
    """
    here, there = run.numbered, other.numbered
    if here is not None and there is not None and run.workload is other.workload:
        assert run.workload is not None
        rows = np.full(len(run.workload), -1, np.intp)
        rows[here] = np.arange(len(here))
        return rows[there]
    return run.ran.index.get_indexer(other.ran.index)


def rows_in_both(
    baseline: "JobResults", run: "JobResults"
) -> "tuple[NDArray[np.intp], NDArray[np.intp]]":
    """Return the rows of the jobs that ran in both runs: in the baseline, and in the run."""
    rows = rows_in(run, baseline)
    in_baseline = np.flatnonzero(rows >= 0)
    return in_baseline, rows[in_baseline]


def read_side_table(content: bytes, name: str, **how: Any) -> "pd.DataFrame":  # noqa: ANN401 - as pandas takes them
    """Return a table, read by `pandas.read_csv`.

    Raises
    ------
    PredAwareError
        The table cannot be read. The message begins with `name`.
    """
    import pandas as pd

    try:
        table: pd.DataFrame = pd.read_csv(io.BytesIO(content), **how)
    except ValueError as error:
        why = in_words(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise PredAwareError(f"{name} cannot be read: {why}") from error
    return table


def read_block_record(content: bytes, name: str) -> "pd.DataFrame":
    r"""Read the content of ``PREFIX_blocks.csv``.

    Parameters
    ----------
    content
        The file's content.
    name
        The run's name, for messages.

    Raises
    ------
    PredAwareError
        The content is not such a file.

    Examples
    --------
    >>> content = b"job_id,use,block,start,end\n1,drained,left,5.0,9.0\n"
    >>> read_block_record(content, "mine")
      job_id      use block  start  end
    0      1  drained  left    5.0  9.0
    """
    kinds = {name: "float64" if name in ("start", "end") else "str" for name in BlockLog.COLUMNS}
    table = read_side_table(content, f"{name}: its _blocks.csv", dtype=kinds, keep_default_na=False)
    if tuple(table.columns) != BlockLog.COLUMNS:
        raise PredAwareError(
            f"{name}: its _blocks.csv has the columns {', '.join(table.columns)}; they must be "
            f"{', '.join(BlockLog.COLUMNS)}"
        )
    return table
