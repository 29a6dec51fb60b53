"""Whether compiled functions of numbers give what those of `math` do, to the last bit."""

import math

import numpy as np

from pred_aware.engine.compiled import called_by_python
from pred_aware.engine.predicting.sources import CODE
from pred_aware.engine.predicting.values import Floats


@called_by_python(CODE)
def _of_all(numbers: Floats, found: Floats) -> None:
    """Find them in turn."""
    for place in range(len(numbers)):
        number = numbers[place]
        found[place, 0] = math.log1p(number)
        found[place, 1] = math.log(number)
        found[place, 2] = math.expm1(found[place, 0])
        found[place, 3] = math.exp(found[place, 1])
        found[place, 4] = math.exp(-found[place, 0])
        found[place, 5] = number ** found[place, 0]


def same_functions() -> bool:
    """Compare both for numbers of seconds of all sizes."""
    numbers = np.exp(np.random.default_rng(7).uniform(-7.0, 17.0, 4096))
    found = np.zeros((len(numbers), 6))
    _of_all(numbers, found)
    for number, (log1p, log, *others) in zip(numbers.tolist(), found.tolist(), strict=True):
        expected = [math.expm1(log1p), math.exp(log), math.exp(-log1p), number**log1p]
        if [log1p, log] != [math.log1p(number), math.log(number)] or others != expected:
            return False
    return True
