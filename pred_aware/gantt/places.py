"""The processors of jobs, as columns of intervals."""

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from schedulers.core.lowest_free import LowestFree
from workload_tools.batsim.intervals import Intervals, count, parse_intervals

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def places(jobs: "pd.DataFrame", *, processors: int) -> tuple[list[Intervals], bool]:
    """Return the processors of each job, and True if the run recorded them.

    Without a record, each job gets the free processors with the lowest numbers at its start.

    Parameters
    ----------
    jobs
        As in `pred_aware.Run.jobs`; a job without a start has no processors.
    processors
        Size of the machine.
    """
    ran = jobs["starting_time"].notna().tolist()
    if "allocated_resources" in jobs:
        texts = zip(jobs["allocated_resources"].tolist(), ran, strict=True)
        try:
            return [parse_intervals(text) if runs else () for text, runs in texts], True
        except (TypeError, ValueError):
            pass  # missing, or in another simulator's format
    return _lowest_free(jobs, processors), False


def _lowest_free(jobs: "pd.DataFrame", processors: int) -> list[Intervals]:
    start, end, sizes = (
        jobs[column].to_numpy()
        for column in ("starting_time", "finish_time", "requested_number_of_resources")
    )
    rule, free = LowestFree(processors), processors
    found: list[Intervals] = [()] * len(jobs)
    running: list[tuple[float, int]] = []
    for job in np.lexsort((end, start)).tolist():
        while running and running[0][0] <= start[job]:
            ended = found[heappop(running)[1]]
            rule.release(ended)
            free += count(ended)
        # false for a job that never ran, and for a size that no longer fits
        if start[job] >= 0.0 and 0 < sizes[job] <= free:
            found[job] = rule.allocate(int(sizes[job]))
            free -= int(sizes[job])
            heappush(running, (float(end[job]), job))
    return found


def in_columns(some: list[Intervals], order: "NDArray[np.intp]") -> "dict[str, NDArray[np.int64]]":
    """Return intervals as columns.

    Parameters
    ----------
    some
        The intervals of each job.
    order
        The jobs with intervals, in order of start, so that neighbours are similar.

    Returns
    -------
    dict
        ``intervals``: the number of each job's intervals. Then in that order: ``gaps``, the
        processors between the previous interval (or processor 0) and each one; ``lengths``, the
        size of each interval except the last of a job, which is the rest.
    """
    gaps, lengths = [], []
    for job in order.tolist():
        reached = 0
        for first, last in some[job]:
            gaps.append(first - reached)
            lengths.append(last + 1 - first)
            reached = last + 1
        if some[job]:
            lengths.pop()
    columns = {"intervals": [len(own) for own in some], "gaps": gaps, "lengths": lengths}
    return {name: np.array(column, np.int64) for name, column in columns.items()}
