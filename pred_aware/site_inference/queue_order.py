"""Infer the priority order of a recorded queue from the jobs that overtake others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pred_aware.recorded_queue.waits import Similarity
from predictors import OptionError
from schedulers.orders import ORDERS

if TYPE_CHECKING:
    from pred_aware.site_inference.queue_record import QueueRecord

Like = list[Similarity]
"""Comparisons of simulated and recorded waits: first for the two quarters of the first half of the
jobs, then for other parts.
"""

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
"""The term that each order adds to the waiting time in days; ``{}`` is the term's weight."""

FAIR_SHARES = tuple(name for name in TERMS if name.startswith("fair share"))

WEIGHT, SHARE_WEIGHT = 1.0, 16.0
"""The weights that are tried first, in days of waiting. A factor of 2 in size or length, or a
fair-share factor of 1 instead of 0, counts as much as this number of days."""
FINER = (4.0, 0.25, 2.0, 0.5, 1.4, 0.7)
"""The weight of the best order is then multiplied by each of these factors."""
HALF_LIFE = 7.0
"""The half-life of usage in days."""

PAIRS = 20
"""`Overtaking` counts as evidence only if at least this many starts have a pair of jobs."""
STARTS = 4000
"""The approximate number of examined starts."""
AGREES = 0.9
"""Orders that ignore users are possible if `Overtaking.equal` is at least this."""
NEARLY_AGREES = 0.75
"""The order of submission is possible if `Overtaking.no_larger` is at least this."""
BREAKS = 0.97
"""The order *larger first* is possible if `Overtaking.no_larger` is at most this."""
LIKE = 0.6
"""An order is accepted only if the mean rank correlation of both quarters is at least this
value."""
GAIN = 0.02
"""The mean rank correlation must also exceed that of the order of submission by at least this
value."""
HIDDEN = 0.1
"""Orders are tried only if the unexplained share of the waiting is at most this value."""
ALIKE = 0.15
"""If the mean dissimilarity is below this value, orders without users are not tried."""
LEAST = 0.05
"""The minimum decrease of the mean dissimilarity; the dissimilarity of no quarter may increase."""
LATER = 60.0
"""A job that starts at most this many seconds after another job does not count as overtaken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    """The priority order of a queue and the evidence for it."""

    name: str
    """``submission``, one of `TERMS`, ``stated`` or ``unknown``."""
    evidence: str
    order: Any = None
    """The value for the option `order`; ``None`` if `name` is ``submission`` or ``unknown``."""


@dataclass(frozen=True, slots=True)
class Overtaking:
    """How often a starting job was submitted before the waiting jobs of other users."""

    equal: float
    """Share of the waiting jobs with equal processors and walltime that were submitted later than
    the starting job, as the mean over starts; NaN if there are no such jobs."""
    pairs: int
    """Number of starts with such equal waiting jobs."""
    no_larger: float
    """The share as in `equal`, but of the waiting jobs that request at most the starting job's
    processors and walltime. Backfilling in the order of submission does not overtake such jobs."""
    others: int
    """Number of starts with such waiting jobs."""

    def __str__(self) -> str:
        """Return both shares in words."""
        if not self.pairs:
            return "in the log, no equal jobs of two users waited at the same time"
        return (
            f"of two equal jobs of different users, the job submitted first started first in "
            f"{100 * self.equal:.0f} % of cases ({self.pairs:,} starts); if the other job was "
            f"smaller or equal, in {100 * self.no_larger:.0f} % ({self.others:,} starts)"
        )


def overtaking(record: "QueueRecord") -> Overtaking:
    """Count how often jobs overtake waiting jobs of their queue whose users have no running job.

    Examples
    --------
    Every job overtakes equal jobs that were submitted earlier:

    >>> from pred_aware import Workload
    >>> from pred_aware.site_inference.queue_record import QueueRecord
    >>> jobs = [
    ...     {"id": i, "subtime": 0.1 * i, "res": 1, "walltime": 60, "profile": "d", "user": str(i),
    ...      "wait_time": 100.0 * (400 - i)}
    ...     for i in range(400)
    ... ]
    >>> profiles = {"d": {"type": "delay", "delay": 40}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> overtaking(QueueRecord.of(workload)).equal
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
    return Overtaking(equals, len(shares[0]), no_larger, len(shares[1]))


def stated_order(text: str) -> Any:  # noqa: ANN401 - a value of the option `order`
    """Return the value of the option `order` for a text.

    The text is ``submission``, a name in `TERMS` or `ORDERS`, JSON, or a formula of PBS.

    Raises
    ------
    OptionError
        The text has no such form.

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
    order: Any = text
    if text.startswith("{"):
        try:
            order = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise OptionError(f"order {text!r} is not JSON: {error}") from None
    elif text not in ORDERS.names() and ":" not in text:
        order = by_formula(text)
    ORDERS.make(order)
    return order


def by_formula(formula: str) -> dict[str, Any]:
    """Return the value of the option `order` for a PBS formula, without an order of queues."""
    settings = {"job_sort_formula": formula, "eligible_time_enable": True, "by_queue": False}
    return {"name": "pbs", "openpbs": settings}


def order_of(name: str, weight: float) -> dict[str, Any]:
    """Return the value of the option `order` for days of waiting plus a weighted term of `TERMS`.

    Examples
    --------
    >>> order_of("larger first", 2.0)["openpbs"]["job_sort_formula"]
    'eligible_time / 86400 + 2 * log2(ncpus)'
    """
    order = by_formula(f"eligible_time / 86400 {TERMS[name].format(f'{weight:.3g}')}")
    if name in FAIR_SHARES:
        order["openpbs"] |= {
            "unknown_shares": 1,
            "fairshare_entity": "egroup" if "group" in name else "euser",
            "fairshare_decay_time": 3600.0,
            "fairshare_decay_factor": round(0.5 ** (1.0 / (24.0 * HALF_LIFE)), 6),
        }
    return order


def find_order(
    record: "QueueRecord",
    now: Like,
    simulated: Callable[[Any], Like],
    *,
    unexplained: float = 0.0,
) -> QueueOrder:
    """Return the priority order of a queue; ``unknown`` if no order explains the recorded waits.

    If equal jobs of two users start in the order of submission, orders that ignore users are tried;
    otherwise fair share is tried. Then the weight of the best order is fitted.

    Parameters
    ----------
    record
        The recorded queue.
    now
        Comparison of the recorded waits with EASY in the order of submission and accepted rules.
    simulated
        Simulates EASY in another order, and returns the comparison with the recorded waits.
    unexplained
        The share of the waiting that happened with free processors and that no rule explains. If it
        exceeds `HIDDEN`, unknown rules decide which jobs wait, and no order is tried.
    """
    seen = overtaking(record)
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


def _may_be(name: str, seen: Overtaking, record: "QueueRecord") -> bool:
    """Return whether the observed overtaking allows an order, so that simulating it is useful."""
    if name == "larger first":
        return not seen.no_larger > BREAKS
    return name not in FAIR_SHARES or ("group" if "group" in name else "user") in record.labels


def _explains(before: Like, after: Like) -> bool:
    pairs = zip(before[:2], after[:2], strict=True)
    falls = [old.dissimilarity - new.dissimilarity for old, new in pairs]
    gained = _correlation(after) - _correlation(before)
    enough = min(falls) >= 0.0 and sum(falls) / 2.0 >= LEAST and gained >= GAIN
    return enough and _correlation(after) >= LIKE


def _mean(like: Like) -> float:
    return (like[0].dissimilarity + like[1].dissimilarity) / 2.0


def _correlation(like: Like) -> float:
    return (like[0].correlation + like[1].correlation) / 2.0


def agreement(like: Like) -> str:
    """Return a clause with the mean rank correlation of the first half's two quarters."""
    return f"the rank correlation of simulated and recorded waits is {_correlation(like):.2f}"
