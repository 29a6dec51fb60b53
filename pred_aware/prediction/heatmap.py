"""Where estimates improve on walltimes: by size and run time, as paper 002 has it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.prediction.evaluation import EvaluationColumns
from pred_aware.prediction.measures import deviation_ratios
from pred_aware.report.durations import DAY, HOUR, MINUTE

if TYPE_CHECKING:
    from numpy.typing import NDArray

RUN_TIMES = (
    (10.0, "≤ 10 s"),
    (MINUTE, "≤ 1 min"),
    (10 * MINUTE, "≤ 10 min"),
    (HOUR, "≤ 1 h"),
    (4 * HOUR, "≤ 4 h"),
    (12 * HOUR, "≤ 12 h"),
    (DAY, "≤ 1 d"),
    (3 * DAY, "≤ 3 d"),
    (float("inf"), "> 3 d"),
)
"""The columns: up to how many seconds, and what that is called."""

MOST_ROWS = 10


@dataclass(frozen=True, slots=True)
class Heatmap:
    """How much nearer to the run times estimates are than walltimes, by size and run time."""

    sizes: tuple[str, ...]
    run_times: tuple[str, ...]
    """Names of the rows, small jobs first, and of the columns."""
    improvement: "NDArray[np.float64]"
    """Mean of log2(deviation ratio of the walltime / that of the estimate), shape (rows, columns):
    1 where estimates are twice as near, -1 where they are twice as far off, NaN where there is no
    job."""
    jobs: "NDArray[np.int64]"
    """How many jobs that is the mean of, of the same shape."""


def heatmap(jobs: EvaluationColumns, estimates: "NDArray[np.float64]") -> Heatmap:
    """Compare estimates with walltimes, over the jobs that have one.

    Parameters
    ----------
    jobs
        What is known of the jobs.
    estimates
        In seconds, shape (n,).
    """
    known = ~np.isnan(jobs.walltimes)
    run_times = jobs.run_times[known]
    gains = np.log2(
        deviation_ratios(jobs.walltimes[known], run_times)
        / deviation_ratios(estimates[known], run_times)
    )
    limits, names = size_classes(int(jobs.processors.max(initial=1)))
    rows = np.searchsorted(limits, jobs.processors[known])
    columns = np.searchsorted([limit for limit, _ in RUN_TIMES], run_times)
    shape = (len(limits), 1 + int(columns.max(initial=0)))
    cells = rows * shape[1] + columns
    number = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    sums = np.bincount(cells, gains, minlength=shape[0] * shape[1]).reshape(shape)
    improvement = np.full(shape, np.nan)
    np.divide(sums, number, out=improvement, where=number > 0)
    columns_shown = tuple(name for _, name in RUN_TIMES[: shape[1]])
    return Heatmap(names, columns_shown, improvement, number)


def size_classes(largest: int) -> tuple[list[int], tuple[str, ...]]:
    """Return up to how many processors each class of sizes goes, and the classes' names.

    Powers of 2, or of 4 and so on where these would be too many.

    Examples
    --------
    >>> size_classes(8)
    ([1, 2, 4, 8], ('1', '2', '3-4', '5-8'))
    """
    exponents = max(largest - 1, 0).bit_length()
    step = 1 + exponents // MOST_ROWS
    limits = [1 << exponent for exponent in range(0, exponents + step, step)]
    names = [str(limits[0])]
    for below, limit in pairwise(limits):
        names.append(f"{below + 1}-{limit}" if limit - below > 1 else str(limit))
    return limits, tuple(names)
