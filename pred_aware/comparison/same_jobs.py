"""Whether two runs simulated the same jobs, without which their figures can't be compared."""

from typing import TYPE_CHECKING

from pred_aware.report.plural import counted

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.runs.run import Run


def unlike(baseline: "pd.DataFrame", new: "pd.DataFrame") -> "NDArray[np.bool_]":
    """Say which jobs were submitted at another time or are of another size.

    Parameters
    ----------
    baseline, new
        The same jobs in the same order, with Batsim's columns.

    Returns
    -------
    numpy.ndarray
        Shape (jobs,).
    """
    found: NDArray[np.bool_] = (
        baseline["submission_time"].to_numpy() != new["submission_time"].to_numpy()
    ) | (
        baseline["requested_number_of_resources"].to_numpy()
        != new["requested_number_of_resources"].to_numpy()
    )
    return found


def differences(baseline: "Run", new: "Run") -> list[str]:
    """Say in what the jobs of two runs differ: how many, and which is the first.

    Jobs of a warm-up count, since they fill the machine of the others. One that both rejected
    filled neither, whatever it was.

    Returns
    -------
    list of str
        A phrase for each kind of difference; none where the jobs are the same.
    """
    ran_baseline, ran_new = baseline.whole, new.whole
    here, there = ran_baseline.index, ran_new.index
    in_both = here[_among(here, there)]
    other = unlike(ran_baseline.loc[in_both], ran_new.loc[in_both])
    had_baseline, had_new = here.append(baseline.never_ran), there.append(new.never_ran)
    kinds = (
        (here[_among(here, new.never_ran)], f"ran in {baseline.name}, rejected in {new.name}"),
        (
            there[_among(there, baseline.never_ran)],
            f"ran in {new.name}, rejected in {baseline.name}",
        ),
        (
            had_baseline[~_among(had_baseline, had_new)],
            f"of {baseline.name} not in the file of {new.name}",
        ),
        (
            had_new[~_among(had_new, had_baseline)],
            f"of {new.name} not in the file of {baseline.name}",
        ),
        (
            in_both[other],
            f"of another submission time or size in {new.name} than in {baseline.name}",
        ),
    )
    return [
        f"{counted(len(jobs), 'job')} {how} ({'' if len(jobs) == 1 else 'first '}{jobs[0]})"
        for jobs, how in kinds
        if len(jobs)
    ]


def _among(names: "pd.Index[str]", others: "pd.Index[str]") -> "NDArray[np.bool_]":
    """Say which names are among others, none of which stands twice; `isin` takes ten times it."""
    return others.get_indexer(names) >= 0
