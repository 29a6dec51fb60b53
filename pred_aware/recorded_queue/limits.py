"""Find limits on running jobs or processors that explain waits in a recorded queue."""

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
"""A rule is accepted only if jobs broke it in at most this share of the cases to which it
applied."""
AT_LIMIT = 0.5
"""A limit is accepted only if, on average, stopped users (or queues) were at the limit for at least
this share of their waiting with free processors."""
EXPLAINED = 0.05
"""The minimum share of all waiting with free processors that a limit must explain."""
WORTH = 0.02
"""The minimum share of all waiting that a limit must explain."""
SMALLEST = 2.0
"""The smallest limit that is looked for, because many users run one job at a time without any
rule."""
MOST = 6
"""The maximum number of limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApparentLimit:
    """A number of running jobs or processors above which hardly any job started."""

    of: str
    """``jobs`` or ``processors``."""
    per: str
    """What the limit is for: ``user``, ``group``, ``project``, ``queue`` or ``partition``."""
    name: str | None
    """The name of the only queue or partition with this limit; ``None`` if the limit is for each
    user, group, project, queue or partition."""
    most: float
    stopped: int
    """Number of jobs that the limit stopped although they could have started."""
    violations: int
    """Number of starts above the limit."""
    share: float
    """The share of all waiting that the limit explains."""

    def __str__(self) -> str:
        """Return the limit in words."""
        whose = f"{self.per} {self.name}" if self.name is not None else f"each {self.per}"
        return (
            f"{whose} had at most {self.most:,.0f} running {self.of}: {self.stopped:,} jobs could "
            f"have started above this limit but waited ({100 * self.share:.0f} % of all waiting), "
            f"and {self.violations:,} jobs started above the limit"
        )


def find_limits(
    schedule: "MachineSchedule",
    seen: WaitingMoments,
    labels: "Mapping[str, Labels]",
    *,
    until: float = np.inf,
) -> tuple[list[ApparentLimit], WaitingMoments]:
    """Find limits that explain why jobs waited with free processors.

    Parameters
    ----------
    schedule
        The dates of the jobs.
    seen
        The waiting jobs of the schedule.
    labels
        The jobs' users, queues and so on, by kind.
    until
        Date in seconds; later moments and starts are ignored.

    Returns
    -------
    list of ApparentLimit, WaitingMoments
        The limits, the one with the largest share of waiting first; and the rows of jobs that could
        have started and whose wait no limit explains.
    """
    left = seen.startable.only(seen.startable.date < until)
    every, total = len(left), int((seen.date < until).sum())
    begun = schedule.start_time < until
    found: list[ApparentLimit] = []
    while len(found) < MOST and len(left) >= max(EXPLAINED * every, WORTH * total, 1):
        tried = [
            candidate
            for kind, named in _different(labels)
            for candidate in _of_kind(schedule, left, named, kind, begun=begun, total=total)
        ]
        best = max(tried, key=lambda candidate: candidate[0].share, default=None)
        if best is None or best[1].sum() < max(EXPLAINED * every, WORTH * total):
            break
        found.append(best[0])
        left = left.only(~best[1])
    return found, left


def _different(labels: "Mapping[str, Labels]") -> "Iterator[tuple[str, Labels]]":
    """Yield the kinds of labels that divide the jobs into groups, each division only once."""
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
    """Yield limits for each user, queue and so on, or for one queue, with the explained rows."""
    codes, names = labels.numbers
    whose = codes[left.job]
    for resource, each in (
        ("jobs", np.ones(len(codes))),
        ("processors", schedule.processors),
    ):
        after, used = use_of(schedule, codes, each, left)
        wanted = used + each[left.job]
        # a limit does not stop a user's only job, even if this job is larger than the limit
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
    """Return the lowest limit that stopped jobs and that hardly any start exceeded, if any."""
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
    """Return how much the user (queue ...) of each job uses after its start, and at each row.

    Parameters
    ----------
    schedule
        The dates of the jobs.
    codes
        The user, queue and so on of each job as a number, shape (jobs,).
    each
        How much each job uses: 1 or its processors, shape (jobs,).
    asks
        The rows of waiting jobs.
    """
    jobs = len(codes)
    who = np.concatenate([codes, codes, codes[asks.job]])
    when = np.concatenate([schedule.end_time, schedule.start_time, asks.date])
    # a stable sort: at equal dates, ends come before starts, and starts before waiting rows
    order = np.lexsort((when, who))
    change = np.concatenate([-each, each, np.zeros(len(asks))])
    # the changes of each user (queue ...) add up to 0, so one cumulative sum is enough for all
    level = np.empty(len(order))
    level[order] = np.round(np.cumsum(change[order]), 6)
    return level[jobs : 2 * jobs], level[2 * jobs :]


MUCH = 0.1
"""`Clues` reports waiting with free processors if its share of all waiting is at least this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """Causes of waits, other than a full machine, that a schedule shows."""

    with_free_processors: float | None
    """The share of all waiting in which a job could have started without delaying another job;
    ``None`` if no job waits."""
    limits: tuple[ApparentLimit, ...] = ()
    """Limits that explain the waiting with free processors."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Causes of waits other than a full machine, in words."""
        share = self.with_free_processors or 0.0
        if share < MUCH:
            return ()
        waited = (
            f"during {100 * share:.0f} % of all waiting, the job could have started on free "
            "processors without delaying another job"
        )
        return (waited, *map(str, self.limits))


def clues(schedule: "MachineSchedule", *, labels: "Mapping[str, Labels]") -> Clues:
    """Return causes of waits other than a full machine.

    Parameters
    ----------
    schedule
        The recorded or simulated dates.
    labels
        The jobs' users, queues and so on, by kind.
    """
    seen = waiting(schedule)
    limits, _ = find_limits(schedule, seen, labels)
    return Clues(with_free_processors=seen.share if len(seen) else None, limits=tuple(limits))
