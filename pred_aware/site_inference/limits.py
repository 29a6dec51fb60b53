"""Limits that a recorded queue shows, by evidence alone: nothing is simulated."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.site_inference.queue_record import QueueRecord, Stopped
from schedulers.site.site import Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
ABOVE_BY_EASY = 0.03
"""Share of the starts of EASY's own queue that must break what nobody ever had."""
SMALLEST = 2.0
"""That most users run one job at a time is nobody's rule."""
MONTH = 30 * 86400.0
MONTHS = 2
"""In so many months a queue must have had exactly its highest number of running jobs."""
CARRIED_BY_ONE = 0.01
"""Share of all waiting time that must have ended with starts which fill that one queue."""


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
    above_by_easy: float | None = None
    """Share of the starts of EASY's own queue that break it; ``None`` where its keys speak for
    it."""

    @property
    def evidence(self) -> str:
        """What speaks for it and against it."""
        if self.above_by_easy is not None:
            return (
                f"{100 * self.broken:.1f} % of the starts beside others of the same break it, "
                f"and {100 * self.above_by_easy:.0f} % of EASY's own, of {self.at_it}"
            )
        return (
            f"{self.at_it} had exactly this as their most, {self.above} had more; "
            f"{100 * self.carried:.0f} % of the waiting ended with starts up to it, "
            f"{100 * self.broken:.1f} % of the starts break it"
        )

    @property
    def refusal(self) -> str | None:
        """Say why this is not taken for a rule; ``None`` if it is."""
        if self.above > ABOVE * self.at_it:
            return f"{self.above} had more, {self.at_it} exactly as much"
        if self.broken > BROKEN:
            return f"{100 * self.broken:.1f} % of the starts break it"
        return None


def limits_of(record: "QueueRecord", *, until: float) -> list[FoundLimit]:
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
    which = schedule.start_time < until
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
            ("jobs", np.ones(len(end))),
            ("processors", schedule.processors[which]),
        ):
            use = _Use(keys, schedule.start_time[which], end, each, of=len(names))
            wait = record.counted_wait[which]
            found += _found(use, wait, kind=kind, resource=resource, machine=schedule.machine)
    return sorted(found, key=lambda one: (one.refusal is not None, -one.carried))


def never_above(record: "QueueRecord", own: "QueueRecord", *, until: float) -> list[FoundLimit]:
    """Find numbers that hardly any start breaks, and many starts of EASY's own queue.

    Where a limit is no multiple of what jobs ask for hardly anybody has exactly as much.

    Parameters
    ----------
    record
        The recorded queue.
    own
        EASY's queue of the same jobs, with the rules that were found before.
    until
        In seconds; what started later is not looked at.
    """
    found: list[FoundLimit] = []
    seen: list[NDArray[np.int64]] = []
    for kind in record.labels:
        sides = [_beside(one, kind, until=until) for one in (record, own)]
        if len(np.unique(sides[0].keys)) < KEYS or any(_same(sides[0].keys, one) for one in seen):
            continue
        seen.append(sides[0].keys)
        for resource in ("jobs", "processors"):
            (after, _), (by_easy, keys) = (side.after(resource) for side in sides)
            if not len(after) or not len(by_easy):
                continue
            # some jobs run on for longer than anybody counts them
            most = float(np.quantile(after, 1.0 - BROKEN, method="inverted_cdf"))
            above = by_easy > most
            if most < SMALLEST or above.mean() < ABOVE_BY_EASY:
                continue
            breakers = len(np.unique(keys[above]))
            if breakers >= KEYS:
                found.append(
                    FoundLimit(
                        limit=Limit(of=resource, per=kind, most=most, above="alone", inferred=True),  # type: ignore[arg-type]
                        at_it=breakers, above=0, broken=float((after > most).mean()), carried=0.0,
                        above_by_easy=float(above.mean()),
                    )
                )  # fmt: skip
    return sorted(found, key=lambda one: -(one.above_by_easy or 0.0))


@dataclass(frozen=True, slots=True)
class _Beside:
    """The starts of a queue, by whose jobs they are."""

    keys: "NDArray[np.int64]"
    start: "NDArray[np.float64]"
    end: "NDArray[np.float64]"
    processors: "NDArray[np.float64]"
    of: int

    def after(self, resource: str) -> "tuple[NDArray[np.float64], NDArray[np.int64]]":
        """Return what each key had right after its starts beside others of its own, and whose."""
        each = self.processors if resource == "processors" else np.ones(len(self.keys))
        after = _Use(self.keys, self.start, self.end, each, of=self.of).after
        beside = (after > each) & (self.keys > 0)
        return after[beside], self.keys[beside]


def _beside(queue: "QueueRecord", kind: str, *, until: float) -> _Beside:
    schedule = queue.schedule
    which = schedule.start_time < until
    keys, names = queue.labels[kind].of_jobs(which).numbers
    end = np.minimum(schedule.end_time[which], until)
    return _Beside(keys, schedule.start_time[which], end, schedule.processors[which], len(names))


def stopped_by(record: "QueueRecord", limit: Limit) -> Stopped:
    """Return who is stopped by a limit at a date, by what his key had running then."""
    schedule = record.schedule
    keys, names = record.labels[limit.keys[0]].numbers
    each = schedule.processors if limit.of == "processors" else np.ones(len(record))
    for_all = np.inf if limit.most is None else limit.most
    most = np.array([limit.by.get(name, for_all) for name in names])

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
        found: NDArray[np.bool_] = used[len(who) :] + each[jobs] > most[keys[jobs]] + 1e-6
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


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """Each queue's own highest number of running jobs, as if it were its limit."""

    every: Limit
    """Of all queues: what a site may confirm, and no log alone shows."""
    shown: Limit | None
    """Of those queues that had exactly this in two months and waited at it."""


def limits_of_queues(record: "QueueRecord", *, until: float) -> QueueLimits | None:
    """Find each queue's highest number of running jobs; ``None`` where no queues are told.

    Parameters
    ----------
    record
        The recorded queue.
    until
        In seconds; what started later is not looked at.
    """
    if "queue" not in record.labels:
        return None
    schedule = record.schedule
    which = schedule.start_time < until
    keys, names = record.labels["queue"].of_jobs(which).numbers
    start, wait = schedule.start_time[which], record.counted_wait[which]
    end = np.minimum(schedule.end_time[which], until)
    after = _Use(keys, start, end, np.ones(len(keys)), of=len(names)).after
    month = (start / MONTH).astype(int)
    waited = max(float(wait.sum()), 1.0)
    every: dict[str, float] = {}
    shown: dict[str, float] = {}
    for key, name in enumerate(names):
        of_it = keys == key
        if not key or not of_it.any():
            continue
        every[name] = most = float(after[of_it].max())
        at_it = of_it & (after == most)
        long = float(wait[at_it].sum()) >= CARRIED_BY_ONE * waited
        if most >= SMALLEST and long and len(np.unique(month[at_it])) >= MONTHS:
            shown[name] = most
    if not every:
        return None
    return QueueLimits(every=_by_queue(every), shown=_by_queue(shown) if shown else None)


def _by_queue(most: dict[str, float]) -> Limit:
    return Limit(of="jobs", per="queue", by=most, above="alone", inferred=True)
