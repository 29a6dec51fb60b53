"""Limits that a recorded schedule shows: what nobody, or somebody, was ever seen to exceed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.limit import AT_LIMIT, WORTH_TELLING, ApparentLimit, shared
from pred_aware.recorded_queue.limits_of_periods import (
    Period,
    days,
    limits_of_periods,
    stretches_of,
)
from pred_aware.recorded_queue.running_jobs import RunningJobs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pred_aware.recorded_queue.labels import Labels
    from pred_aware.recorded_queue.limit import WaitingMoments
    from pred_aware.recorded_queue.schedule import MachineSchedule

MOVED = 1.25
"""Limits of periods must account for so many times as much as one for the whole log."""
TOLD = 3
"""How many limits of one kind are told."""


def limits(
    schedule: "MachineSchedule",
    waiting: "WaitingMoments",
    *,
    labels: "Mapping[str, Labels]",
    memory: "NDArray[np.float64] | None",
    period: Period = days,
) -> tuple[ApparentLimit, ...]:
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
    period
        Says from when to when a limit held that did not hold for all of the log.
    """
    amounts = {"processors": schedule.processors, "jobs": np.ones(len(schedule.processors))}
    if memory is not None:
        amounts["memory"] = memory
    submitted = schedule.submit_time
    edges = stretches_of(float(submitted.min()), float(submitted.max()))
    found: list[ApparentLimit] = []
    before: list[NDArray[np.int64]] = []
    for kind, named in labels.items():
        codes, names = named.numbers
        # what all jobs have in common is the machine; a user's own group is the user
        if len(np.unique(codes)) < 2 or any(_same(codes, other) for other in before):  # noqa: PLR2004
            continue
        before.append(codes)
        seen = waiting.with_room
        in_turn = RunningJobs.of(schedule, codes, whose=codes[seen.job], dates=seen.date)
        own = [
            limit
            for amount, each in amounts.items()
            for limit in _of_kind(
                waiting, in_turn, kind=kind, names=names, amount=amount, each=each
            )
        ]
        if len(edges):
            own += limits_of_periods(
                waiting, in_turn, kind=kind, names=names, amounts=amounts, edges=edges
            )
        # a rule for all says what is to be said of each of them
        rules = [limit for limit in own if limit.name is None]
        found += [
            limit
            if limit.since is None or limit.until is None
            else replace(limit, period=period(limit.since, limit.until))
            for limit in _once(rules or own)
        ]
    return tuple(sorted(found, key=lambda limit: -limit.share))


def _same(codes: "NDArray[np.int64]", other: "NDArray[np.int64]") -> bool:
    """Say whether two ways to sort jobs are the same one."""
    pairs = len(np.unique(codes * (int(other.max()) + 1) + other))
    return pairs == len(np.unique(codes)) == len(np.unique(other))


def _of_kind(
    waiting: "WaitingMoments",
    in_turn: RunningJobs,
    *,
    kind: str,
    names: tuple[str, ...],
    amount: str,
    each: "NDArray[np.float64]",
) -> Iterator[ApparentLimit]:
    whose = in_turn.whose
    levels = in_turn.levels(each)
    most = in_turn.most(levels, of=len(names))
    wanted = in_turn.levels_at_asks(levels) + each[waiting.with_room.job]
    waits = np.bincount(whose, minlength=len(names))
    for_all = shared(most[1:])
    if for_all is not None:
        beyond = wanted > for_all
        share = float(beyond.sum()) / max(len(waiting), 1)
        if share >= WORTH_TELLING:
            at_it, above = int((most[1:] == for_all).sum()), int((most[1:] > for_all).sum())
            yield ApparentLimit(kind=kind, name=None, amount=amount, most=for_all, at_it=at_it,
                        above=above, share=share)  # fmt: skip
            return
    at_limit = np.bincount(whose[wanted > most[whose]], minlength=len(names))
    shares = at_limit / max(len(waiting), 1)
    for place in np.flatnonzero((at_limit >= AT_LIMIT * waits) & (shares >= WORTH_TELLING)):
        if place:
            yield ApparentLimit(kind=kind, name=names[place], amount=amount,
                        most=float(most[place]), share=float(shares[place]))  # fmt: skip


def _once(found: list[ApparentLimit]) -> Iterator[ApparentLimit]:
    """Tell one of what says the same of somebody: what accounts for most of the waiting time.

    That is an amount; and its limit for the whole log, or those of periods together, if it was
    moved so that they account for clearly more.
    """
    several: dict[str | None, dict[tuple[str, bool], list[ApparentLimit]]] = {}
    for limit in found:
        moved = limit.since is not None
        several.setdefault(limit.name, {}).setdefault((limit.amount, moved), []).append(limit)

    def weight(key: tuple[str, bool], limits: list[ApparentLimit]) -> float:
        return sum(limit.share for limit in limits) / (MOVED if key[1] else 1.0)

    best = [max(each.items(), key=lambda one: weight(*one)) for each in several.values()]
    for _, limits in sorted(best, key=lambda one: -weight(*one))[:TOLD]:
        yield from limits
