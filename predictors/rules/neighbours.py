"""Exact search for the nearest of the last points."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Neighbours:
    """Keeps the last `size` points and finds the nearest ones to another point.

    All distances are computed, one coordinate at a time, on ring buffers that hold the points in
    the order of their arrival. For a thousand points this takes about 20 us.

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
        # for each axis: how many points have each coordinate
        self._counts: list[dict[float, int]] = [{} for _ in range(dimensions)]

    def __len__(self) -> int:
        """Return the number of points."""
        return min(self._added, self._size)

    def add(self, point: list[float], owner: int, *, value: float) -> None:
        """Add a point with its owner and value. If there are too many, remove the oldest."""
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
        """Return (squared distance, value) of the nearest points, nearest first.

        There are at most `k` points. Of equally near points, those added last come first. The
        squared distance to a point of another owner is larger by `epsilon`. Points with a squared
        distance above `most` are left out.
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
            # first the entries before the newest one in the ring, then those behind it, which have
            # negative indices
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
