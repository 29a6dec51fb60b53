"""Freezes that a recorded queue shows: times in which nothing started though there was room."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from schedulers.site.site import Freeze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.site_inference.queue_record import QueueRecord

SHORTEST = 3600.0
"""Seconds without a start."""
USERS = 3
"""So many users must have waited so long, with room."""
EDGE = 0.01
"""Share of the starts at either end of a log between which nothing is looked for: there it has only
the jobs that ended within it, or began."""
STEP = 900.0
"""Seconds between two looks at what stops them."""

Stopped: TypeAlias = Callable[["NDArray[np.int64]", "NDArray[np.float64]"], "NDArray[np.bool_]"]
"""Says whether a rule stops some jobs, each at a date in seconds, as far as the record tells; all
of shape (looks,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFreezes:
    """Freezes, read from the record of the very period in which they are."""

    freezes: tuple[Freeze, ...]
    share: float
    """Of the time of the log."""


def freezes_of(record: "QueueRecord", *, rules: tuple[Stopped, ...] = ()) -> FoundFreezes | None:
    """Find gaps between starts at the end of which three users wait for an hour with room.

    Parameters
    ----------
    record
        The recorded queue.
    rules
        Found before; who is stopped by one of them all the while shows no freeze.

    Returns
    -------
    FoundFreezes or None
        ``None`` where there is none. They are of the whole log: nobody can tell them from an
        earlier part.
    """
    schedule = record.schedule
    submitted, started = schedule.submit_time, schedule.start_time
    users = record.labels["user"].codes if "user" in record.labels else np.arange(len(record))
    dates = np.unique(started)
    first, last = np.quantile(started, [EDGE, 1.0 - EDGE])
    inside = (dates[:-1] >= first) & (dates[1:] <= last)
    gaps = np.flatnonzero((np.diff(dates) >= SHORTEST) & inside)
    free = schedule.free_at(dates)
    found = []
    for gap in gaps.tolist():
        begin, end = float(dates[gap]), float(dates[gap + 1])
        # nothing starts in between, so what is free there only becomes more
        waited = (submitted <= end - SHORTEST) & (started >= end)
        jobs = np.flatnonzero(waited & (schedule.processors <= free[gap]))
        if len(np.unique(users[jobs])) < USERS:
            continue
        begin = max(begin, float(submitted[jobs].min()))
        looks = np.arange(max(begin, end - SHORTEST), end, STEP)
        if len(np.unique(users[_free_once(jobs, looks, rules)])) >= USERS:
            # the start that ends it is allowed
            found.append((begin + 1.0, end))
    if not found:
        return None
    date = record.date
    freezes = (Freeze(begin=date(begin), end=date(end), inferred=True) for begin, end in found)
    lasted = sum(end - begin for begin, end in found)
    return FoundFreezes(freezes=tuple(freezes), share=lasted / float(started.max()))


def _free_once(
    jobs: "NDArray[np.int64]", looks: "NDArray[np.float64]", rules: tuple[Stopped, ...]
) -> "NDArray[np.int64]":
    """Return the jobs that at one look at least no rule stops."""
    which, when = np.repeat(jobs, len(looks)), np.tile(looks, len(jobs))
    free = np.ones(len(which), bool)
    for rule in rules:
        free &= ~rule(which, when)
    return jobs[free.reshape(len(jobs), -1).any(axis=1)]
