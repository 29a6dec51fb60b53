"""A lower bound from prices: each job pays for its processors and may overlap with other jobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]

_AT_ONCE = 2_000_000
"""Number of starts in one batch, so that an array of starts has 16 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class JobsToPlace:
    """Jobs to place on a machine."""

    release: "Floats"
    """Earliest start of each job, in seconds from 0; shape (jobs,)."""
    run_time: "Floats"
    """Run time of each job, in seconds; shape (jobs,)."""
    share: "Floats"
    """Share of the machine that each job needs, above 0 and at most 1; shape (jobs,)."""
    weight: "Floats"
    """Cost of a second of waiting, above 0; shape (jobs,)."""
    free: "Floats"
    """Seconds of waiting that cost nothing; shape (jobs,)."""

    @property
    def scale(self) -> float:
        """Approximate price of a second of the whole machine: waiting cost per processor time."""
        area = float((self.share * self.run_time).sum())
        return float((self.weight * self.run_time).sum()) / area if area else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """The result of the jobs' choices at given prices."""

    value: float
    """The sum of all jobs' lowest costs, minus the income of a machine that is always full.

    This value is at most the sum of the waiting costs in any schedule.
    """
    excess: "Floats"
    """The machine's mean use in each slot as a share of the machine, minus 1; shape (slots,).

    Multiplied by a slot's length, it is a supergradient of `value` over the prices.
    """


def relaxed(jobs: JobsToPlace, prices: "Floats", slot: float) -> Relaxed:
    r"""Let each job start when its cost is lowest.

    The price of a second of the whole machine is :math:`\lambda(t) \ge 0`. Each job pays for its
    wait and for its use of the machine. The sum of the jobs' lowest payments, minus :math:`\int
    \lambda(t) dt`, is at most the cost of waiting in any schedule. The reason: in a schedule each
    job pays at least its lowest payment, and all jobs together use at most the whole machine (weak
    Lagrangian duality of the capacity; Fisher 1981). Prices are constant within a slot. So a job's
    cost is linear in its start, except where the job begins or ends at a change of price. The
    cost is therefore lowest at one of these starts, at the job's release, or when its wait
    begins to cost.

    Parameters
    ----------
    jobs
        The jobs that choose their starts.
    prices
        Price of a second of the whole machine in each slot from second 0 on, at least 0; after the
        last slot it is 0. Shape (slots,).
    slot
        The length of a slot, in seconds.
    """
    market = _Market.of(prices, slot)
    start = jobs.release.copy()
    least = market.use(jobs.share, start, jobs.run_time)
    # waiting longer than this costs more than starting immediately
    last = start + jobs.free + least / jobs.weight
    chosen = _Chosen(start, least)
    everybody = np.arange(len(start))
    chosen.take(everybody, everybody, start + jobs.free, jobs=jobs, market=market)
    change = np.diff(prices, prepend=0.0, append=0.0)
    # a job may start when the price falls, or end when the price rises
    for dates, ends in (
        (market.edges[change < 0], np.zeros_like(start)),
        (market.edges[change > 0], jobs.run_time),
    ):
        first = np.searchsorted(dates, jobs.release + ends, side="right")
        behind = np.searchsorted(dates, last + ends, side="left")
        for job, number, begins_at in _pieces(first, behind):
            chosen.take(job, begins_at, dates[number] - ends[job], jobs=jobs, market=market)
    value = float(chosen.cost.sum()) - float(market.paid[-1])
    used = _ramp(chosen.start, jobs.share, slot=slot, slots=len(prices))
    used -= _ramp(chosen.start + jobs.run_time, jobs.share, slot=slot, slots=len(prices))
    return Relaxed(value, used / slot - 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Market:
    """Cumulative prices: `paid` is the price of the whole machine up to each of `edges`."""

    edges: "Floats"
    paid: "Floats"

    @classmethod
    def of(cls, prices: "Floats", slot: float) -> "_Market":
        paid = np.zeros(len(prices) + 1)
        np.cumsum(prices * slot, out=paid[1:])
        return cls(np.arange(len(paid), dtype="float64") * slot, paid)

    def use(self, share: "Floats", start: "Floats", run_time: "Floats") -> "Floats":
        until = np.interp(start + run_time, self.edges, self.paid)
        used: Floats = share * (until - np.interp(start, self.edges, self.paid))
        return used


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """The cheapest start found so far for each job, and its cost."""

    start: "Floats"
    cost: "Floats"

    def take(
        self,
        job: "Indices",
        begins_at: "Indices",
        start: "Floats",
        *,
        jobs: JobsToPlace,
        market: _Market,
    ) -> None:
        """Try more starts. `job` is sorted; `begins_at` is the first position of each job in it."""
        waited = np.maximum(start - jobs.release[job] - jobs.free[job], 0.0)
        cost = jobs.weight[job] * waited + market.use(jobs.share[job], start, jobs.run_time[job])
        least = np.minimum.reduceat(cost, begins_at)
        who = job[begins_at]
        better = least < self.cost[who]
        # among equal minima, take the last start
        counts = np.diff(begins_at, append=len(job))
        at_least = np.flatnonzero(cost == np.repeat(least, counts))
        position = np.empty(len(jobs.release), dtype=np.int64)
        position[job[at_least]] = at_least
        who = who[better]
        self.cost[who] = least[better]
        self.start[who] = start[position[who]]


def _pieces(first: "Indices", behind: "Indices") -> "Iterator[tuple[Indices, Indices, Indices]]":
    """Yield pairs of a job and a number in ``range(first[job], behind[job])``, in batches.

    The third array contains the first position of each job in the first array.
    """
    counts = np.maximum(behind - first, 0)
    some = np.flatnonzero(counts)
    if not len(some):
        return
    piece = np.cumsum(counts[some]) // _AT_ONCE
    for jobs in np.split(some, np.flatnonzero(np.diff(piece)) + 1):
        count = counts[jobs]
        begins_at = np.cumsum(count) - count
        job = np.repeat(jobs, count)
        yield job, np.arange(len(job)) + np.repeat(first[jobs] - begins_at, count), begins_at


def _ramp(dates: "Floats", share: "Floats", *, slot: float, slots: int) -> "Floats":
    """Return for each slot the sum over jobs of share times seconds of the slot after the date."""
    at = np.minimum((dates // slot).astype(np.int64), slots)
    within = np.bincount(at, share * ((at + 1) * slot - dates), minlength=slots + 1)
    behind = np.cumsum(np.bincount(at + 1, share * slot, minlength=slots + 2))
    return np.asarray(within[:slots] + behind[:slots], dtype="float64")
