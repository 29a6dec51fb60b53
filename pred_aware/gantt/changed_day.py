"""The day on which two schedules of the same jobs differ most."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.report.durations import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Spans = tuple[NDArray[np.float64], NDArray[np.float64]]
    """Starts and ends, in seconds."""

FEWEST = 3
"""If the schedules cover fewer days than this, the charts first show all days."""


def changed_day(
    baseline: "Spans", other: "Spans", sizes: "NDArray[np.float64]", *, midnight: float = 0.0
) -> float | None:
    """Return the start of the day on which the schedules' use of processor time differs most.

    Parameters
    ----------
    baseline, other
        Starts and ends of the same jobs in the two schedules, in seconds; NaN for a job that did
        not run.
    sizes
        Processors of the jobs.
    midnight
        The start of any day, in seconds on the same scale.

    Returns
    -------
    float or None
        Seconds on the same scale; ``None`` if the schedules are short, or do not differ.

    Examples
    --------
    >>> day = 86400.0
    >>> spans = np.array([0.0, 2.1 * day, 3.5 * day]), np.array([day, 2.2 * day, 4.0 * day])
    >>> moved = spans[0] + [0.0, 0.3 * day, 0.0], spans[1] + [0.0, 0.3 * day, 0.0]
    >>> changed_day(spans, moved, np.ones(3)) / day
    2.0
    """
    ran = np.isfinite(np.stack([*baseline, *other])).all(axis=0)
    if not ran.any():
        return None
    spans = [(starts[ran], ends[ran]) for starts, ends in (baseline, other)]
    both = np.maximum(*(starts for starts, _ in spans)), np.minimum(*(ends for _, ends in spans))
    last = max(float(ends.max()) for _, ends in spans)
    edges = np.arange(midnight - DAY * np.ceil(midnight / DAY), last + DAY, DAY)
    if len(edges) <= FEWEST:
        return None
    used = [_used(starts, ends, sizes[ran], edges) for starts, ends in (*spans, both)]
    differs = used[0] + used[1] - 2.0 * used[2]
    day = int(differs.argmax())
    return float(edges[day]) if differs[day] > 1.0 else None


def _used(
    starts: "NDArray[np.float64]",
    ends: "NDArray[np.float64]",
    sizes: "NDArray[np.float64]",
    edges: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return the processor seconds used between successive edges, shape (edges - 1,)."""
    ends = np.maximum(starts, ends)
    dates = np.concatenate([starts, ends, edges])
    steps = np.concatenate([sizes, -sizes, np.zeros(len(edges))])
    order = np.argsort(dates, kind="stable")
    dates, in_use = dates[order], np.cumsum(steps[order])
    until = np.concatenate([[0.0], np.cumsum(in_use[:-1] * np.diff(dates))])
    return np.diff(until[np.searchsorted(dates, edges)])


def day_in_words(begins: float, origin: float | None) -> str:
    """Return the date of a day, or its number if the log has no dates.

    Parameters
    ----------
    begins
        Start of the day, in seconds since the first submission.
    origin
        Local date of the first submission, converted to Unix seconds as if it were UTC; ``None`` if
        unknown.
    """
    if origin is None:
        return f"day {begins / DAY:.0f}"
    return f"{datetime.fromtimestamp(origin + begins, UTC):%Y-%m-%d}"
