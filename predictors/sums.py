"""Sums of floats with the same result in every version of Python and in compiled loops."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def in_turn(numbers: Iterable[float]) -> float:
    """Return the numbers added from first to last; `sum` rounds differently since Python 3.12.

    Examples
    --------
    >>> in_turn([1e16, 1.0, 1.0])
    1e+16
    """
    return reduce(add, numbers, 0.0)
