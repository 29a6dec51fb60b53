"""The same jobs in two runs."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults


def rows_in(run: "JobResults", other: "JobResults") -> "NDArray[np.intp]":
    """Return which row of a run's jobs that ran and count each of another's is.

    Parameters
    ----------
    run
        Whose rows, in the order of `pred_aware.Run.ran`.
    other
        Of whose jobs, in that order.

    Returns
    -------
    numpy.ndarray
        Shape (jobs of `other`,); -1 for those that the run does not have.
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
    """Return the rows, in a baseline and in a run, of the jobs that ran in both."""
    rows = rows_in(run, baseline)
    in_baseline = np.flatnonzero(rows >= 0)
    return in_baseline, rows[in_baseline]
