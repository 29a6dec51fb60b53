"""Lost capacity: free processors while a waiting job would fit by size."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_NOBODY = np.iinfo(np.int64).max


def lost_area(
    submission: "Array", start: "Array", finish: "Array", *, sizes: "Array", processors: int
) -> float:
    """Return the processor seconds that were free although a waiting job would fit by size.

    While the smallest waiting job fits, all free processors count. This is the loss of capacity of
    Tang et al. (2011). A job waits from its submission to its start.

    Parameters
    ----------
    submission, start, finish
        Of the jobs that ran, in seconds, shape (jobs,).
    sizes
        How many processors each takes.
    processors
        Of the machine.

    Examples
    --------
    Two of four processors are busy for 10 s. A job of two is submitted at 4 s but starts only at 10
    s, so two processors are lost for 6 s. With a job of three, nothing is lost.

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

    A job waits during the intervals from `first` up to `end`, exclusive. Any range is the union of
    two ranges whose length is a power of two. The ranges are stored by length, and from the longest
    on each is passed to its halves: n log n steps, all in NumPy.
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
            # a value for twice the width also holds for both halves
            upper = smallest.copy()
            np.minimum(smallest[width:], upper[:-width], out=smallest[width:])
        noted = order[edges[level] : edges[level + 1]]
        np.minimum.at(smallest, first[noted], sizes[noted])
        np.minimum.at(smallest, end[noted] - width, sizes[noted])
    return smallest
