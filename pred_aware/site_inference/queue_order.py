"""The priority order of a queue, from who passes whom in its record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pred_aware.recorded_queue.waits import Likeness
from predictors import OptionError
from schedulers.orders import ORDERS

if TYPE_CHECKING:
    from pred_aware.site_inference.queue_record import QueueRecord

Like = list[Likeness]
"""Of the two quarters of the first half, and of what else is compared."""

SUBMISSION, STATED, UNKNOWN = "submission", "stated", "unknown"

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "shorter first": "- {} * log2(walltime)",
        "smaller first": "- {} * log2(ncpus)",
        "larger first": "+ {} * log2(ncpus)",
        "less processor time first": "- {} * log2(ncpus * walltime)",
        "fair share of users": "+ {} * fairshare_factor",
        "fair share of groups": "+ {} * fairshare_factor",
    }
)
"""What each order adds to the days waited, by its weight in days."""

FAIR_SHARES = tuple(name for name in TERMS if name.startswith("fair share"))

WEIGHT, SHARE_WEIGHT = 1.0, 16.0
"""Days of waiting that count as much as a factor of 2 in size or length, or as the whole factor of
fair share, at first;"""
FINER = (4.0, 0.25, 2.0, 0.5, 1.4, 0.7)
"""by these the weight of the best order is varied, one after the other."""
HALF_LIFE = 7.0
"""Of usage, in days."""

PAIRS = 20
"""Starts with such a pair below which their share says nothing."""
STARTS = 4000
"""Starts that are looked at."""
AGREES = 0.9
"""The share of equal pairs in which an order that knows no users has the first submitted first."""
NEARLY_AGREES = 0.75
"""The same of pairs in which the waiting job is no larger and no longer."""
BREAKS = 0.97
"""Larger first has more than so much of these pairs the other way."""
LIKE = 0.6
"""The mean rank correlation that an order must reach in the quarters,"""
GAIN = 0.02
"""and by so much it must exceed that by submission."""
HIDDEN = 0.1
"""No order explains a queue of which more waited with free processors."""
ALIKE = 0.15
"""A queue whose unlikeness is below this is by submission already."""
LEAST = 0.05
"""By so much unlikeness must fall on the mean of the quarters, and nowhere rise."""
LATER = 60.0
"""A job that starts within so many seconds is not passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    """The priority order of a queue, and what speaks for it."""

    name: str
    """``submission``, one of `TERMS`, ``stated`` or ``unknown``."""
    evidence: str
    order: Any = None
    """As the option `order` has it; ``None``: by submission."""


@dataclass(frozen=True, slots=True)
class Passing:
    """In how many pairs of a start and a job that goes on waiting the first submitted starts."""

    equal: float
    """Mean over starts of the share of pairs of other users' equal jobs; NaN without any."""
    pairs: int
    """Starts with such a pair."""
    no_larger: float
    """The same, where the waiting job asks for no more processors and no longer walltime, so that
    backfilling in the order of submission starts nobody before it."""
    others: int
    """Starts with such a pair."""

    def __str__(self) -> str:
        """Say both shares."""
        if not self.pairs:
            return "no job passed an equal one of another user"
        return (
            f"of equal jobs of two users the first submitted started first in "
            f"{100 * self.equal:.0f} % ({self.pairs:,} starts), of a job and one no larger and no "
            f"longer in {100 * self.no_larger:.0f} % ({self.others:,} starts)"
        )


def passing(record: "QueueRecord") -> Passing:
    """Return who passes whom: of jobs of one queue whose users have nothing running.

    Examples
    --------
    A job that came later passes an equal one:

    >>> from pred_aware import Workload
    >>> from pred_aware.site_inference.queue_record import QueueRecord
    >>> jobs = [
    ...     {"id": i, "subtime": 0.1 * i, "res": 1, "walltime": 60, "profile": "d", "user": str(i),
    ...      "wait_time": 100.0 * (400 - i)}
    ...     for i in range(400)
    ... ]
    >>> profiles = {"d": {"type": "delay", "delay": 40}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> passing(QueueRecord.of(workload)).equal
    0.0
    """
    schedule, walltime = record.schedule, record.schedule.walltime
    submitted, started, ended = schedule.submit_time, schedule.start_time, schedule.end_time
    same = [record.labels[kind].codes for kind in ("queue",) if kind in record.labels]
    users = record.labels["user"].codes if "user" in record.labels else np.arange(len(record))
    waits = np.flatnonzero(record.wait > LATER)
    longest = float(record.wait.max(initial=0.0))
    shares: tuple[list[float], list[float]] = ([], [])
    for job in np.argsort(started, kind="stable")[:: max(1, len(record) // STARTS)].tolist():
        now = started[job]
        first, last = np.searchsorted(submitted[waits], (now - longest, now))
        others = waits[first:last]
        others = others[(started[others] > now + LATER) & (users[others] != users[job])]
        for codes in same:
            others = others[codes[others] == codes[job]]
        smaller = schedule.processors[others] <= schedule.processors[job]
        others = others[smaller & (walltime[others] <= walltime[job])]
        if len(others):
            others = others[~np.isin(users[others], users[(started < now) & (ended > now)])]
        equal = schedule.processors[others] == schedule.processors[job]
        equal &= walltime[others] == walltime[job]
        for each, some in zip(shares, (others[equal], others), strict=True):
            if len(some):
                each.append(float((submitted[job] <= submitted[some]).mean()))
    equals, no_larger = (float(np.mean(each)) if each else np.nan for each in shares)
    return Passing(equals, len(shares[0]), no_larger, len(shares[1]))


def stated_order(text: str) -> Any:  # noqa: ANN401 - as the option `order` has it
    """Return the order that a user states: a word of `TERMS`, a name, JSON, or a formula of PBS.

    Raises
    ------
    OptionError
        It is none of these.

    Examples
    --------
    >>> stated_order("submission"), stated_order("sjf")
    ('fcfs', 'sjf')
    >>> stated_order("fair share of users")["openpbs"]["job_sort_formula"]
    'eligible_time / 86400 + 16 * fairshare_factor'
    """
    if text == SUBMISSION:
        return "fcfs"
    if text in TERMS:
        return order_of(text, SHARE_WEIGHT if text in FAIR_SHARES else WEIGHT)
    told: Any = text
    if text.startswith("{"):
        try:
            told = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise OptionError(f"order {text!r} is not JSON: {error}") from None
    elif text not in ORDERS.names() and ":" not in text:
        told = by_formula(text)
    ORDERS.make(told)
    return told


def by_formula(formula: str) -> dict[str, Any]:
    """Return the order of a formula of PBS, whatever the queues are."""
    told = {"job_sort_formula": formula, "eligible_time_enable": True, "by_queue": False}
    return {"name": "pbs", "openpbs": told}


def order_of(name: str, weight: float) -> dict[str, Any]:
    """Return an order as the option `order` has it: days waited, and a term of a weight.

    Examples
    --------
    >>> order_of("larger first", 2.0)["openpbs"]["job_sort_formula"]
    'eligible_time / 86400 + 2 * log2(ncpus)'
    """
    told = by_formula(f"eligible_time / 86400 {TERMS[name].format(f'{weight:.3g}')}")
    if name in FAIR_SHARES:
        told["openpbs"] |= {
            "unknown_shares": 1,
            "fairshare_entity": "egroup" if "group" in name else "euser",
            "fairshare_decay_time": 3600.0,
            "fairshare_decay_factor": round(0.5 ** (1.0 / (24.0 * HALF_LIFE)), 6),
        }
    return told


def find_order(
    record: "QueueRecord",
    now: Like,
    simulated: Callable[[Any], Like],
    *,
    unexplained: float = 0.0,
) -> QueueOrder:
    """Decide in which order a queue stood; ``unknown`` where no order explains the record.

    Orders that know no users are tried where equal jobs of two users start as they were submitted,
    fair share where they do not. Their weights are fitted.

    Parameters
    ----------
    record
        The recorded queue.
    now
        How like the recorded queue EASY's is, by submission, with the rules that were found.
    simulated
        The same with an order.
    unexplained
        The share of the waiting with free processors that no rule explains. Above `HIDDEN` rules
        that are not known decide who waits, and no order is tried.
    """
    seen = passing(record)
    known = seen.pairs >= PAIRS
    of_users = known and seen.equal < AGREES
    best: tuple[Like, str, float] | None = None
    tries = unexplained <= HIDDEN and (of_users or _mean(now) >= ALIKE)
    for name in TERMS if tries else ():
        if (name in FAIR_SHARES) != of_users or not _may_be(name, seen, record):
            continue
        weight = SHARE_WEIGHT if of_users else WEIGHT
        like = simulated(order_of(name, weight))
        if best is None or _mean(like) < _mean(best[0]):
            best = like, name, weight
    if best is not None:
        like, name, weight = best
        for factor in FINER:
            finer = simulated(order_of(name, factor * weight))
            if _mean(finer) < _mean(like):
                like, weight = finer, factor * weight
        if _explains(now, like):
            order = order_of(name, weight)
            return QueueOrder(name=name, evidence=f"{seen}; {agreement(like)}", order=order)
    against = known and seen.equal < AGREES
    against |= seen.others >= PAIRS and seen.no_larger < NEARLY_AGREES
    name = UNKNOWN if against or _correlation(now) < LIKE else SUBMISSION
    return QueueOrder(name=name, evidence=f"{seen}; {agreement(now)}")


def _may_be(name: str, seen: Passing, record: "QueueRecord") -> bool:
    """Say whether an order is worth a simulation."""
    if name == "larger first":
        return not seen.no_larger > BREAKS
    return name not in FAIR_SHARES or ("group" if "group" in name else "user") in record.labels


def _explains(before: Like, after: Like) -> bool:
    pairs = zip(before[:2], after[:2], strict=True)
    falls = [old.unlikeness - new.unlikeness for old, new in pairs]
    gained = _correlation(after) - _correlation(before)
    enough = min(falls) >= 0.0 and sum(falls) / 2.0 >= LEAST and gained >= GAIN
    return enough and _correlation(after) >= LIKE


def _mean(like: Like) -> float:
    return (like[0].unlikeness + like[1].unlikeness) / 2.0


def _correlation(like: Like) -> float:
    return (like[0].correlation + like[1].correlation) / 2.0


def agreement(like: Like) -> str:
    """Say how well the record agrees with a simulated queue in the first half."""
    return f"simulated so, the rank correlation with the recorded waits is {_correlation(like):.2f}"
