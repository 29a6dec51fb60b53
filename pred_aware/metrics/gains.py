"""Changes of waits from a baseline, by job and by group."""

from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.groups import FROM_WORKLOAD, groups_of
from pred_aware.metrics.job_results import rows_in_both
from pred_aware.metrics.of_jobs import LATE

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults

_DIGITS = 6


def gains(baseline: "JobResults", run: "JobResults") -> "pd.DataFrame":
    """Return the change of each job's wait, for jobs that ran in both runs.

    Parameters
    ----------
    baseline, run
        Runs of the same jobs.

    Returns
    -------
    pandas.DataFrame
        A row for each job in the order of submission, indexed by `job_id`: `submission_time`,
        `processors`, `run_time`; `user` and `queue`, if the workload is available and has them;
        `baseline_waiting_time`, `waiting_time` and their `difference`, which is negative if the job
        waited less than in the baseline.
    """
    import pandas as pd

    in_baseline, in_run = rows_in_both(baseline, run)
    processors = baseline.column("requested_number_of_resources")[in_baseline]
    columns = {
        "submission_time": baseline.column("submission_time")[in_baseline],
        "processors": processors.astype(np.int64),
        "run_time": baseline.column("execution_time")[in_baseline],
    }
    known, places = (baseline, in_baseline) if baseline.workload is not None else (run, in_run)
    for field in ("user", "queue"):
        if (values := known.detail(field)) is not None:
            columns[field] = values.array[places]
    before, after, difference = _waits(baseline, run, in_baseline, in_run)
    columns |= {"baseline_waiting_time": before, "waiting_time": after, "difference": difference}
    frame = pd.DataFrame(columns, index=baseline.ids_in_workload[in_baseline].rename("job_id"))
    return frame.sort_values("submission_time", kind="stable")


def gains_by(baseline: "JobResults", run: "JobResults", by: str) -> "pd.DataFrame":
    """Return the changes of waits by groups of jobs.

    Parameters
    ----------
    baseline, run
        Runs of the same jobs.
    by
        As in `pred_aware.metrics.groups.groups_of`.

    Returns
    -------
    pandas.DataFrame
        A row for each group: the number of `jobs` that ran in both runs;
        `baseline_mean_waiting_time` and `mean_waiting_time`; `mean_difference` (negative for
        shorter waits) and `total_difference`; and the shares of jobs whose wait is `shorter` or
        `longer` by more than 0.01 s.

    Raises
    ------
    PredAwareError
        As in `pred_aware.metrics.groups.groups_of`.
    """
    import pandas as pd

    in_baseline, in_run = rows_in_both(baseline, run)
    from_run = by in FROM_WORKLOAD and baseline.workload is None
    groups = groups_of(run if from_run else baseline, by)
    codes = groups.codes[in_run if from_run else in_baseline]
    jobs = np.bincount(codes, minlength=len(groups.names))
    before, after, difference = _waits(baseline, run, in_baseline, in_run)

    def total(values: "NDArray[np.float64]") -> "NDArray[np.float64]":
        return np.bincount(codes, values, minlength=len(groups.names)).astype(np.float64)

    with np.errstate(invalid="ignore"):
        means = {
            "baseline_mean_waiting_time": total(before) / jobs,
            "mean_waiting_time": total(after) / jobs,
            "mean_difference": total(difference) / jobs,
            "total_difference": total(difference),
            "shorter": total((difference < -LATE).astype(np.float64)) / jobs,
            "longer": total((difference > LATE).astype(np.float64)) / jobs,
        }
    index = pd.Index(groups.names, name=by, dtype="str")
    return pd.DataFrame({"jobs": jobs, **means}, index=index)[jobs > 0]


def _waits(
    baseline: "JobResults",
    run: "JobResults",
    in_baseline: "NDArray[np.intp]",
    in_run: "NDArray[np.intp]",
) -> "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]":
    """Return the waits of the jobs in these rows: in the baseline, in the run, the difference."""
    before = baseline.column("waiting_time")[in_baseline]
    after = run.column("waiting_time")[in_run]
    # files have six decimals; a difference of such numbers may have more
    return before, after, np.round(after - before, _DIGITS)
