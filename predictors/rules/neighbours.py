"""The nearest of the last few points, exactly."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Neighbours:
    """The last `size` points added, of which the nearest to another one are found.

    All distances are computed, a coordinate at a time, on arrays that hold the points in the order
    in which they came, as a ring. For a thousand points that takes some 20 us, however they lie.

    Examples
    --------
    >>> points = Neighbours(3, 1)
    >>> for place in (0.0, 8.0, 4.0, 5.0):
    ...     points.add([place], 1, value=place / 10)
    >>> points.nearest([6.0], 1, k=2, epsilon=0.0, most=1.0)
    [(0.0625, 0.5), (0.25, 0.4)]
    """

    __slots__ = (
        "_added",
        "_coordinates",
        "_counts",
        "_dimensions",
        "_highest",
        "_lowest",
        "_owners",
        "_size",
        "_values",
    )

    _coordinates: "NDArray[np.float64]"
    _owners: "NDArray[np.int64]"
    _values: "NDArray[np.float64]"

    def __init__(self, size: int, dimensions: int) -> None:
        self._size = size
        self._dimensions = dimensions
        self._added = 0
        self._lowest = [math.inf] * dimensions
        self._highest = [-math.inf] * dimensions
        # how many points have each coordinate of an axis
        self._counts: list[dict[float, int]] = [{} for _ in range(dimensions)]

    def __len__(self) -> int:
        """Return how many points there are."""
        return min(self._added, self._size)

    def add(self, point: list[float], owner: int, *, value: float) -> None:
        """Add a point with its owner and its value; the oldest goes if there are too many."""
        if not self._added:
            self._allocate()
        place = self._added % self._size
        full = self._added >= self._size
        self._added += 1
        for axis, (coordinate, column) in enumerate(zip(point, self._coordinates, strict=True)):
            counts = self._counts[axis]
            before = column.item(place)
            column[place] = coordinate
            counts[coordinate] = counts.get(coordinate, 0) + 1
            if coordinate < self._lowest[axis]:
                self._lowest[axis] = coordinate
            if coordinate > self._highest[axis]:
                self._highest[axis] = coordinate
            if full:
                counts[before] -= 1
                if not counts[before]:
                    del counts[before]
                    if before in (self._lowest[axis], self._highest[axis]):
                        self._lowest[axis] = column.min().item()
                        self._highest[axis] = column.max().item()
        self._owners[place] = owner
        self._values[place] = value

    def nearest(
        self, point: list[float], owner: int, *, k: int, epsilon: float, most: float
    ) -> list[tuple[float, float]]:
        """Return squared distance and value of the nearest points, the nearest first.

        At most `k`, of points as near as each other those added last, and these first. A point of
        another owner is `epsilon` further away, and none beyond `most` is near, both squared.
        """
        if not self._added:
            return []
        import numpy as np

        number = min(self._added, self._size)
        squared = np.zeros(number)
        for axis, coordinate in enumerate(point):
            span = max(self._highest[axis], coordinate) - min(self._lowest[axis], coordinate)
            if span > 0:
                difference = self._coordinates[axis, :number] - coordinate
                difference /= span
                difference *= difference
                squared += difference
        squared[self._owners[:number] != owner] += epsilon
        near = np.flatnonzero(squared <= most)
        newest = (self._added - 1) % self._size
        if len(near) > k:
            distances = squared[near]
            limit = np.partition(distances, k - 1)[k - 1]
            nearer, level = near[distances < limit], near[distances == limit]
            # the later ones of the ring come before the newest, and then, counted from the end (as
            # a negative index does), those behind it
            end = int(level.searchsorted(newest, side="right"))
            latest = range(end - k + len(nearer), end)
            places = [*nearer.tolist(), *(level.item(index) for index in latest)]
        else:
            places = near.tolist()
        found = [(squared.item(place), (newest - place) % number, place) for place in places]
        found.sort()
        return [(distance, self._values.item(place)) for distance, _, place in found]

    def _allocate(self) -> None:
        import numpy as np

        self._values = np.zeros(self._size)
        self._coordinates = np.zeros((self._dimensions, self._size))
        self._owners = np.zeros(self._size, dtype=np.int64)
