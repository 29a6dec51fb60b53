"""Limits that held for a part of a log: one that was moved, or came, or went."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.recorded_queue.limit import AT_LIMIT, WORTH_TELLING, ApparentLimit, shared
from pred_aware.recorded_queue.running_jobs import RunningJobs, stretch_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.recorded_queue.limit import WaitingMoments

STRETCH = 30 * 86400.0
"""One looks at each month, in seconds, for by itself."""
FEWEST_STRETCHES = 4
"""A log of less is one period."""
IN_A_ROW = 2
"""In so many stretches one must have been at a limit: the most of a month alone is no limit."""

Period = Callable[[float, float], str]
"""Says from when to when, by the seconds of the log."""


def days(since: float, until: float) -> str:
    """Say a period of a log that tells no dates.

    Examples
    --------
    >>> days(0.0, 30 * 86400.0)
    'from day 0 to day 30'
    """
    return f"from day {since / 86400:.0f} to day {until / 86400:.0f}"


def stretches_of(first: float, last: float) -> "NDArray[np.float64]":
    """Return the edges of stretches of about a month; none where there are too few.

    Examples
    --------
    >>> len(stretches_of(0.0, 150 * 86400.0)), len(stretches_of(0.0, 80 * 86400.0))
    (6, 0)
    """
    number = round((last - first) / STRETCH)
    return np.linspace(first, last, number + 1) if number >= FEWEST_STRETCHES else np.empty(0)


def limits_of_periods(
    waiting: "WaitingMoments",
    in_turn: RunningJobs,
    *,
    kind: str,
    names: tuple[str, ...],
    amounts: "Mapping[str, NDArray[np.float64]]",
    edges: "NDArray[np.float64]",
) -> Iterator[ApparentLimit]:
    """Yield what looks like a limit in some stretches of the log, one after the other.

    Parameters
    ----------
    waiting
        The jobs seen waiting.
    in_turn
        What each of the kind had, and when those seen waiting with room ask.
    kind, names
        Whose limits, and what they are called; the first name is of those without one.
    amounts
        What each job counts, by what is limited.
    edges
        Of the stretches.
    """
    seen = len(waiting)
    if not seen:
        # nobody waits in this log
        return
    jobs = waiting.with_room.job
    whose, stretch = in_turn.whose, stretch_of(in_turn.dates, edges)
    shape = len(names), len(edges) - 1
    places = whose * shape[1] + stretch

    def counted(weights: "NDArray[np.bool_] | None" = None) -> "NDArray[np.float64]":
        found = np.bincount(places, weights, minlength=shape[0] * shape[1])
        return found.reshape(shape).astype(np.float64)

    waits = counted()
    for amount, each in amounts.items():
        levels = in_turn.levels(each)
        most = in_turn.most_in(levels, edges, of=len(names))
        wanted = in_turn.levels_at_asks(levels) + each[jobs]
        like = ApparentLimit(kind=kind, name=None, amount=amount, most=0.0)
        found = list(_for_all(like, most, wanted, stretch=stretch, edges=edges, seen=seen))
        if found:
            yield from found
            continue
        at_limit = counted(wanted > most[whose, stretch])
        for place in np.flatnonzero(at_limit.sum(axis=1) >= WORTH_TELLING * seen):
            if place:
                held = (at_limit[place] > 0) & (at_limit[place] >= AT_LIMIT * waits[place])
                one = replace(like, name=names[place])
                levels_of = np.where(held, most[place], np.nan)
                broken = (waits[place] > 0) & ~held
                yield from _runs(
                    one, levels_of, most[place], broken=broken, shares=at_limit[place] / seen,
                    edges=edges,
                )  # fmt: skip


def _for_all(
    like: ApparentLimit,
    most: "NDArray[np.float64]",
    wanted: "NDArray[np.float64]",
    *,
    stretch: "NDArray[np.intp]",
    edges: "NDArray[np.float64]",
    seen: int,
) -> Iterator[ApparentLimit]:
    """Yield rules for all of the kind, of those who had anything running in the stretch."""
    rules = np.array(
        [np.nan if (rule := shared(some[some > 0.0])) is None else rule for some in most[1:].T]
    )
    beyond = np.bincount(stretch, wanted > rules[stretch], minlength=len(rules))
    levels = np.where(beyond > 0, rules, np.nan)
    nobody = np.zeros(len(rules), np.bool_)
    for limit in _runs(like, levels, rules, broken=nobody, shares=beyond / seen, edges=edges):
        assert limit.since is not None
        assert limit.until is not None
        inside = (edges[:-1] >= limit.since) & (edges[1:] <= limit.until)
        highest = most[1:, inside].max(axis=1)
        at_it, above = int((highest == limit.most).sum()), int((highest > limit.most).sum())
        yield replace(limit, at_it=at_it, above=above)


def _runs(
    like: ApparentLimit,
    levels: "NDArray[np.float64]",
    most: "NDArray[np.float64]",
    *,
    broken: "NDArray[np.bool_]",
    shares: "NDArray[np.float64]",
    edges: "NDArray[np.float64]",
) -> Iterator[ApparentLimit]:
    """Yield a limit for each run of stretches with the same level.

    Parameters
    ----------
    like
        A limit of the same.
    levels
        The level that shows as a limit in each stretch; NaN where none does.
    most
        The most that was had in each stretch.
    broken
        Where somebody waited otherwise, which ends a run.
    shares
        Of all waiting time, what passed at the limit in each stretch.
    edges
        Of the stretches.
    """
    run: list[int] = []
    for place in (*range(len(levels)), None):
        if place is not None and run and levels[place] == levels[run[0]]:
            run.append(place)
            continue
        idle = place is not None and run and np.isnan(levels[place])
        if idle and not broken[place] and not most[place] > levels[run[0]]:
            continue
        share = float(shares[run].sum())
        if len(run) >= IN_A_ROW and share >= WORTH_TELLING:
            since, until = float(edges[run[0]]), float(edges[run[-1] + 1])
            yield replace(like, most=float(levels[run[0]]), share=share, since=since, until=until)
        run = [] if place is None or np.isnan(levels[place]) else [place]
