"""Timelines of a run's machine and queue."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults

    Array = NDArray[np.float64]

MOST_BINS = 100
BIN_WIDTHS = (
    *(1, 10, 60, 600, 1800, 3600, 21600, 43200),
    *(86400, 172800, 604800, 1209600, 2419200),
)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Means over equal intervals of time, as arrays of shape (bins,)."""

    processors_in_use: "NDArray[np.float64]"
    """Mean number of processors that run a job."""
    jobs_waiting: "NDArray[np.float64]"
    """Mean number of jobs that are submitted but not started."""
    processors_waited_for: "NDArray[np.float64]"
    """Mean number of processors that the waiting jobs request."""


def bin_edges(end: float) -> "NDArray[np.float64]":
    """Divide the time from 0 to `end` into at most 100 bins of a round width.

    Parameters
    ----------
    end
        The end in seconds.

    Returns
    -------
    Edges in seconds, shape (bins + 1,); the last bin may extend beyond `end`.

    Examples
    --------
    >>> bin_edges(6000.0)[:3]
    array([  0.,  60., 120.])
    """
    width = next((width for width in BIN_WIDTHS if end <= width * MOST_BINS), BIN_WIDTHS[-1])
    return np.arange(max(1, int(np.ceil(end / width))) + 1, dtype=np.float64) * width


def timeline(run: "JobResults", edges: "NDArray[np.float64]") -> Timeline:
    """Return the means of a run's machine and queue between the edges.

    Parameters
    ----------
    run
        The run to describe.
    edges
        In seconds, shape (bins + 1,), ascending.
    """
    jobs = run.whole
    submission, start, finish, sizes = (
        jobs[column].to_numpy()
        for column in (
            "submission_time",
            "starting_time",
            "finish_time",
            "requested_number_of_resources",
        )
    )
    return timeline_of(submission, start, finish, sizes=sizes, edges=edges)


def timeline_of(
    submission: "NDArray[np.float64]",
    start: "NDArray[np.float64]",
    finish: "NDArray[np.float64]",
    *,
    sizes: "NDArray[np.float64]",
    edges: "NDArray[np.float64]",
) -> Timeline:
    """Return the means of machine and queue between the edges, from jobs' dates.

    Parameters
    ----------
    submission, start, finish
        Seconds, shape (jobs,).
    sizes
        Processors, shape (jobs,).
    edges
        In seconds, shape (bins + 1,), ascending.
    """
    each = np.ones(len(sizes))
    return Timeline(
        processors_in_use=_means(start, finish, sizes, edges),
        jobs_waiting=_means(submission, start, each, edges),
        processors_waited_for=_means(submission, start, sizes, edges),
    )


def _means(
    begin: "NDArray[np.float64]",
    end: "NDArray[np.float64]",
    weight: "NDArray[np.float64]",
    edges: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return for each bin the mean total weight of the jobs between `begin` and `end`."""
    area = _area_since(begin, weight, edges) - _area_since(end, weight, edges)
    means: NDArray[np.float64] = np.diff(area) / np.diff(edges)
    # such a small value in an empty bin is a rounding error
    return np.where(np.abs(means) < 1e-6, 0.0, means)  # noqa: PLR2004 - far below one job


def _area_since(
    dates: "NDArray[np.float64]",
    weight: "NDArray[np.float64]",
    edges: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return for each edge the sum of weight x (edge - date) over the dates before the edge."""
    order = np.argsort(dates, kind="stable")
    dates, weight = dates[order], weight[order]
    weights = np.concatenate([[0.0], np.cumsum(weight)])
    moments = np.concatenate([[0.0], np.cumsum(weight * dates)])
    before = np.searchsorted(dates, edges)
    area: NDArray[np.float64] = weights[before] * edges - moments[before]
    return area


def in_use(
    start: "NDArray[np.float64]", end: "NDArray[np.float64]", sizes: "NDArray[np.float64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return each date at which the number of used processors changes, and the new number.

    Parameters
    ----------
    start, end
        Dates of each job, in seconds, shape (jobs,).
    sizes
        Processors of each job, shape (jobs,).

    Examples
    --------
    >>> dates, used = in_use(np.array([0.0, 10.0]), np.array([10.0, 30.0]), np.array([3.0, 4.0]))
    >>> dates.tolist(), used.tolist()
    ([0.0, 10.0, 10.0, 30.0], [3.0, 0.0, 4.0, 0.0])
    """
    dates = np.concatenate([end, start])
    changes = np.concatenate([-sizes, sizes])
    # a job that ends frees its processors for a job that starts at the same date
    order = np.lexsort((changes, dates))
    return dates[order], np.cumsum(changes[order])


_NOBODY = np.iinfo(np.int64).max


def lost_area(
    submission: "Array", start: "Array", finish: "Array", *, sizes: "Array", processors: int
) -> float:
    """Return the processor seconds that were free although a waiting job would fit by size.

    As long as the smallest waiting job fits, all free processors are counted. This is the loss of
    capacity of Tang et al. (2011). A job waits from its submission to its start.

    Parameters
    ----------
    submission, start, finish
        Dates of the jobs that ran, in seconds, shape (jobs,).
    sizes
        Number of processors of each job.
    processors
        Number of processors of the machine.

    Examples
    --------
    Two of four processors are busy for 10 s. A job of two processors is submitted at 4 s but starts
    only at 10 s, so two processors are lost for 6 s. A job of three would not fit, so nothing is
    lost.

    >>> dates = np.array([0.0, 4.0]), np.array([0.0, 10.0]), np.array([10.0, 20.0])
    >>> lost_area(*dates, sizes=np.array([2.0, 2.0]), processors=4)
    12.0
    >>> lost_area(*dates, sizes=np.array([2.0, 3.0]), processors=4)
    0.0
    """
    if not len(sizes):
        return 0.0
    dates, places = np.unique(np.concatenate([submission, start, finish]), return_inverse=True)
    submitted, started, ended = np.split(places, 3)
    stretches = len(dates) - 1
    changes = np.bincount(started, sizes, stretches + 1) - np.bincount(ended, sizes, stretches + 1)
    free = np.maximum(processors - np.cumsum(changes)[:-1], 0.0)
    smallest = _smallest_waiting(submitted, started, sizes.astype(np.int64), stretches)
    return float((free * np.diff(dates))[smallest <= free].sum())


def _smallest_waiting(
    first: "NDArray[np.intp]",
    end: "NDArray[np.intp]",
    sizes: "NDArray[np.int64]",
    stretches: int,
) -> "NDArray[np.int64]":
    """Return the smallest size among the waiting jobs in each interval of time.

    A job waits during the intervals from `first` up to `end`, exclusive. Any range of intervals is
    the union of two ranges whose length is a power of two. From the longest ranges on, the minimum
    of each range is passed to its two halves: n log n steps, all in NumPy.
    """
    waits = end > first
    first, end, sizes = first[waits], end[waits], sizes[waits]
    # the exponent of the largest power of two that fits into the range
    levels = np.frexp(end - first)[1] - 1
    smallest = np.full(stretches, _NOBODY)
    order = np.argsort(levels, kind="stable")
    highest = int(levels.max(initial=0))
    edges = np.searchsorted(levels[order], np.arange(highest + 2))
    for level in range(highest, -1, -1):
        width = 1 << level
        if level < highest:
            # the minimum of a range of twice the width also applies to its two halves
            upper = smallest.copy()
            np.minimum(smallest[width:], upper[:-width], out=smallest[width:])
        noted = order[edges[level] : edges[level + 1]]
        np.minimum.at(smallest, first[noted], sizes[noted])
        np.minimum.at(smallest, end[noted] - width, sizes[noted])
    return smallest
