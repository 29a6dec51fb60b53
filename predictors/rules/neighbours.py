"""Exact search for the points nearest to a given point, among the points added last."""

import math
from bisect import bisect_left, bisect_right
from collections import deque


class Place:
    """All points with equal coordinates and the same owner."""

    def __init__(self, coordinates: list[float], owner: int) -> None:
        self.coordinates = coordinates
        self.owner = owner
        # the lists have an entry for each point, the oldest first
        self.numbers: list[int] = []
        self.values: list[float] = []


class Neighbours:
    """Keeps the last `size` points, and finds those nearest to another point.

    Many jobs have equal requests, so equal points form a place, whose distance is computed once.
    Places are sorted by their last coordinate. Distances are computed only to places whose last
    coordinate is near enough.

    Examples
    --------
    >>> points = Neighbours(3, 1)
    >>> for place in (0.0, 8.0, 4.0, 5.0):
    ...     points.add([place], 1, place / 10)
    >>> points.nearest([6.0], 1, 2, 0.0, 1.0)
    [(0.0625, 0.5), (0.25, 0.4)]
    """

    def __init__(self, size: int, dimensions: int) -> None:
        self.size = size
        self.added = 0
        self.lowest = [math.inf] * dimensions
        self.highest = [-math.inf] * dimensions
        self.at: dict[tuple[float, ...], Place] = {}
        # the places sorted by their last coordinate, and these coordinates
        self.places: list[Place] = []
        self.along: list[float] = []
        self.latest: deque[Place] = deque()

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.latest)

    def add(self, point: list[float], owner: int, value: float) -> None:
        """Add a point with its owner and value; if there are too many points, remove the oldest."""
        place = self.at.get((owner, *point))
        if place is None:
            place = self.at[(owner, *point)] = Place(point, owner)
            index = bisect_right(self.along, point[-1])
            self.along.insert(index, point[-1])
            self.places.insert(index, place)
            for axis, here in enumerate(point):
                self.lowest[axis] = min(self.lowest[axis], here)
                self.highest[axis] = max(self.highest[axis], here)
        self.added += 1
        place.numbers.append(self.added)
        place.values.append(value)
        self.latest.append(place)
        if len(self.latest) > self.size:
            oldest = self.latest.popleft()
            del oldest.numbers[0], oldest.values[0]
            if not oldest.numbers:
                del self.at[(oldest.owner, *oldest.coordinates)]
                first = bisect_left(self.along, oldest.coordinates[-1])
                index = self.places.index(oldest, first)
                del self.along[index], self.places[index]
                for axis, here in enumerate(oldest.coordinates):
                    if here in (self.lowest[axis], self.highest[axis]):
                        left = [one.coordinates[axis] for one in self.places]
                        self.lowest[axis], self.highest[axis] = min(left), max(left)

    def nearest(
        self, point: list[float], owner: int, k: int, epsilon: float, most: float
    ) -> list[tuple[float, float]]:
        """Return (squared distance, value) of the nearest points, nearest first.

        At most `k` points are returned. Of equally near points, those added last come first. The
        squared distance to a point of another owner is increased by `epsilon`. Points with a
        squared distance above `most` are left out.
        """
        if not self.places:
            return []
        spans = []
        for axis, here in enumerate(point):
            spans.append(max(self.highest[axis], here) - min(self.lowest[axis], here))
        # slightly larger than the exact limit, because the division below rounds
        reach = 1.000001 * math.sqrt(most) * spans[-1]
        first, last = 0, len(self.places)
        if reach > 0.0:
            first = bisect_left(self.along, point[-1] - reach)
            last = bisect_right(self.along, point[-1] + reach)
        near = []
        for place in self.places[first:last]:
            squared = 0.0
            for axis, here in enumerate(point):
                span = spans[axis]
                if span > 0.0:
                    difference = (place.coordinates[axis] - here) / span
                    squared += difference * difference
            if place.owner != owner:
                squared += epsilon
            if squared <= most:
                near.append((squared, -place.numbers[-1], place))
        near.sort()
        found: list[tuple[float, int, float]] = []
        for squared, _, place in near:
            if len(found) >= k and squared > found[k - 1][0]:
                break
            for number, value in zip(place.numbers[-k:], place.values[-k:], strict=True):
                found.append((squared, -number, value))
            found.sort()
        return [(squared, value) for squared, _, value in found[:k]]
