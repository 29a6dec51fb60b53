"""Sums of floats, the same in every version of Python and in compiled loops."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def in_turn(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, from the first to the last; `sum` is more exact since 3.12.

    Examples
    --------
    >>> in_turn([1e16, 1.0, 1.0])
    1e+16
    """
    return reduce(add, numbers, 0.0)
