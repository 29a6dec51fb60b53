"""Matching of the same jobs in two runs."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults


def rows_in(run: "JobResults", other: "JobResults") -> "NDArray[np.intp]":
    """Return for each job of another run its row in a run, without warm-up jobs.

    Parameters
    ----------
    run
        The run with the rows, in the order of `pred_aware.Run.ran`.
    other
        The run with the jobs, in the same order.

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
    """Return the rows in a baseline and in a run of the jobs that ran in both."""
    rows = rows_in(run, baseline)
    in_baseline = np.flatnonzero(rows >= 0)
    return in_baseline, rows[in_baseline]
