"""Finding the nearest of the last few points in a loop that is compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from predictors.compiled import compiled

Floats = NDArray[np.float64]


class Points(NamedTuple):
    """The last points that were added, as a ring, and room for a search."""

    coordinates: Floats
    """Shape (axes, size)."""
    owners: NDArray[np.int64]
    values: Floats
    """Shape (size,), as the owners."""
    ranges: Floats
    """The lowest and the highest coordinate of each axis; shape (2, axes)."""
    asked: Floats
    """The point in question; shape (axes,)."""
    squared: Floats
    """Takes squared distances; shape (size,)."""
    found: Floats
    """Takes squared distance and value of the nearest; shape (2, as many as are wanted)."""


@compiled
def _note(found: Floats, count: int, squared: float, value: float) -> int:
    """Put a point among the nearest, behind those as near; return how many they are then."""
    places = found.shape[1]
    if count == places:
        if squared >= found[0, count - 1]:
            return count
        count -= 1
    rank = count
    while rank > 0 and found[0, rank - 1] > squared:
        found[0, rank] = found[0, rank - 1]
        found[1, rank] = found[1, rank - 1]
        rank -= 1
    found[0, rank] = squared
    found[1, rank] = value
    return count + 1


@compiled
def find(points: Points, owner: int, added: int, epsilon: float, most: float) -> int:
    """Find the points nearest to `Points.asked`, as `Neighbours.nearest` does.

    Parameters
    ----------
    points
        The points.
    owner
        Of the one in question.
    added
        How many points were ever added.
    epsilon, most
        As of `predictors.rules.neighbours.Neighbours.nearest`.

    Returns
    -------
    int
        How many are in `Points.found`.
    """
    coordinates, owners, values = points.coordinates, points.owners, points.values
    squared, found, ranges = points.squared, points.found, points.ranges
    size = len(values)
    number = min(added, size)
    for place in range(number):
        squared[place] = 0.0
    for axis in range(len(points.asked)):
        at = points.asked[axis]
        span = max(ranges[1, axis], at) - min(ranges[0, axis], at)
        if span > 0:
            for place in range(number):
                difference = (coordinates[axis, place] - at) / span
                squared[place] += difference * difference
    for place in range(number):
        squared[place] += 0.0 if owners[place] == owner else epsilon
    newest = (added - 1) % size
    count = 0
    # from the newest down, then from the end of the ring down
    for place in range(newest, -1, -1):
        if squared[place] <= most:
            count = _note(found, count, squared[place], values[place])
    for place in range(number - 1, newest, -1):
        if squared[place] <= most:
            count = _note(found, count, squared[place], values[place])
    return count


def compile_all() -> None:
    """Compile it: find nothing."""
    one, two = np.zeros((1, 1)), np.zeros((2, 1))
    points = Points(one, np.zeros(1, np.int64), one[0], two, one[0], one[0], two)
    find(points, 0, 0, 0.0, 0.0)
