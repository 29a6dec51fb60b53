"""Limits that a recorded queue shows, by evidence alone: nothing is simulated."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.site_inference.freezes import Stopped
from schedulers.site.site import Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.site_inference.record import Record

HELD = 600.0
"""Seconds for which a key must have had its highest use."""
KEYS = 3
"""So many keys must have exactly the limit as their highest use."""
ABOVE = 0.5
"""For each of them at most so many keys may be above it."""
BROKEN = 0.01
"""Share of the recorded starts that may break it."""
CARRIED = 0.1
"""Share of all waiting time that ends with starts which fill a key to the limit."""
SMALLEST = 2.0
"""That most users run one job at a time is nobody's rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLimit:
    """A limit, and what speaks for it."""

    limit: Limit
    at_it: int
    """Keys whose highest use is exactly this."""
    above: int
    """Keys that had more."""
    broken: float
    """Share of the recorded starts after which their key had more."""
    carried: float
    """Share of all waiting time that ended with starts which filled their key."""

    @property
    def refusal(self) -> str | None:
        """Say why this is not taken for a rule; ``None`` if it is."""
        if self.above > ABOVE * self.at_it:
            return f"{self.above} had more, {self.at_it} exactly as much"
        if self.broken > BROKEN:
            return f"{100 * self.broken:.1f} % of the starts break it"
        return None


def limits_of(record: "Record", *, until: float) -> list[FoundLimit]:
    """Find numbers of jobs and processors that several users, queues, ... had, and hardly more.

    Parameters
    ----------
    record
        The recorded queue.
    until
        In seconds; what started later is not looked at.

    Returns
    -------
    list of FoundLimit
        Those for which most was waited first; with those that are refused after all.
    """
    schedule = record.schedule
    which = np.flatnonzero(schedule.start_time < until)
    end = np.minimum(schedule.end_time[which], until)
    found: list[FoundLimit] = []
    seen: list[NDArray[np.int64]] = []
    for kind, labels in record.labels.items():
        keys, names = labels.of_jobs(which).numbers
        # what all have in common is the machine; a user's own group is the user
        if len(np.unique(keys)) < KEYS or any(_same(keys, other) for other in seen):
            continue
        seen.append(keys)
        for resource, each in (
            ("jobs", np.ones(len(which))),
            ("processors", schedule.processors[which]),
        ):
            use = _Use(keys, schedule.start_time[which], end, each, of=len(names))
            found += _found(
                use, record.wait[which], kind=kind, resource=resource, machine=schedule.machine
            )
    return sorted(found, key=lambda one: (one.refusal is not None, -one.carried))


def stopped_by(record: "Record", limit: Limit) -> Stopped:
    """Return who is stopped by a limit at a date, by what his key had running then."""
    schedule = record.schedule
    keys, _ = record.labels[limit.keys[0]].numbers
    each = schedule.processors if limit.of == "processors" else np.ones(len(record))
    most = limit.most or 0.0

    who = np.concatenate([keys, keys])
    when = np.concatenate([schedule.end_time, schedule.start_time])
    change = np.concatenate([-each, each])

    def stopped(jobs: "NDArray[np.int64]", dates: "NDArray[np.float64]") -> "NDArray[np.bool_]":
        asks = len(jobs)
        # of one date: who ends, who starts, who asks
        of_all = np.concatenate([who, keys[jobs]])
        order = np.lexsort((np.concatenate([when, dates]), of_all))
        level = np.cumsum(np.concatenate([change, np.zeros(asks)])[order])
        used = np.empty(len(order))
        used[order] = level
        found: NDArray[np.bool_] = used[len(who) :] + each[jobs] > most + 1e-6
        return found

    return stopped


def _same(keys: "NDArray[np.int64]", other: "NDArray[np.int64]") -> bool:
    """Say whether two ways to sort jobs are the same one."""
    pairs = len(np.unique(keys * (int(other.max()) + 1) + other))
    return pairs == len(np.unique(keys)) == len(np.unique(other))


class _Use:
    """What each key has running, over time."""

    def __init__(
        self,
        keys: "NDArray[np.int64]",
        start: "NDArray[np.float64]",
        end: "NDArray[np.float64]",
        each: "NDArray[np.float64]",
        *,
        of: int,
    ) -> None:
        jobs = len(keys)
        who = np.concatenate([keys, keys])
        when = np.concatenate([end, start])
        change = np.concatenate([-each, each])
        # of one date: who ends, then who starts
        order = np.lexsort((np.arange(2 * jobs) >= jobs, when, who))
        # a key gives back all that it had before the next one's first
        level = np.round(np.cumsum(change[order]), 6)
        follows = who[order][1:] == who[order][:-1]
        lasts = np.where(follows, np.diff(when[order]), 0.0)
        self.keys = keys
        after = np.empty(2 * jobs)
        after[order] = level
        self.after = after[jobs:]
        """What its key had right after each start."""
        self.highest = _held_most(who[order][:-1], level[:-1], lasts, of=of)
        """The highest that each key had for `HELD` seconds in all."""


def _held_most(
    who: "NDArray[np.int64]", level: "NDArray[np.float64]", lasts: "NDArray[np.float64]", *, of: int
) -> "NDArray[np.float64]":
    pairs, place = np.unique(np.column_stack([who, level]), axis=0, return_inverse=True)
    held = np.bincount(place.ravel(), lasts) >= HELD
    most = np.zeros(of)
    np.maximum.at(most, pairs[held, 0].astype(int), pairs[held, 1])
    return most


def _found(
    use: _Use, wait: "NDArray[np.float64]", *, kind: str, resource: str, machine: int
) -> Iterator[FoundLimit]:
    values, counts = np.unique(use.highest[1:], return_counts=True)
    waited = max(float(wait.sum()), 1.0)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        if count < KEYS or value < SMALLEST or (resource == "processors" and value >= machine):
            continue
        carried = float(wait[use.after == value].sum()) / waited
        if carried >= CARRIED:
            yield FoundLimit(
                limit=Limit(of=resource, per=kind, most=value, above="alone", inferred=True),  # type: ignore[arg-type]
                at_it=count,
                above=int((use.highest[1:] > value).sum()),
                broken=float((use.after > value).mean()),
                carried=carried,
            )
