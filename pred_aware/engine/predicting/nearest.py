"""kNN, as `predictors.rules.knn` has it."""

import math
from typing import Final

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.codes import NEVER
from pred_aware.engine.predicting.values import ADDED, Book
from predictors.rules.nearest import find

ALPHA, BETA, EPSILON, MOST = range(4)
KNN_NUMBERS: Final = 4
"""Places in `Book.knn`."""
_NOBODY, _UNKNOWN = -1, -2


@compiled
def predict_by_nearest(book: Book, job: int) -> float:
    """Return the estimate of kNN in seconds; NaN where nothing is known."""
    points, walltime = book.points, book.run.walltime[job]
    if walltime == NEVER or not book.counts[ADDED]:
        return math.nan
    for axis in range(len(points.asked)):
        points.asked[axis] = book.told.points[job, axis]
    owner = book.told.groups[job, 0]
    if owner < 0 or not book.known_users[owner]:
        owner = _UNKNOWN
    alpha, beta = book.knn[ALPHA], book.knn[BETA]
    number = find(points, owner, book.counts[ADDED], book.knn[EPSILON], book.knn[MOST])
    if not number:
        return math.nan
    found = points.found
    least = NEVER
    for place in range(number):
        found[0, place] = alpha * math.sqrt(found[0, place]) ** beta
        least = min(least, found[0, place])
    total = weights = 0.0
    for place in range(number):
        weight = math.exp(least - found[0, place])
        total += weight * found[1, place]
        weights += weight
    estimate: float = total / weights * walltime
    return estimate


@compiled
def add(book: Book, job: int, run_time: float) -> None:
    """Let kNN learn a job that has ended."""
    points, walltime = book.points, book.run.walltime[job]
    if walltime == NEVER:
        return
    size = len(points.values)
    place = book.counts[ADDED] % size
    full = book.counts[ADDED] >= size
    book.counts[ADDED] += 1
    for axis in range(len(points.asked)):
        coordinates, ranges = points.coordinates[axis], points.ranges
        before, new = coordinates[place], book.told.points[job, axis]
        coordinates[place] = new
        lowest, highest = min(ranges[0, axis], new), max(ranges[1, axis], new)
        if full and before in (lowest, highest):
            lowest = highest = new
            for other in range(size):
                lowest, highest = min(lowest, coordinates[other]), max(highest, coordinates[other])
        ranges[0, axis], ranges[1, axis] = lowest, highest
    owner = book.told.groups[job, 0]
    points.owners[place] = owner if owner >= 0 else _NOBODY
    if owner >= 0:
        book.known_users[owner] = 1
    points.values[place] = run_time / walltime
