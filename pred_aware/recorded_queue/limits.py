"""Limits that a recorded queue shows: who could start and did not, and who started all the same."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.free_processors import WaitingMoments, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from pred_aware.recorded_queue.recorded_jobs import Labels
    from pred_aware.recorded_queue.schedule import MachineSchedule

VIOLATED = 0.02
"""A rule that a larger share of its opportunities breaks is refused."""
AT_LIMIT = 0.5
"""Of each one's waiting with free processors so much must be at the limit, on the mean over those
whom it stops."""
EXPLAINED = 0.05
"""Of all waiting with free processors it must explain so much,"""
WORTH = 0.02
"""and so much of all waiting."""
SMALLEST = 2.0
"""That most users run one job at a time is nobody's rule."""
MOST = 6
"""Limits at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApparentLimit:
    """A number of running jobs or processors above which jobs did not start."""

    of: str
    """``jobs`` or ``processors``."""
    per: str
    """Whose: ``user``, ``group``, ``project``, ``queue``, ``partition``."""
    name: str | None
    """Of the one that it is for; ``None`` for each of the kind."""
    most: float
    stopped: int
    """Jobs that it stopped though they could have started."""
    violations: int
    """Starts that broke it."""
    share: float
    """Of all waiting: what it explains."""

    def __str__(self) -> str:
        """Say the limit in words."""
        whose = f"{self.per} {self.name}" if self.name is not None else f"each {self.per}"
        return (
            f"{whose} had at most {self.most:,.0f} running {self.of}: {self.stopped:,} jobs could "
            f"have started above that and waited ({100 * self.share:.0f} % of all waiting), "
            f"{self.violations:,} started"
        )


def find_limits(
    schedule: "MachineSchedule",
    seen: WaitingMoments,
    labels: "Mapping[str, Labels]",
    *,
    until: float = np.inf,
) -> tuple[list[ApparentLimit], WaitingMoments]:
    """Find the limits that explain why jobs waited with free processors, the largest part first.

    Parameters
    ----------
    schedule
        The dates.
    seen
        The jobs seen waiting in it.
    labels
        The jobs' users, queues and so on, by kind.
    until
        In seconds; what was seen or started later is not looked at.

    Returns
    -------
    list of ApparentLimit, WaitingMoments
        And the rows of jobs that could have started and that no limit explains.
    """
    left = seen.startable.only(seen.startable.date < until)
    every, total = len(left), int((seen.date < until).sum())
    begun = schedule.start_time < until
    found: list[ApparentLimit] = []
    while len(found) < MOST and len(left) >= max(EXPLAINED * every, WORTH * total, 1):
        tried = [
            one
            for kind, named in _different(labels)
            for one in _of_kind(schedule, left, named, kind, begun=begun, total=total)
        ]
        best = max(tried, key=lambda one: one[0].share, default=None)
        if best is None or best[1].sum() < max(EXPLAINED * every, WORTH * total):
            break
        found.append(best[0])
        left = left.only(~best[1])
    return found, left


def _different(labels: "Mapping[str, Labels]") -> "Iterator[tuple[str, Labels]]":
    """Yield the ways to sort jobs, but for those that are the same, or are the same for all."""
    before: list[NDArray[np.int64]] = []
    for kind, named in labels.items():
        _, codes = np.unique(named.codes, return_inverse=True)
        if codes.max(initial=0) and not any(_same(codes, other) for other in before):
            before.append(codes)
            yield kind, named


def _same(codes: "NDArray[np.int64]", other: "NDArray[np.int64]") -> bool:
    pairs = len(np.unique(codes * (int(other.max()) + 1) + other))
    return pairs == int(codes.max()) + 1 == int(other.max()) + 1


def _of_kind(
    schedule: "MachineSchedule",
    left: WaitingMoments,
    labels: "Labels",
    kind: str,
    *,
    begun: "NDArray[np.bool_]",
    total: int,
) -> "Iterator[tuple[ApparentLimit, NDArray[np.bool_]]]":
    """Yield limits for each of a kind and, of queues, for one of them; and whom each explains."""
    codes, names = labels.numbers
    whose = codes[left.job]
    for resource, each in (
        ("jobs", np.ones(len(codes))),
        ("processors", schedule.processors),
    ):
        after, used = use_of(schedule, codes, each, left)
        wanted = used + each[left.job]
        # who is alone above a limit starts
        beside = begun & (after > each) & (codes > 0)
        more = (used > 0.0) & (whose > 0)
        of_one = np.unique(whose) if kind in {"queue", "partition"} else ()
        for key in (None, *of_one):
            starts = after[beside if key is None else beside & (codes == key)]
            rows = more if key is None else more & (whose == key)
            most = _most(starts, wanted[rows], left.job[rows])
            if most is None:
                continue
            stopped = rows & (wanted > most)
            at_limit = np.bincount(whose[stopped])
            of_them = np.bincount(whose)[: len(at_limit)][at_limit > 0]
            if (at_limit[at_limit > 0] / of_them).mean() < AT_LIMIT:
                continue
            limit = ApparentLimit(
                of=resource, per=kind, name=None if key is None else names[key], most=most,
                stopped=len(np.unique(left.job[stopped])), violations=int((starts > most).sum()),
                share=float(stopped.sum()) / total,
            )  # fmt: skip
            yield limit, stopped


def _most(
    starts: "NDArray[np.float64]", wanted: "NDArray[np.float64]", jobs: "NDArray[np.int64]"
) -> float | None:
    """Return the lowest number that hardly any start breaks, of what keys had after starts."""
    levels = np.unique(starts)
    levels = levels[levels >= SMALLEST]
    _, places = np.unique(jobs, return_inverse=True)
    highest = np.zeros(int(places.max(initial=-1)) + 1)
    np.maximum.at(highest, places, wanted)
    violations = len(starts) - np.searchsorted(np.sort(starts), levels, side="right")
    stopped = len(highest) - np.searchsorted(np.sort(highest), levels, side="right")
    rules = levels[(stopped > 0) & (violations <= VIOLATED * (violations + stopped))]
    return float(rules[0]) if len(rules) else None


def use_of(
    schedule: "MachineSchedule",
    codes: "NDArray[np.int64]",
    each: "NDArray[np.float64]",
    asks: WaitingMoments,
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    """Return what each key has running right after its starts, and what it has when jobs are seen.

    Parameters
    ----------
    schedule
        When jobs start and end.
    codes
        Whose each job is, shape (jobs,).
    each
        What each job counts, shape (jobs,).
    asks
        The jobs that are seen.
    """
    jobs = len(codes)
    who = np.concatenate([codes, codes, codes[asks.job]])
    when = np.concatenate([schedule.end_time, schedule.start_time, asks.date])
    # of one date: who ends, who starts, who asks; the sort is stable
    order = np.lexsort((when, who))
    change = np.concatenate([-each, each, np.zeros(len(asks))])
    # a key gives back all that it had before the next one's first, so one sum does for all
    level = np.empty(len(order))
    level[order] = np.round(np.cumsum(change[order]), 6)
    return level[jobs : 2 * jobs], level[2 * jobs :]


MUCH = 0.1
"""Share of all waiting with free processors that is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """What a schedule shows of why its jobs wait."""

    with_free_processors: float | None
    """Share of all waiting of jobs that could have started without delaying another; ``None`` where
    nobody waits."""
    limits: tuple[ApparentLimit, ...] = ()
    """Limits that explain it."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Which causes of waits other than a full machine the dates show."""
        share = self.with_free_processors or 0.0
        if share < MUCH:
            return ()
        waited = (
            f"{100 * share:.0f} % of all waiting had free processors, and no other job would have "
            "been delayed"
        )
        return (waited, *map(str, self.limits))


def clues(schedule: "MachineSchedule", *, labels: "Mapping[str, Labels]") -> Clues:
    """Look for causes of waits other than a full machine.

    Parameters
    ----------
    schedule
        The dates, as recorded or simulated.
    labels
        The jobs' users, queues and so on, by kind.
    """
    seen = waiting(schedule)
    limits, _ = find_limits(schedule, seen, labels)
    return Clues(with_free_processors=seen.share if len(seen) else None, limits=tuple(limits))
