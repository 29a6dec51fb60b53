"""Limits that a recorded schedule shows: what nobody, or somebody, was ever seen to exceed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from pred_aware.report.counted import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pred_aware.base_queue.labels import Labels
    from pred_aware.base_queue.moments import Waiting
    from pred_aware.base_queue.schedule import Schedule

AT_LIMIT = 0.5
"""Of the time in which somebody's jobs wait with room, so much must be at the limit."""
WORTH_TELLING = 0.01
"""Of all waiting time: a limit that accounts for less is not told."""
SHARERS = 5
"""So many with exactly the same highest number make it look like a rule for all."""
FEW_ABOVE = 0.5
"""For each that shares it, no more than this many may ever have been above."""
SMALLEST = 2
"""A rule for all is at least this: that most users run one job at a time is nobody's rule."""
TOLD = 3
"""How many limits of one kind are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A number that somebody was never above.

    Parameters
    ----------
    kind
        Whose: ``user``, ``group``, ``project``, ``queue``, ``partition``.
    name
        Of the one that it is for; ``None`` for a rule for all of the kind.
    amount
        What is limited: ``processors``, ``jobs`` (that run at once), ``memory`` (GiB).
    most
        The limit.
    at_it
        How many of the kind had exactly this as their highest; 1 for one.
    above
        How many of the kind were ever above.
    share
        Of all waiting time: what was waited with room for the job while it would have gone beyond.
    """

    kind: str
    name: str | None
    amount: str
    most: float
    at_it: int = 1
    above: int = 0
    share: float = 0.0

    def __str__(self) -> str:
        """Say it."""
        what = {
            "processors": f"{self.most:,.0f} running processors",
            "jobs": counted(round(self.most), "running job"),
            "memory": f"{self.most:,.0f} GiB of memory in use",
        }[self.amount]
        while_at = f"{100 * self.share:.0f} % of all waiting time passed at that"
        if self.name is None:
            above = f"only {self.above:,} ever had more" if self.above else "nobody ever had more"
            return (
                f"the highest that {self.at_it:,} {self.kind}s ever had is exactly {what}, "
                f"{above} ({while_at})"
            )
        return f"{self.kind} {self.name} was never above {what} ({while_at})"


def limits(
    schedule: "Schedule",
    waiting: "Waiting",
    *,
    labels: "Mapping[str, Labels]",
    memory: "NDArray[np.float64] | None",
) -> tuple[Limit, ...]:
    """Find what looks like a limit, that for which most was waited first.

    A job that waits although it would fit shows a limit where its user (or queue) runs so much
    already that with it he would have more than he was ever seen to have.

    Parameters
    ----------
    schedule
        The recorded dates.
    waiting
        The jobs seen waiting in it.
    labels
        The jobs' users, queues and so on, by kind.
    memory
        What each job asked for, in GiB, shape (jobs,); ``None`` where hardly any log tells it.
    """
    amounts = {"processors": schedule.processors, "jobs": np.ones(len(schedule.processors))}
    if memory is not None:
        amounts["memory"] = memory
    found: list[Limit] = []
    before: list[NDArray[np.int64]] = []
    for kind, named in labels.items():
        codes, names = named.numbers
        # what all jobs have in common is the machine; a user's own group is the user
        if len(np.unique(codes)) < 2 or any(_same(codes, other) for other in before):  # noqa: PLR2004
            continue
        before.append(codes)
        seen = waiting.with_room
        in_turn = _InTurn.of(schedule, codes, whose=codes[seen.job], dates=seen.date)
        own = [
            limit
            for amount, each in amounts.items()
            for limit in _of_kind(
                waiting, in_turn, kind=kind, names=names, amount=amount, each=each
            )
        ]
        # a rule for all says what is to be said of each of them
        rules = [limit for limit in own if limit.name is None]
        found += sorted(_once(rules or own), key=lambda limit: -limit.share)[:TOLD]
    return tuple(sorted(found, key=lambda limit: -limit.share))


def _same(codes: "NDArray[np.int64]", other: "NDArray[np.int64]") -> bool:
    """Say whether two ways to sort jobs are the same one."""
    pairs = len(np.unique(codes * (int(other.max()) + 1) + other))
    return pairs == len(np.unique(codes)) == len(np.unique(other))


def _of_kind(
    waiting: "Waiting",
    in_turn: "_InTurn",
    *,
    kind: str,
    names: tuple[str, ...],
    amount: str,
    each: "NDArray[np.float64]",
) -> Iterator[Limit]:
    whose = in_turn.whose
    running, most = in_turn.running(each, of=len(names))
    wanted = running + each[waiting.with_room.job]
    waits = np.bincount(whose, minlength=len(names))
    for_all = _shared(most[1:])
    if for_all is not None:
        beyond = wanted > for_all
        share = float(beyond.sum()) / max(len(waiting), 1)
        if share >= WORTH_TELLING:
            at_it, above = int((most[1:] == for_all).sum()), int((most[1:] > for_all).sum())
            yield Limit(kind=kind, name=None, amount=amount, most=for_all, at_it=at_it,
                        above=above, share=share)  # fmt: skip
            return
    at_limit = np.bincount(whose[wanted > most[whose]], minlength=len(names))
    shares = at_limit / max(len(waiting), 1)
    for place in np.flatnonzero((at_limit >= AT_LIMIT * waits) & (shares >= WORTH_TELLING)):
        if place:
            yield Limit(kind=kind, name=names[place], amount=amount,
                        most=float(most[place]), share=float(shares[place]))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _InTurn:
    """What happened to each one's jobs, and when somebody asks, in the order of the dates.

    Parameters
    ----------
    who
        Whose job ends or starts, or who asks: of all jobs, of all jobs again, of all who ask.
    whose
        Who asks.
    order
        One after the other, and within each by date.
    """

    who: "NDArray[np.int64]"
    whose: "NDArray[np.int64]"
    order: "NDArray[np.intp]"

    @classmethod
    def of(
        cls,
        schedule: "Schedule",
        codes: "NDArray[np.int64]",
        *,
        whose: "NDArray[np.int64]",
        dates: "NDArray[np.float64]",
    ) -> Self:
        who = np.concatenate([codes, codes, whose])
        when = np.concatenate([schedule.end_time, schedule.start_time, dates])
        # of one date: who ends, who starts, who asks; the sort is stable
        by_date = np.argsort(when, kind="stable")
        return cls(who, whose, by_date[np.argsort(who[by_date], kind="stable")])

    def running(
        self, each: "NDArray[np.float64]", *, of: int
    ) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
        """Return what those who ask had running then, and the most that each ever had."""
        change = np.concatenate([-each, each, np.zeros(len(self.whose))])
        # what one had is given back before the next one's first, so one sum does for all
        sums = np.round(np.cumsum(change[self.order]), 6)
        most = np.zeros(of)
        np.maximum.at(most, self.who[self.order], sums)
        had = np.empty(len(self.order))
        had[self.order] = sums
        return had[2 * len(each) :], most


def _shared(most: "NDArray[np.float64]") -> float | None:
    """Return the highest number that many share and hardly anybody exceeds, if there is one."""
    values, counts = np.unique(most, return_counts=True)
    above = len(most) - np.cumsum(counts)
    rule = (counts >= SHARERS) & (above <= FEW_ABOVE * counts) & (values >= SMALLEST)
    return float(values[rule][-1]) if rule.any() else None


def _once(found: list[Limit]) -> Iterator[Limit]:
    """Tell one of limits that say the same of somebody: the amount that accounts for most."""
    best: dict[str | None, Limit] = {}
    for limit in found:
        if limit.name not in best or limit.share > best[limit.name].share:
            best[limit.name] = limit
    yield from best.values()
