"""Good prices: found by steps along the supergradient, from long slots to short ones."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.metrics.relaxation import JobsToPlace, relaxed

if TYPE_CHECKING:
    from pred_aware.metrics.relaxation import Floats

FINER = 3
"""Into how many slots one is divided on the way to shorter ones."""
_MOMENTUM, _SPREAD = 0.9, 0.99
_STEP = 0.1
_SLOWER = 100


@dataclass(frozen=True, slots=True)
class Search:
    """How prices are looked for."""

    slots: int
    """Into how many slots the time is divided in the end."""
    levels: int = 3
    """How often slots are divided by three on the way."""
    rounds: int = 100
    """How many steps are made at each level."""


def best_value(jobs: JobsToPlace, *, until: float, search: Search) -> float:
    """Return the highest value of `relaxed` that is found; 0 at least, which no prices give.

    The steps are those of Adam (Kingma and Ba 2015) with prices kept from falling below 0; any
    prices prove a bound, so nothing has to be shown of how they were found. The same arguments give
    the same value.

    Parameters
    ----------
    jobs
        The jobs.
    until
        The date up to which there are prices, in seconds.
    search
        How long to look.
    """
    slots = max(1, search.slots // FINER**search.levels)
    prices = np.zeros(slots)
    best = 0.0
    for _ in range(search.levels + 1):
        value, prices = _climbed(jobs, prices, slot=until / len(prices), rounds=search.rounds)
        best = max(best, value)
        prices = np.repeat(prices, FINER)
    return best


def _climbed(
    jobs: JobsToPlace, prices: "Floats", *, slot: float, rounds: int
) -> "tuple[float, Floats]":
    """Return the highest value of some steps from these prices on, and its prices."""
    best, best_prices = -np.inf, prices
    mean, spread = np.zeros_like(prices), np.zeros_like(prices)
    for step in range(1, rounds + 1):
        found = relaxed(jobs, prices, slot)
        if found.value > best:
            best, best_prices = found.value, prices
        mean = _MOMENTUM * mean + (1 - _MOMENTUM) * found.excess
        spread = _SPREAD * spread + (1 - _SPREAD) * found.excess**2
        direction = mean / (1 - _MOMENTUM**step)
        direction /= np.sqrt(spread / (1 - _SPREAD**step)) + 1e-3
        length = _STEP * jobs.scale / (1 + step / _SLOWER)
        prices = np.maximum(0.0, prices + length * direction)
    return best, best_prices
