"""Find jobs that were overtaken by jobs with a later submission, and the work that overtook."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def overtaken(submission: "Array", start: "Array") -> "NDArray[np.bool_]":
    """Return for each job whether a job that was submitted later started earlier.

    Jobs with equal submissions or equal starts do not overtake each other.

    Parameters
    ----------
    submission, start
        Dates in seconds, shape (jobs,).

    Examples
    --------
    >>> overtaken(np.array([0.0, 1.0, 2.0]), np.array([9.0, 9.0, 5.0]))
    array([ True,  True, False])
    """
    order = np.argsort(submission, kind="stable")
    submitted, started = submission[order], start[order]
    earliest = np.minimum.accumulate(np.append(started, np.inf)[::-1])[::-1]
    later = np.searchsorted(submitted, submitted, side="right")
    found = np.empty(len(order), np.bool_)
    found[order] = earliest[later] < started
    return found


def work_that_overtook(
    submission: "Array",
    start: "Array",
    *,
    work: "Array",
    were_overtaken: "NDArray[np.bool_] | None" = None,
) -> "Array":
    """Return for each job the work of the jobs that overtook it.

    Parameters
    ----------
    submission, start
        Dates in seconds, shape (jobs,).
    work
        Work of each job, such as processor seconds.
    were_overtaken
        The result of `overtaken`, if already known.

    Examples
    --------
    >>> work = np.array([1.0, 1.0, 40.0])
    >>> work_that_overtook(np.array([0.0, 1.0, 2.0]), np.array([9.0, 9.0, 5.0]), work=work)
    array([40., 40.,  0.])
    """
    if were_overtaken is None:
        were_overtaken = overtaken(submission, start)
    # if time is reversed, jobs that overtook others become overtaken jobs
    some = np.flatnonzero(were_overtaken | overtaken(-submission, -start))
    found = np.zeros(len(work))
    found[some] = _sums(submission[some], start[some], work[some])
    # differences of large sums leave rounding errors for jobs that were not overtaken
    return np.where(were_overtaken, np.maximum(found, 0.0), 0.0)


def _sums(submission: "Array", start: "Array", work: "Array") -> "Array":
    """Return for each job the total work of jobs that were submitted later but started earlier."""
    jobs = len(work)
    # sort by submission, then by start, so that jobs of equal submission do not overtake
    by_submission = np.lexsort((start, submission))
    rank = np.empty(jobs, np.intp)
    rank[by_submission] = np.arange(jobs)
    # In the order of starts, a job overtook each later job with a lower rank. The loop counts each
    # such pair at the highest bit in which the two ranks differ: n log n steps, all in NumPy.
    order = np.lexsort((rank, start))
    ranks, works = rank[order], work[order]
    places = np.arange(jobs)
    overtook = np.zeros(jobs)
    for bit in range(max(jobs - 1, 0).bit_length() - 1, -1, -1):
        high = ranks >> bit & 1
        # jobs whose ranks have the same higher bits are adjacent
        group = ranks >> (bit + 1) << (bit + 1)
        weights = works * high
        before = np.cumsum(weights) - weights
        overtook[ranks] += (before - before[group]) * (1 - high)
        # jobs without the bit come first in their group, still in the order of starts
        highs = np.cumsum(high) - high
        in_group = highs - highs[group]
        place = np.where(high, group + (1 << bit) + in_group, places - in_group)
        moved = np.empty(jobs, np.intp), np.empty(jobs)
        moved[0][place], moved[1][place] = ranks, works
        ranks, works = moved
    found = np.empty(jobs)
    found[by_submission] = overtook
    return found
