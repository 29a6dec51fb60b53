"""The model confidence set: the variants that do not differ significantly from the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIZE = 0.05
DRAWS = 4000
_MANY, _FEWER_DRAWS = 100, 1000
"""With more variants than `_MANY`, fewer samples are drawn, because `DRAWS` would take minutes."""
_SEED = 1
_FEWEST = 2
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class BestSet:
    """A set of variants that contains the best one with high probability."""

    p_values: Mapping[str, float]
    """The p value of each variant, in the order of exclusion. The set consists of the variants with
    a p value of at least `size`, and has at least one.
    """
    size: float
    """Probability that the set lacks the best variant, for many perturbed copies or weeks."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variants in the set."""
        return tuple(name for name, value in self.p_values.items() if value >= self.size)


def best_set(
    losses: Mapping[str, Sequence[float]],
    *,
    block: int = 1,
    size: float = SIZE,
    draws: int = DRAWS,
) -> BestSet:
    r"""Return the variants whose losses do not differ significantly from the smallest.

    Parameters
    ----------
    losses
        The values to be minimized of each variant, by its name: one value for each perturbed copy
        or week, in the same order for all variants; each of shape (n,).
    block
        Number of successive values that are drawn together; 1 for perturbed copies, which have no
        order.
    size
        Probability that the set lacks the best variant.
    draws
        Number of bootstrap samples; at most 1,000 with more than 100 variants.

    Raises
    ------
    ValueError
        There are no variants, fewer than two losses, or different numbers of losses.

    Notes
    -----
    P. R. Hansen, A. Lunde and J. M. Nason, "The model confidence set", Econometrica 79 (2011), with
    :math:`T_{max} = \max_i \bar d_{i \cdot} / s_i` and a circular block bootstrap. As long as the
    worst remaining variant differs significantly from the mean of all remaining variants, it is
    excluded. A variant's p value is the largest p value up to its exclusion. The package arch has
    this method too (`MCS`, method max; a test compares the p values), but it needs statsmodels (65
    MB).

    Examples
    --------
    >>> found = best_set({"a": [5.0, 6.0, 7.0, 6.5], "b": [5.1, 5.9, 7.1, 6.4], "c": [9, 8, 9, 9]})
    >>> found.names, found.p_values["c"]
    (('a', 'b'), 0.0)
    """
    names = list(losses)
    table = np.array([losses[name] for name in names], float)
    if table.ndim != 2 or table.shape[1] < _FEWEST:  # noqa: PLR2004 - variants and losses
        raise ValueError("all variants need the same number of losses, at least two")
    if len(names) > _MANY:
        draws = min(draws, _FEWER_DRAWS)
    means, drawn = table.mean(axis=1), _drawn_means(table, block=block, draws=draws)
    least = _ROUNDING * float(np.abs(means).max())
    left, highest = np.arange(len(names)), 0.0
    p_values: dict[str, float] = {}
    while len(left) > 1:
        behind = means[left] - means[left].mean()
        off = drawn[:, left] - drawn[:, left].mean(axis=1, keepdims=True) - behind
        error = np.sqrt((off**2).mean(axis=0))
        # equal variants differ only by rounding
        error[error <= least] = np.inf
        scores = behind / error
        by_chance = (off / error).max(axis=1)
        highest = max(highest, float((by_chance >= scores.max()).mean()))
        # exclude together all variants that are worse than in every sample; most variants are
        worst = np.flatnonzero(scores > by_chance.max())
        worst = worst[np.argsort(-scores[worst])] if len(worst) else scores.argmax()[None]
        p_values |= {names[place]: highest for place in left[worst].tolist()}
        left = np.delete(left, worst)
    p_values[names[left[0]]] = 1.0
    return BestSet(p_values, size)


def _drawn_means(table: "Floats", *, block: int, draws: int) -> "Floats":
    """Return the means of the samples; shape (draws, variants)."""
    number = table.shape[1]
    begins = np.random.Generator(np.random.PCG64(_SEED)).integers(
        number, size=(draws, -(-number // block), 1)
    )
    places = ((begins + np.arange(block)) % number).reshape(draws, -1)[:, :number]
    return np.asarray(table[:, places].mean(axis=2).T)
